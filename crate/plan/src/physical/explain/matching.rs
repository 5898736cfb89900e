//! The text of a `Match`.
//!
//! Measures print as expressions of a plan do, conditions as they were written; the execution plan has the same text.

use sg_expr::{Expr, PlanStyle, display};
use sg_value::{DataType, Field, Gather as _};

use super::{ast, line::names};
use crate::logical::{AfterMatch, MatchNode, Reference, ReferenceKind, RowsOf};

/// The attributes in Flink's order.
#[inline(never)]
pub(super) fn attributes(spec: &MatchNode, input: &[Field], output: &[Field]) -> Vec<String> {
    let mut parts = Vec::new();
    if !spec.partition.is_empty() {
        parts.push(format!("partitionBy=[{}]", names(&spec.partition, input)));
    }
    let order: Vec<String> = spec
        .order
        .iter()
        .map(|(column, descending)| {
            let word = if *descending { "DESC" } else { "ASC" };
            format!("{} {word}", names(&[*column], input))
        })
        .gather();
    parts.push(format!("orderBy=[{}]", order.join(", ")));
    let read = reference_texts(spec, |reference| measure_text(reference, input));
    let measures: Vec<String> = spec
        .measures
        .iter()
        .zip(output.iter().skip(spec.partition.len()))
        .map(|(expr, field)| {
            let text = display(expr, &|column| text_of(&read, column), PlanStyle::Physical);
            format!("FINAL({text}) AS {}", field.name)
        })
        .gather();
    parts.push(format!("measures=[{}]", measures.join(", ")));
    parts.push("rowsPerMatch=[ONE ROW PER MATCH]".to_owned());
    let variable = |at: u32| spec.variables.get(at as usize).map_or("?", |name| &**name);
    parts.push(match spec.after {
        AfterMatch::PastLastRow => "after=[SKIP PAST LAST ROW]".to_owned(),
        AfterMatch::ToNextRow => "after=[SKIP TO NEXT ROW]".to_owned(),
        AfterMatch::ToFirst(at) => format!("after=[SKIP TO FIRST _UTF-16LE'{}']", variable(at)),
        AfterMatch::ToLast(at) => format!("after=[SKIP TO LAST _UTF-16LE'{}']", variable(at)),
    });
    parts.push(format!("pattern=[{}]", pattern(spec)));
    if !spec.subsets.is_empty() {
        let subsets: Vec<String> = spec
            .subsets
            .iter()
            .map(|(name, members)| {
                let members: Vec<&str> = members.iter().map(|at| variable(*at)).gather();
                format!("{name} = ({})", members.join(", "))
            })
            .gather();
        parts.push(format!("subset=[{}]", subsets.join(", ")));
    }
    let define: Vec<String> = spec
        .define
        .iter()
        .map(|(own, expr)| {
            let read = reference_texts(spec, |reference| define_text(reference, *own));
            let condition = ast::expression_over(expr, &|column| text_of(&read, column));
            format!("{}={condition}", variable(*own))
        })
        .gather();
    parts.push(format!("define=[{{{}}}]", define.join(", ")));
    parts
}

/// The attributes of a `LogicalMatch`.
pub(super) fn ast_attributes(spec: &MatchNode, input: &[Field], output: &[Field]) -> Vec<String> {
    let columns = |fields: &[Field]| -> String {
        let names: Vec<&str> = fields.iter().map(|field| &*field.name).gather();
        names.join(", ")
    };
    let variable = |at: u32| spec.variables.get(at as usize).map_or("?", |name| &**name);
    let partition: Vec<String> = spec.partition.iter().map(u32::to_string).gather();
    let order: Vec<String> = spec
        .order
        .iter()
        .map(|(column, descending)| {
            let direction = if *descending {
                "DESC-nulls-last"
            } else {
                "ASC-nulls-first"
            };
            format!("{column} {direction}")
        })
        .gather();
    let after = match spec.after {
        AfterMatch::PastLastRow => "FLAG(SKIP PAST LAST ROW)".to_owned(),
        AfterMatch::ToNextRow => "FLAG(SKIP TO NEXT ROW)".to_owned(),
        AfterMatch::ToFirst(at) => format!("SKIP TO FIRST(_UTF-16LE'{}')", variable(at)),
        AfterMatch::ToLast(at) => format!("SKIP TO LAST(_UTF-16LE'{}')", variable(at)),
    };
    let subsets: Vec<String> = spec
        .subsets
        .iter()
        .map(|(name, members)| {
            let names = members.iter().map(|at| variable(*at));
            let names: Vec<&str> = std::iter::once(&**name).chain(names).gather();
            format!("[{}]", names.join(", "))
        })
        .gather();
    let definitions: Vec<String> = spec
        .define
        .iter()
        .map(|(own, expr)| {
            let read = reference_texts(spec, |reference| define_text(reference, *own));
            ast::expression_over(expr, &|column| text_of(&read, column))
        })
        .gather();
    let mut parts = vec![
        format!("partition=[[{}]]", partition.join(", ")),
        format!("order=[[{}]]", order.join(", ")),
        format!("outputFields=[[{}]]", columns(output)),
        "allRows=[false]".to_owned(),
        format!("after=[{after}]"),
        format!("pattern=[{}]", pattern(spec)),
        "isStrictStarts=[false]".to_owned(),
        "isStrictEnds=[false]".to_owned(),
    ];
    if let Some(within) = &spec.within {
        parts.push(format!("interval=[{}]", ast::expression_over(within, &|_| "?")));
    }
    parts.push(format!("subsets=[[{}]]", subsets.join(", ")));
    parts.push(format!("patternDefinitions=[[{}]]", definitions.join(", ")));
    parts.push(format!("inputFields=[[{}]]", columns(input)));
    parts
}

fn text_of(texts: &[String], column: u32) -> &str {
    texts.get(column as usize).map_or("?", String::as_str)
}

fn reference_texts(spec: &MatchNode, text: impl Fn(&Reference) -> String) -> Vec<String> {
    spec.references.iter().map(text).gather()
}

fn pattern(spec: &MatchNode) -> String {
    let mut items = spec.pattern.iter().map(|item| {
        let name = spec
            .variables
            .get(item.variable as usize)
            .map_or("?", |name| &**name);
        if !item.quantified {
            return format!("_UTF-16LE'{name}'");
        }
        let max = item.max.map_or(-1, i64::from);
        format!(
            "PATTERN_QUANTIFIER(_UTF-16LE'{name}', {}, {max}, {})",
            item.min, item.reluctant
        )
    });
    let first = items.next().unwrap_or_default();
    items.fold(first, |left, right| format!("({left}, {right})"))
}

/// `A.price`, `LAST(CAST(A.ts AS TIMESTAMP(3)), 1)`, `SUM(A.price)`
fn measure_text(reference: &Reference, input: &[Field]) -> String {
    match &reference.kind {
        ReferenceKind::Field { rows, column, offset } => {
            let name = input.get(*column as usize).map_or("?", |field| &*field.name);
            let field = format!("{}.{name}", rows.name);
            let value = shown(field, &reference.data_type);
            match offset {
                Some(offset) => {
                    let word = if offset.from_first { "FIRST" } else { "LAST" };
                    format!("{word}({value}, {})", offset.rows)
                }
                None => value,
            }
        }
        ReferenceKind::Aggregate {
            rows,
            call,
            arguments,
            ..
        } => {
            let columns: Vec<String> = input
                .iter()
                .map(|field| shown(format!("{}.{}", rows.name, field.name), &field.data_type))
                .gather();
            let texts: Vec<String> = arguments
                .iter()
                .map(|argument| display(argument, &|column| text_of(&columns, column), PlanStyle::Physical))
                .gather();
            format!("{}({})", call.function.name, texts.join(", "))
        }
        ReferenceKind::Rowtime(None) => "MATCH_ROWTIME()".to_owned(),
        ReferenceKind::Rowtime(Some((variable, column))) => {
            let name = input.get(*column as usize).map_or("?", |field| &*field.name);
            format!("MATCH_ROWTIME({variable}.{name})")
        }
        ReferenceKind::Proctime => "MATCH_PROCTIME()".to_owned(),
    }
}

/// A column as a value: a time attribute is materialised.
fn shown(column: String, data_type: &DataType) -> String {
    if data_type.is_proctime() {
        format!("PROCTIME_MATERIALIZE({column})")
    } else if data_type.is_rowtime() {
        let plain = sg_expr::calcite_type(&data_type.without_time_attribute(), sg_expr::Charset::Hidden);
        format!("CAST({column} AS {plain})")
    } else {
        column
    }
}

/// `PREV(B.$1, 0)` of the row at hand, `LAST(A.$1, 0)` of others.
fn define_text(reference: &Reference, own: u32) -> String {
    match &reference.kind {
        ReferenceKind::Field { rows, column, offset } => {
            let field = format!("{}.${column}", rows.name);
            let data_type = &reference.data_type;
            let value = if data_type.is_proctime() {
                format!("PROCTIME_MATERIALIZE({field})")
            } else if data_type.is_rowtime() {
                let plain =
                    sg_expr::calcite_type(&data_type.without_time_attribute(), sg_expr::Charset::Hidden);
                format!("CAST({field}):{plain}")
            } else {
                field
            };
            match offset {
                Some(offset) => {
                    let word = if offset.from_first { "FIRST" } else { "LAST" };
                    format!("{word}({value}, {})", offset.rows)
                }
                None if rows.variables == [own] => format!("PREV({value}, 0)"),
                None => format!("LAST({value}, 0)"),
            }
        }
        ReferenceKind::Aggregate {
            rows,
            call,
            arguments,
            bare,
        } => {
            let width = arguments.iter().map(width_of).max().unwrap_or(0);
            let mut columns = row_columns(rows, |at| format!("${at}"), width);
            if !bare {
                let word = if rows.variables == [own] { "PREV" } else { "LAST" };
                for column in &mut columns {
                    *column = format!("{word}({column}, 0)");
                }
            }
            let texts: Vec<String> = arguments
                .iter()
                .map(|argument| ast::expression_over(argument, &|column| text_of(&columns, column)))
                .gather();
            format!("{}({})", call.function.name, texts.join(", "))
        }
        ReferenceKind::Rowtime(None) => "MATCH_ROWTIME()".to_owned(),
        ReferenceKind::Rowtime(Some((variable, column))) => format!("MATCH_ROWTIME({variable}.${column})"),
        ReferenceKind::Proctime => "MATCH_PROCTIME()".to_owned(),
    }
}

fn row_columns(rows: &RowsOf, name: impl Fn(usize) -> String, width: usize) -> Vec<String> {
    (0..width)
        .map(|at| format!("{}.{}", rows.name, name(at)))
        .gather()
}

fn width_of(expr: &Expr) -> usize {
    let mut width = 0;
    expr.for_each_column(&mut |column| width = width.max(column as usize + 1));
    width
}
