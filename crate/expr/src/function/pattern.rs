//! LIKE, SIMILAR TO and regular expressions.

use std::rc::Rc;

use regex_lite::Regex;
use sg_diag::{Code, Diagnostic};
use sg_value::{
    Gather as _, MapValue, Value,
    format::{bucket_order, string_hash},
};

use super::{
    CallSite, Eval, Failure, FunctionDef, Kernel, Resolve, built_in,
    definition::Family::String as Strings,
    failure,
    signature::{Param, Returns, Signature, takes},
};
use crate::{
    bound::Expr,
    compile::{Node, binary_bytes_like},
    like::Like,
    number::{index_from_long, long_from_len},
    resolve::{Request, call},
};

use Param::{Int, Text};

static LIKE: &[Signature] = &[takes(&[Text, Text, Text], Returns::Bool).optional(1)];
static TEST: &[Signature] = &[takes(&[Text, Text], Returns::Bool)];
static REPLACE: &[Signature] = &[takes(&[Text, Text, Text], Returns::Text)];
static EXTRACT: &[Signature] = &[takes(&[Text, Text, Int], Returns::Text).optional(1).nullable()];
static EXTRACT_ALL: &[Signature] = &[takes(&[Text, Text, Int], Returns::TextArray)
    .optional(1)
    .nullable()];
static COUNT: &[Signature] = &[takes(&[Text, Text], Returns::Int).nullable()];
static PART: &[Signature] = &[takes(&[Text, Text], Returns::Text).nullable()];
static MAP: &[Signature] = &[takes(&[Text, Text, Text], Returns::TextMap)
    .optional(2)
    .nullable()];

const fn regex(
    name: &'static str,
    of: fn(Request<'_>) -> Expr,
    eval: fn(&CallSite<'_>) -> Kernel,
    doc: [&'static str; 2],
) -> FunctionDef {
    FunctionDef::new(name, Strings, Resolve::Rules(of), Eval::Build(eval), doc)
}

pub(super) static ROWS: &[FunctionDef] = &[
    FunctionDef::new(
        "LIKE",
        Strings,
        Resolve::Table(LIKE),
        Eval::Node(like),
        [
            "TRUE where a text follows a pattern: % is any text, _ any character.",
            "文本符合模式时为 TRUE：% 代表任意文本，_ 代表任意字符。",
        ],
    )
    .written(&["text LIKE pattern [ESCAPE character]"]),
    FunctionDef::new(
        "NOT LIKE",
        Strings,
        Resolve::Rules(negated),
        Eval::Never,
        [
            "TRUE where a text does not follow a pattern.",
            "文本不符合模式时为 TRUE。",
        ],
    )
    .written(&["text NOT LIKE pattern [ESCAPE character]"]),
    FunctionDef::new(
        "SIMILAR TO",
        Strings,
        Resolve::Table(LIKE),
        Eval::Build(similar),
        [
            "TRUE where a text follows an SQL regular expression.",
            "文本符合 SQL 正则表达式时为 TRUE。",
        ],
    )
    .written(&["text SIMILAR TO pattern [ESCAPE character]"]),
    FunctionDef::new(
        "NOT SIMILAR TO",
        Strings,
        Resolve::Rules(negated),
        Eval::Never,
        [
            "TRUE where a text does not follow an SQL regular expression.",
            "文本不符合 SQL 正则表达式时为 TRUE。",
        ],
    )
    .written(&["text NOT SIMILAR TO pattern [ESCAPE character]"]),
    regex(
        "REGEXP",
        |request| checked(request, TEST),
        |site| {
            with_regex(site, |found, values| {
                Value::Bool(found.is_some_and(|regex| regex.is_match(text(values, 0))))
            })
        },
        [
            "TRUE where a regular expression is found in a text.",
            "文本中能找到正则表达式时为 TRUE。",
        ],
    )
    .written(&["REGEXP(text, pattern)"]),
    regex(
        "REGEXP_REPLACE",
        |request| checked(request, REPLACE),
        |site| {
            with_regex(site, |found, values| {
                found.map_or(Value::Null, |regex| {
                    let replacement = regex_lite::NoExpand(text(values, 2));
                    Value::from(regex.replace_all(text(values, 0), replacement).as_ref())
                })
            })
        },
        [
            "Every match replaced by a text, which is taken literally.",
            "把每个匹配替换为给定文本（按字面）。",
        ],
    )
    .written(&["REGEXP_REPLACE(text, pattern, replacement)"]),
    regex(
        "REGEXP_EXTRACT",
        |request| checked(request, EXTRACT),
        |site| with_regex(site, extract),
        [
            "The first match, or one of its groups.",
            "第一个匹配，或其中的一个分组。",
        ],
    )
    .written(&["REGEXP_EXTRACT(text, pattern[, group])"]),
    regex(
        "REGEXP_EXTRACT_ALL",
        |request| checked(request, EXTRACT_ALL),
        |site| with_regex(site, extract_all),
        [
            "All matches, or one group of each.",
            "所有匹配，或每个匹配中的一个分组。",
        ],
    )
    .written(&["REGEXP_EXTRACT_ALL(text, pattern[, group])"]),
    regex(
        "REGEXP_COUNT",
        |request| checked(request, COUNT),
        |site| {
            with_regex(site, |found, values| {
                found.map_or(Value::Null, |regex| {
                    Value::Int(long_from_len(regex.find_iter(text(values, 0)).count()))
                })
            })
        },
        ["How many matches there are.", "匹配的个数。"],
    )
    .written(&["REGEXP_COUNT(text, pattern)"]),
    regex(
        "REGEXP_INSTR",
        |request| checked(request, COUNT),
        |site| {
            with_regex(site, |found, values| {
                let whole = text(values, 0);
                found.map_or(Value::Null, |regex| {
                    Value::Int(regex.find(whole).map_or(0, |hit| {
                        long_from_len(whole.get(..hit.start()).unwrap_or_default().chars().count()) + 1
                    }))
                })
            })
        },
        [
            "Where the first match begins, 0 if nowhere.",
            "第一个匹配的起始位置，没有时为 0。",
        ],
    )
    .written(&["REGEXP_INSTR(text, pattern)"]),
    regex(
        "REGEXP_SUBSTR",
        |request| checked(request, PART),
        |site| {
            with_regex(site, |found, values| {
                found
                    .and_then(|regex| regex.find(text(values, 0)))
                    .map_or(Value::Null, |hit| Value::from(hit.as_str()))
            })
        },
        ["The first match.", "第一个匹配。"],
    )
    .written(&["REGEXP_SUBSTR(text, pattern)"]),
    FunctionDef::new(
        "STR_TO_MAP",
        Strings,
        Resolve::Table(MAP),
        Eval::Values(str_to_map),
        [
            "A map from a text such as k1=v1,k2=v2; delimiters are regular expressions.",
            "由 k1=v1,k2=v2 形式的文本得到 MAP；分隔符为正则表达式。",
        ],
    ),
];

fn text(values: &[Value], at: usize) -> &str {
    values.get(at).and_then(Value::as_str).unwrap_or_default()
}

/// `NOT LIKE` is `NOT(LIKE(…))`.
fn negated(mut request: Request<'_>) -> Expr {
    let name = if request.function.name == "NOT LIKE" {
        "LIKE"
    } else {
        "SIMILAR TO"
    };
    let args = std::mem::take(&mut request.args);
    let inner = request.sub_call(name, args);
    if inner.is_invalid() {
        return inner;
    }
    let data_type = inner.data_type.clone();
    call(built_in("NOT"), vec![inner], data_type, request.span)
}

fn like(site: &CallSite<'_>, nodes: Vec<Node>) -> Node {
    let escape = site.literal_text(2).and_then(|text| text.chars().next());
    let constant = if site.args.len() < 3 || escape.is_some() {
        site.literal_text(1)
    } else {
        None
    };
    let compiled = constant.map(|pattern| Like::new(pattern, escape));
    let mut nodes = nodes.into_iter();
    let (Some(operand), Some(pattern)) = (nodes.next(), nodes.next()) else {
        return Node::Literal(Value::Null);
    };
    match (compiled, nodes.next()) {
        (Some(like), _) => Node::Bool(binary_bytes_like(operand, pattern, move |value, _| {
            value.as_str().map(|text| like.matches(text))
        })),
        (None, None) => Node::Bool(binary_bytes_like(operand, pattern, |value, pattern| {
            Some(Like::new(pattern.as_str()?, None).matches(value.as_str()?))
        })),
        (None, Some(escape)) => Node::Value(Box::new(move |row, cx| {
            let values = [
                operand.eval(row, cx)?,
                pattern.eval(row, cx)?,
                escape.eval(row, cx)?,
            ];
            let [value, pattern, escape] = values.each_ref().map(Value::as_str);
            Ok(match (value, pattern, escape) {
                (Some(value), Some(pattern), Some(escape)) => {
                    Value::Bool(Like::new(pattern, escape.chars().next()).matches(value))
                }
                _ => Value::Null,
            })
        })),
    }
}

/// An SQL regular expression as one of ours, for the whole text.
fn similar_regex(pattern: &str, escape: Option<char>) -> Result<Regex, Failure> {
    let mut out = String::from("(?s)^(?:");
    let mut letters = pattern.chars();
    let mut in_class = false;
    while let Some(letter) = letters.next() {
        if Some(letter) == escape {
            if let Some(literal) = letters.next() {
                out.push_str(&regex_lite::escape(&literal.to_string()));
            }
            continue;
        }
        match letter {
            '[' => in_class = true,
            ']' => in_class = false,
            _ => {}
        }
        match letter {
            '%' if !in_class => out.push_str(".*"),
            '_' if !in_class => out.push('.'),
            // `.` and `^` mean what they mean in Java
            '\\' | '$' if !in_class => {
                out.push('\\');
                out.push(letter);
            }
            other => out.push(other),
        }
    }
    out.push_str(")$");
    Regex::new(&out).map_err(|error| {
        let reason = format!("`{pattern}` is no SQL regular expression: {error}");
        Box::new(
            failure(Code::ValueNotTaken)
                .arg("function", "SIMILAR TO")
                .arg("reason", reason),
        )
    })
}

fn similar(site: &CallSite<'_>) -> Kernel {
    let escape = site.literal_text(2).and_then(|text| text.chars().next());
    let constant = site.literal_text(1).map(|pattern| similar_regex(pattern, escape));
    Box::new(move |values, _| {
        let hit = match &constant {
            Some(Ok(regex)) => regex.is_match(text(values, 0)),
            Some(Err(failure)) => return Err(failure.clone()),
            None => {
                let escape = values
                    .get(2)
                    .and_then(Value::as_str)
                    .and_then(|text| text.chars().next());
                similar_regex(text(values, 1), escape)?.is_match(text(values, 0))
            }
        };
        Ok(Value::Bool(hit))
    })
}

/// What Java's expressions have and ours do not.
fn unsupported(pattern: &str) -> Option<&'static str> {
    let constructs = [
        "(?=", "(?!", "(?<=", "(?<!", "(?>", "\\1", "\\2", "\\3", "*+", "++", "?+", "\\p{", "\\G", "&&",
    ];
    constructs
        .into_iter()
        .find(|construct| pattern.contains(construct))
}

/// Types the call, and refuses a constant pattern with constructs that are not supported.
fn checked(request: Request<'_>, signatures: &'static [Signature]) -> Expr {
    let pattern = request.args.get(1);
    let construct = pattern
        .and_then(Expr::as_literal)
        .and_then(Value::as_str)
        .and_then(unsupported);
    if let Some(construct) = construct {
        let span = pattern.map_or(request.span, |pattern| pattern.span);
        let diagnostic = Diagnostic::new(Code::PatternNotSupported, span).arg("pattern", construct);
        return request.refuse(diagnostic);
    }
    request.by_signatures(signatures)
}

/// A kernel with the expression that the second argument is; `None` for one that is wrong.
fn with_regex(site: &CallSite<'_>, run: fn(Option<&Regex>, &[Value]) -> Value) -> Kernel {
    let constant = site.literal_text(1).map(|pattern| Regex::new(pattern).ok());
    Box::new(move |values, _| {
        if let Some(regex) = &constant {
            Ok(run(regex.as_ref(), values))
        } else {
            let pattern = text(values, 1);
            if let Some(construct) = unsupported(pattern) {
                return Err(Box::new(
                    failure(Code::PatternNotSupported).arg("pattern", construct),
                ));
            }
            Ok(run(Regex::new(pattern).ok().as_ref(), values))
        }
    })
}

fn group(values: &[Value], default: i64) -> Option<usize> {
    index_from_long(values.get(2).and_then(Value::as_int).unwrap_or(default))
}

fn extract(regex: Option<&Regex>, values: &[Value]) -> Value {
    let found = regex.zip(group(values, 0)).and_then(|(regex, group)| {
        regex
            .captures(text(values, 0))
            .and_then(|hit| hit.get(group).map(|part| Value::from(part.as_str())))
    });
    found.unwrap_or_default()
}

/// Without a number the first group, as Flink has it.
fn extract_all(regex: Option<&Regex>, values: &[Value]) -> Value {
    let Some((regex, group)) = regex.zip(group(values, 1)) else {
        return Value::Null;
    };
    if group >= regex.captures_len() {
        return Value::Null;
    }
    let parts: Vec<Value> = regex
        .captures_iter(text(values, 0))
        .map(|hit| {
            hit.get(group)
                .map_or(Value::Null, |part| Value::from(part.as_str()))
        })
        .gather();
    Value::Array(parts.into())
}

fn str_to_map(values: &[Value]) -> super::Outcome {
    let delimiter =
        |at: usize, default: &str| Regex::new(values.get(at).and_then(Value::as_str).unwrap_or(default));
    let (Ok(pairs), Ok(parts)) = (delimiter(1, ","), delimiter(2, "=")) else {
        return Ok(Value::Null);
    };
    let pairs: Vec<&str> = pairs.split(text(values, 0)).gather();
    let entries = pairs.iter().map(|pair| {
        let mut split = parts.splitn(pair, 2);
        let key = split.next().unwrap_or_default();
        (Value::from(key), split.next().map_or(Value::Null, Value::from))
    });
    let map = super::collection::map_of(entries);
    let Value::Map(entries) = &map else { return Ok(map) };
    // Flink puts them into a `HashMap` of Java strings that is made for so many pairs.
    let keys = entries
        .entries
        .iter()
        .map(|(key, _)| string_hash(key.as_str().unwrap_or_default()));
    let entries = bucket_order(&keys.gather::<Vec<_>>(), pairs.len())
        .into_iter()
        .filter_map(|at| entries.entries.get(at).cloned())
        .gather();
    Ok(Value::Map(Rc::new(MapValue { entries })))
}
