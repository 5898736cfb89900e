//! FLOOR and CEIL, of numbers and of times.

use sg_value::{
    DataType, TypeKind, Value,
    time::{TimeUnit, ceil, ceil_date, floor, floor_date},
};

use super::{
    super::{CallSite, Eval, FunctionDef, Resolve, definition::Family::Arithmetic},
    fields::unknown_unit,
    is_instant,
};
use crate::{
    bound::Expr,
    compile::Node,
    number::decimal_of,
    resolve::Request,
    types::{KindExt, scale_of},
};

pub(super) static ROWS: &[FunctionDef] = &[
    FunctionDef::new(
        "FLOOR",
        Arithmetic,
        Resolve::Rules(resolve),
        Eval::Node(|site, nodes| node(site, nodes, false)),
        [
            "The largest whole number that is not above; of a time, the beginning of its unit.",
            "不大于该数的最大整数；对时间则为所在单位的起点。",
        ],
    )
    .written(&["FLOOR(number)", "FLOOR(time TO unit)"]),
    FunctionDef::new(
        "CEIL",
        Arithmetic,
        Resolve::Rules(resolve),
        Eval::Node(|site, nodes| node(site, nodes, true)),
        [
            "The smallest whole number that is not below; of a time, the end of its unit.",
            "不小于该数的最小整数；对时间则为所在单位的终点。",
        ],
    )
    .alias(&["CEILING"])
    .written(&["CEIL(number)", "CEIL(time TO unit)"]),
];

fn resolve(mut request: Request<'_>) -> Expr {
    let name = request.function.name;
    let supported = |request: Request<'_>| {
        request.wrong_types(&[
            format!("'{name}(<NUMERIC>)'"),
            format!("'{name}(<DATETIME_INTERVAL>)'"),
            format!("'{name}(<DATETIME> TO <TIME_UNIT>)'"),
        ])
    };
    match request.args.len() {
        1 => {
            let operand = request.plain(0);
            let kind = match operand.kind {
                TypeKind::Decimal { precision, .. } => TypeKind::Decimal { precision, scale: 0 },
                kind if kind.is_numeric() => kind,
                _ => return supported(request),
            };
            let args = std::mem::take(&mut request.args);
            request.call(
                args,
                DataType {
                    kind,
                    nullable: operand.nullable,
                },
            )
        }
        2 => {
            let operand = request.plain(0);
            if !operand.kind.is_datetime() {
                return supported(request);
            }
            let word = request
                .args
                .get(1)
                .and_then(Expr::as_symbol)
                .unwrap_or_default()
                .to_ascii_uppercase();
            let span = request.args.get(1).map_or(request.span, |unit| unit.span);
            if TimeUnit::from_word(&word).is_none() {
                return unknown_unit(request, &word, &operand.kind, span);
            }
            let mut args = std::mem::take(&mut request.args);
            args.truncate(1);
            args.push(Expr::symbol(&word, span));
            request.call(args, operand)
        }
        _ => {
            request.report_count(1);
            Expr::invalid(request.span)
        }
    }
}

fn node(site: &CallSite<'_>, nodes: Vec<Node>, up: bool) -> Node {
    let unit = site.symbol(1).and_then(TimeUnit::from_word);
    let mut nodes = nodes.into_iter();
    let Some(operand) = nodes.next() else {
        return Node::Literal(Value::Null);
    };
    match unit {
        Some(unit) => time_node(site.kind(0), operand, unit, up),
        None => number_node(site.kind(0), operand, up),
    }
}

fn number_node(kind: &TypeKind, operand: Node, up: bool) -> Node {
    match kind {
        TypeKind::Decimal { .. } => {
            let scale = scale_of(kind);
            Node::Value(Box::new(move |row, cx| {
                let value = operand.eval(row, cx)?;
                if value.is_null() {
                    return Ok(value);
                }
                let number = decimal_of(&value, scale);
                Ok(Value::decimal(if up { number.ceil() } else { number.floor() }))
            }))
        }
        kind if kind.is_approximate() => {
            let operand = operand.into_double();
            Node::Double(Box::new(move |row, cx| {
                Ok(operand(row, cx)?.map(|number| {
                    if up {
                        libm::ceil(number)
                    } else {
                        libm::floor(number)
                    }
                }))
            }))
        }
        _ => operand,
    }
}

fn time_node(kind: &TypeKind, operand: Node, unit: TimeUnit, up: bool) -> Node {
    let (of_wall, of_days) = if up {
        (ceil as fn(_, _) -> _, ceil_date as fn(_, _) -> _)
    } else {
        (floor as fn(_, _) -> _, floor_date as fn(_, _) -> _)
    };
    match kind {
        TypeKind::Date => {
            let operand = operand.into_int();
            Node::Int(Box::new(move |row, cx| {
                Ok(operand(row, cx)?.map(|days| of_days(unit, days)))
            }))
        }
        TypeKind::Time(_) => {
            let operand = operand.into_int();
            Node::Int(Box::new(move |row, cx| {
                Ok(operand(row, cx)?.map(|ms| of_wall(unit, ms)))
            }))
        }
        kind => {
            let instant = is_instant(kind);
            Node::Value(Box::new(move |row, cx| {
                let mut slot = Value::Null;
                let Value::Timestamp { ms, .. } = operand.borrow(row, cx, &mut slot)? else {
                    return Ok(Value::Null);
                };
                // The offset is that of the value itself, so that a unit across a change of time is off by it.
                let offset_ms = if instant { cx.zone.offset_ms(*ms) } else { 0 };
                Ok(Value::timestamp_ms(of_wall(unit, ms + offset_ms) - offset_ms))
            }))
        }
    }
}
