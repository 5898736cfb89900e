//! `r.f`, `a[i]`, `m[k]`, CARDINALITY, ELEMENT. Case: select/row-array-map-access.

use sg_diag::{Code, Diagnostic};
use sg_value::{DataType, Gather as _, TypeKind, Value, order::sql_equal};

use super::super::{
    CallSite, Eval, FunctionDef, Kernel, Outcome, Resolve, definition::Family::Collection, failure, variant,
};
use crate::{
    bound::Expr,
    cast::coerce,
    compile::Node,
    number::{index_from_long, long_from_len},
    resolve::Request,
    types::KindExt,
};

pub(super) static ROWS: &[FunctionDef] = &[
    FunctionDef::new(".", Collection, Resolve::Rules(resolve_field), Eval::Node(field), [
        "A field of a row.",
        "行中的字段。",
    ])
    .written(&["row.field"]),
    FunctionDef::new("ITEM", Collection, Resolve::Rules(resolve_item), Eval::Build(item), [
        "An element of an array, counted from 1, or the value of a key of a map; NULL where there is none.",
        "数组的第 n 个元素（从 1 数起），或 MAP 中某个键的值；没有时为 NULL。",
    ])
    .written(&["array[index]", "map[key]", "variant['key']", "variant[index]"]),
    FunctionDef::new("CARDINALITY", Collection, Resolve::Rules(resolve_cardinality), Eval::Values(cardinality), [
        "How many elements there are.",
        "元素个数。",
    ])
    .written(&["CARDINALITY(array)", "CARDINALITY(map)"]),
    FunctionDef::new("ELEMENT", Collection, Resolve::Rules(resolve_element), Eval::Values(element), [
        "The only element of an array.",
        "数组中唯一的元素。",
    ])
    .written(&["ELEMENT(array)"]),
];

fn item_forms() -> [String; 1] {
    [
        "<ARRAY>[<INTEGER>]\n<MAP>[<ANY>]\n<ROW>[<CHARACTER>|<INTEGER>]\n<VARIANT>[<CHARACTER>|<INTEGER>]"
            .to_owned(),
    ]
}

fn resolve_field(mut request: Request<'_>) -> Expr {
    let Some([row, name]) = request.take() else {
        return Expr::invalid(request.span);
    };
    let wanted = name.as_symbol().unwrap_or_default().to_owned();
    let Some(fields) = row.data_type.kind.fields() else {
        request.args = vec![row, name];
        return request.wrong_types(&["'<ROW>.<FIELD>'".to_owned()]);
    };
    let Some(found) = fields.iter().find(|field| *field.name == *wanted) else {
        let names: Vec<String> = fields.iter().map(|field| field.name.to_string()).gather();
        let diagnostic = Diagnostic::new(Code::UnknownField, request.span)
            .arg("field", &wanted)
            .arg("type", &row.data_type.kind)
            .suggest_similar_at(name.span, &wanted, names.iter().map(String::as_str));
        return request.refuse(diagnostic);
    };
    let mut data_type = found.data_type.clone();
    data_type.nullable |= row.data_type.nullable;
    request.call(vec![row, name], data_type)
}

fn field(site: &CallSite<'_>, nodes: Vec<Node>) -> Node {
    let wanted = site.symbol(1).unwrap_or_default();
    let fields = site.kind(0).fields();
    let position = fields.and_then(|fields| fields.iter().position(|field| *field.name == *wanted));
    let (Some(row_node), Some(position)) = (nodes.into_iter().next(), position) else {
        return Node::Literal(Value::Null);
    };
    Node::Value(Box::new(move |row, cx| {
        let mut slot = Value::Null;
        Ok(match row_node.borrow(row, cx, &mut slot)? {
            Value::Row(cells) => cells.get(position).cloned().unwrap_or_default(),
            _ => Value::Null,
        })
    }))
}

fn resolve_item(mut request: Request<'_>) -> Expr {
    let Some([collection, key]) = request.take() else {
        return Expr::invalid(request.span);
    };
    let span = request.span;
    match collection.data_type.kind.clone() {
        TypeKind::Array(element)
            if key.data_type.kind.is_integer() || key.data_type.kind == TypeKind::Null =>
        {
            if let Some(Value::Int(index)) = key.as_literal()
                && *index < 1
            {
                let diagnostic = Diagnostic::new(Code::ArrayIndexFromOne, key.span)
                    .arg("index", index)
                    .flink(format!(
                        "ValidationException: Array element access needs an index starting at 1 but was {index}."
                    ));
                return request.refuse(diagnostic);
            }
            request.call(vec![collection, key], element.with_nullable(true))
        }
        TypeKind::Map(key_type, value) => {
            let same_family = crate::infer::common_type(&[key_type.as_ref().clone(), key.data_type.clone()]);
            if same_family.is_none() {
                request.args = vec![collection, key];
                return request.wrong_types(&item_forms());
            }
            // A text is looked up as it is: the length of its type does not matter.
            let key = if key.data_type.kind.is_character() {
                key
            } else {
                coerce(key, &key_type.kind)
            };
            request.call(vec![collection, key], value.with_nullable(true))
        }
        TypeKind::Variant
            if key.data_type.kind.is_integer()
                || key.data_type.kind.is_character()
                || key.data_type.kind == TypeKind::Null =>
        {
            request.call(vec![collection, key], DataType::nullable(TypeKind::Variant))
        }
        TypeKind::Row(_) if key.as_literal().is_some_and(|key| key.as_str().is_some()) => {
            let name = key.as_literal().and_then(Value::as_str).unwrap_or_default();
            let symbol = Expr::symbol(name, key.span);
            request.sub_call(".", vec![collection, symbol])
        }
        _ => {
            request.args = vec![collection, key];
            debug_assert_eq!(span, request.span, "the call keeps its place");
            request.wrong_types(&item_forms())
        }
    }
}

/// What Flink leaves in place of an element that is not there, where elements are NOT NULL.
fn garbage(of: &DataType) -> Value {
    if of.nullable {
        return Value::Null;
    }
    match &of.kind {
        kind if kind.is_integer() => Value::Int(-1),
        kind if kind.is_approximate() => Value::Double(-1.0),
        TypeKind::Boolean => Value::Bool(false),
        kind if kind.is_character() => Value::from(""),
        _ => Value::Null,
    }
}

fn item(site: &CallSite<'_>) -> Kernel {
    if *site.kind(0) == TypeKind::Variant {
        return Box::new(|values, _| variant::item(values));
    }
    let missing = match site.kind(0) {
        TypeKind::Array(element) => garbage(element),
        TypeKind::Map(_, value) => garbage(value),
        _ => Value::Null,
    };
    Box::new(move |values, _| {
        Ok(match values {
            [Value::Array(elements), Value::Int(index)] => {
                let at = index.checked_sub(1).and_then(index_from_long);
                match at {
                    Some(at) => elements.get(at).cloned().unwrap_or_else(|| missing.clone()),
                    None => Value::Null,
                }
            }
            [Value::Map(map), key] => map
                .entries
                .iter()
                .find(|(known, _)| sql_equal(known, key) == Some(true))
                .map_or_else(|| missing.clone(), |(_, value)| value.clone()),
            _ => Value::Null,
        })
    })
}

fn resolve_cardinality(mut request: Request<'_>) -> Expr {
    let kind = request.plain(0).kind;
    let counted = matches!(
        kind,
        TypeKind::Array(_) | TypeKind::Map(..) | TypeKind::Multiset(_)
    );
    if request.args.len() == 1 && !counted {
        return request.wrong_types(&[
            "'CARDINALITY(<MULTISET>)'".to_owned(),
            "'CARDINALITY(<ARRAY>)'".to_owned(),
            "'CARDINALITY(<MAP>)'".to_owned(),
        ]);
    }
    if matches!(kind, TypeKind::Multiset(_)) {
        let diagnostic = Diagnostic::new(Code::CallNotRunnable, request.span)
            .arg("function", "CARDINALITY")
            .arg_list("types", [kind.to_string()])
            .flink("CodeGenException: Expect an array or a map.");
        return request.refuse(diagnostic);
    }
    let Some(args) = request.take::<1>() else {
        return Expr::invalid(request.span);
    };
    let nullable = args.iter().any(|arg| arg.data_type.nullable);
    request.call(
        args.into(),
        DataType {
            kind: TypeKind::Int,
            nullable,
        },
    )
}

fn cardinality(values: &[Value]) -> Outcome {
    Ok(match values.first() {
        Some(Value::Array(elements)) => Value::Int(long_from_len(elements.len())),
        Some(Value::Map(map)) => Value::Int(long_from_len(map.entries.len())),
        _ => Value::Null,
    })
}

fn resolve_element(mut request: Request<'_>) -> Expr {
    let Some([array]) = request.take() else {
        return Expr::invalid(request.span);
    };
    let (TypeKind::Array(element) | TypeKind::Multiset(element)) = array.data_type.kind.clone() else {
        request.args = vec![array];
        return request.wrong_types(&[
            "'ELEMENT(<MULTISET>)'".to_owned(),
            "'ELEMENT(<ARRAY>)'".to_owned(),
        ]);
    };
    let mut data_type = element.as_ref().clone();
    data_type.nullable |= array.data_type.nullable;
    request.call(vec![array], data_type)
}

fn element(values: &[Value]) -> Outcome {
    match values.first() {
        Some(Value::Array(elements)) if elements.len() > 1 => Err(Box::new(
            failure(Code::ValueNotTaken)
                .arg("function", "ELEMENT")
                .arg("reason", "the array has more than one element")
                .flink("Array has more than one element."),
        )),
        Some(Value::Array(elements)) => Ok(elements.first().cloned().unwrap_or_default()),
        _ => Ok(Value::Null),
    }
}
