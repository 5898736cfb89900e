//! Aggregates over rows that come and go.
#![expect(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test says what is missing and stops"
)]

use std::collections::BTreeMap;
use std::rc::Rc;

use sg_diag::{Diagnostics, Span};
use sg_expr::{
    AggregateCall, AggregateContext, Aggregates, Views,
    aggregate::{global_items, local_items, plan_text},
    resolve_aggregate,
};
use sg_value::{DataType, TypeKind, Value};

/// Views in memory, and those of another accumulator.
#[derive(Default)]
struct Memory {
    entries: BTreeMap<(u32, Vec<Value>), i64>,
    other: Vec<(u32, Vec<Value>, i64)>,
}

impl Memory {
    fn of_view(&self, view: u32) -> Vec<i64> {
        self.entries
            .iter()
            .filter(|((known, _), _)| *known == view)
            .map(|(_, number)| *number)
            .collect()
    }
}

impl Views for Memory {
    fn get(&mut self, view: u32, value: &[Value]) -> i64 {
        self.entries.get(&(view, value.to_vec())).copied().unwrap_or(0)
    }

    fn put(&mut self, view: u32, value: &[Value], number: i64) {
        if number == 0 {
            self.entries.remove(&(view, value.to_vec()));
        } else {
            self.entries.insert((view, value.to_vec()), number);
        }
    }

    fn extreme(&mut self, view: u32, largest: bool) -> Option<Value> {
        let mut values = self
            .entries
            .iter()
            .filter(|((known, _), number)| *known == view && **number > 0)
            .map(|((_, key), _)| key[0].clone());
        if largest {
            values.next_back()
        } else {
            values.next()
        }
    }

    fn next_of_other(&mut self, view: u32) -> Option<(Vec<Value>, i64)> {
        let at = self.other.iter().position(|(known, ..)| *known == view)?;
        let (_, key, number) = self.other.remove(at);
        Some((key, number))
    }

    fn entries(&mut self, view: u32) -> Vec<(Vec<Value>, i64)> {
        let of_view = self.entries.iter().filter(|((known, _), _)| *known == view);
        of_view.map(|((_, key), number)| (key.clone(), *number)).collect()
    }
}

/// A call on a column of a type; `FILTER` is column 9.
struct Call(AggregateCall);

impl Call {
    #[expect(clippy::needless_pass_by_value, reason = "made for the call")]
    fn new(name: &str, arg: Option<(u32, TypeKind)>) -> Self {
        let arg_types: Vec<DataType> = arg
            .iter()
            .map(|(_, kind)| DataType::nullable(kind.clone()))
            .collect();
        let mut diags = Diagnostics::new();
        let cx = AggregateContext::default();
        let (function, data_type) =
            resolve_aggregate(name, &arg_types, cx, Span::default(), &mut diags).unwrap();
        Self(AggregateCall {
            function,
            args: arg.iter().map(|(column, _)| *column).collect(),
            arg_types,
            distinct: false,
            filter: None,
            retract: false,
            data_type,
            name: Rc::from("r"),
            span: Span::default(),
            user: None,
        })
    }

    fn distinct(mut self) -> Self {
        self.0.distinct = true;
        self
    }

    fn filter(mut self) -> Self {
        self.0.filter = Some(2);
        self
    }

    fn retract(mut self) -> Self {
        self.0.retract = true;
        self
    }
}

fn calls(calls: Vec<Call>) -> Vec<AggregateCall> {
    calls.into_iter().map(|call| call.0).collect()
}

struct Run {
    aggregates: Aggregates,
    cells: Vec<Value>,
    views: Memory,
}

impl Run {
    fn new(of: Vec<Call>) -> Self {
        let aggregates = Aggregates::compile(&calls(of));
        let mut cells = Vec::new();
        aggregates.create(&mut cells);
        assert_eq!(cells.len(), aggregates.cell_types().len());
        assert_eq!(cells.len(), aggregates.cell_names().len());
        Self {
            aggregates,
            cells,
            views: Memory::default(),
        }
    }

    fn add(&mut self, row: &[Value]) {
        self.aggregates
            .accumulate(&mut self.cells, row, &mut self.views)
            .unwrap();
    }

    fn take_back(&mut self, row: &[Value]) {
        self.aggregates
            .retract(&mut self.cells, row, &mut self.views)
            .unwrap();
    }

    fn values(&mut self) -> Vec<Value> {
        let mut out = Vec::new();
        self.aggregates
            .values(&self.cells, &mut self.views, &mut out)
            .unwrap();
        out
    }

    fn types(&self) -> String {
        let types: Vec<String> = self
            .aggregates
            .cell_types()
            .iter()
            .map(|cell| cell.kind.to_string())
            .collect();
        types.join(", ")
    }
}

const fn int(number: i64) -> Value {
    Value::Int(number)
}

#[expect(
    clippy::unnecessary_wraps,
    reason = "the argument of a call, which may have none"
)]
fn int_column() -> Option<(u32, TypeKind)> {
    Some((0, TypeKind::Int))
}

#[test]
fn nulls_are_left_out() {
    let mut run = Run::new(vec![
        Call::new("COUNT", None),
        Call::new("COUNT", int_column()),
        Call::new("SUM", int_column()),
        Call::new("AVG", int_column()),
        Call::new("MIN", int_column()),
        Call::new("MAX", int_column()),
    ]);
    assert_eq!(run.types(), "BIGINT, BIGINT, INT, BIGINT, BIGINT, INT, INT");
    run.add(&[Value::Null]);
    assert_eq!(
        run.values(),
        [int(1), int(0), Value::Null, Value::Null, Value::Null, Value::Null]
    );
    run.add(&[int(5)]);
    run.add(&[int(8)]);
    assert_eq!(run.values(), [int(3), int(2), int(13), int(6), int(5), int(8)]);
}

#[test]
fn a_sum_wraps_around_and_becomes_null_again() {
    let mut run = Run::new(vec![Call::new("SUM", int_column())]);
    run.add(&[int(i64::from(i32::MAX))]);
    run.add(&[int(1)]);
    assert_eq!(run.values(), [int(i64::from(i32::MIN))]);

    let mut run = Run::new(vec![Call::new("SUM", int_column()).retract()]);
    assert_eq!(run.types(), "INT, BIGINT");
    run.add(&[int(4)]);
    run.add(&[Value::Null]);
    run.take_back(&[int(4)]);
    assert_eq!(run.values(), [Value::Null]);
}

#[test]
fn decimals_that_do_not_fit_are_null() {
    let kind = TypeKind::Decimal {
        precision: 38,
        scale: 0,
    };
    let mut run = Run::new(vec![Call::new("SUM", Some((0, kind)))]);
    let most = 10_i128.pow(38) - 1;
    run.add(&[Value::decimal(most)]);
    run.add(&[Value::decimal(-1)]);
    assert_eq!(run.values(), [Value::decimal(most - 1)]);
    run.add(&[Value::decimal(2)]);
    assert_eq!(run.values(), [Value::Null]);
}

#[test]
fn an_extreme_falls_back_when_it_is_taken_back() {
    let mut run = Run::new(vec![
        Call::new("MAX", int_column()).retract(),
        Call::new("MIN", int_column()).retract(),
    ]);
    for number in [3, 9, 9, 5] {
        run.add(&[int(number)]);
    }
    assert_eq!(run.values(), [int(9), int(3)]);
    run.take_back(&[int(9)]);
    assert_eq!(run.values(), [int(9), int(3)]);
    run.take_back(&[int(9)]);
    run.take_back(&[int(3)]);
    assert_eq!(run.values(), [int(5), int(5)]);
    run.take_back(&[int(5)]);
    assert_eq!(run.values(), [Value::Null, Value::Null]);
    assert!(run.views.entries.is_empty());
}

#[test]
fn distinct_calls_share_a_view_and_filters_are_bits() {
    let mut run = Run::new(vec![
        Call::new("COUNT", int_column()).distinct(),
        Call::new("COUNT", int_column()).distinct().filter(),
        Call::new("SUM", Some((1, TypeKind::BigInt))).distinct(),
    ]);
    assert_eq!(run.aggregates.views().len(), 2);
    assert_eq!(&*run.aggregates.views()[0].name, "distinctAcc_0");
    assert_eq!(run.aggregates.views()[0].value_bytes, 8);
    let row = |user: i64, amount: i64, passes: bool| [int(user), int(amount), Value::Bool(passes)];
    run.add(&row(1, 10, false));
    run.add(&row(1, 10, true));
    run.add(&row(2, 15, true));
    run.add(&row(2, 15, true));
    assert_eq!(run.values(), [int(2), int(2), int(25)]);
    assert_eq!(run.views.of_view(0), [3, 3]);
}

#[test]
fn a_distinct_value_goes_when_its_last_row_goes() {
    let mut run = Run::new(vec![
        Call::new("COUNT", int_column()).distinct().retract(),
        Call::new("COUNT", int_column()).distinct().filter().retract(),
    ]);
    assert_eq!(run.aggregates.views()[0].value_bytes, 12 + 8 * 2);
    let row = |user: Value, passes: bool| [user, Value::Null, Value::Bool(passes)];
    run.add(&row(int(1), true));
    run.add(&row(int(1), false));
    run.add(&row(Value::Null, true));
    assert_eq!(run.values(), [int(1), int(1)]);
    run.take_back(&row(int(1), true));
    assert_eq!(run.values(), [int(1), int(0)]);
    run.take_back(&row(int(1), false));
    run.take_back(&row(Value::Null, true));
    assert_eq!(run.values(), [int(0), int(0)]);
    assert!(run.views.entries.is_empty());
}

#[test]
fn merging_is_adding_the_rows_of_both() {
    let of = || {
        vec![
            Call::new("COUNT", None),
            Call::new("SUM", int_column()),
            Call::new("AVG", int_column()),
            Call::new("MAX", int_column()),
            Call::new("COUNT", int_column()).distinct(),
        ]
    };
    let (mut first, mut second, mut both) = (Run::new(of()), Run::new(of()), Run::new(of()));
    for number in [1, 2, 2] {
        first.add(&[int(number)]);
        both.add(&[int(number)]);
    }
    for number in [2, 7] {
        second.add(&[int(number)]);
        both.add(&[int(number)]);
    }
    first.views.other = second
        .views
        .entries
        .iter()
        .map(|((view, key), number)| (*view, key.clone(), *number))
        .collect();
    first
        .aggregates
        .merge(&mut first.cells, &second.cells, &mut first.views)
        .unwrap();
    assert_eq!(first.values(), both.values());
    assert_eq!(first.views.entries, both.views.entries);
}

#[test]
fn equal_calls_share_their_cells() {
    let run = Run::new(vec![
        Call::new("SUM", int_column()),
        Call::new("SUM", int_column()),
        Call::new("COUNT", None),
    ]);
    assert_eq!(run.types(), "INT, BIGINT");
}

#[test]
fn plans_name_calls_and_cells() {
    let name = |column: u32| ["amount", "user_id", "$f3"][column as usize];
    let of = calls(vec![
        Call::new("COUNT", None).retract(),
        Call::new("SUM", int_column()).retract(),
        Call::new("COUNT", Some((1, TypeKind::Int))).distinct().filter(),
    ]);
    assert_eq!(plan_text(&of[0], &name), "COUNT_RETRACT(*)");
    assert_eq!(plan_text(&of[2], &name), "COUNT(DISTINCT user_id) FILTER $f3");
    assert_eq!(
        local_items(&of, &name),
        [
            "COUNT_RETRACT(*) AS count1$0",
            "SUM_RETRACT(amount) AS (sum$1, count$2)",
            "COUNT(distinct$0 user_id) FILTER $f3 AS count$3",
            "DISTINCT(user_id) AS distinct$0",
        ]
    );
    assert_eq!(
        global_items(&of),
        [
            "COUNT_RETRACT(count1$0) AS r",
            "SUM_RETRACT((sum$1, count$2)) AS r",
            "COUNT(distinct$0 count$3) AS r",
        ]
    );
}
