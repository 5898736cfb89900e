//! The `BITMAP_…_AGG` functions: sets of integers, or their sizes. NULLs are left out; NULL where there is no value.
//!
//! The cell is the set so far. Where rows are taken back, a view counts each number, and the cell counts the rows.
//! Case: group-agg/bitmaps, group-agg/bitmaps-of-updates. Unverified: the bytes of that state.

use sg_value::{DataType, Gather as _, TypeKind, Value};

use super::{Accumulator, AggregateCall, AggregateDef, Typing, Views, count::argument};
use crate::{
    eval::EvalError,
    function::{
        Doc,
        bitmap::{Keep, bitmap, cardinality, combine, number_of, numbers_of},
    },
    types::KindExt,
};

/// How a call is computed, and the names of its cells.
type Build = fn(&AggregateCall) -> Box<dyn Accumulator>;
type Cells = fn(&AggregateCall) -> &'static [&'static str];

const fn row(
    name: &'static str,
    forms: &'static [&'static str],
    resolve: fn(&[DataType]) -> Typing,
    (build, cells): (Build, Cells),
    doc: [&'static str; 2],
) -> AggregateDef {
    let [en, zh] = doc;
    AggregateDef {
        name,
        forms,
        doc: Doc::of(en, zh),
        mergeable: true,
        resolve,
        cells,
        build,
    }
}

pub(super) const BUILD: AggregateDef = row(
    "BITMAP_BUILD_AGG",
    &["BITMAP_BUILD_AGG([DISTINCT] int) → BITMAP"],
    |args| typing(args, "BITMAP_BUILD_AGG(value <INTEGER>)", TypeKind::Bitmap),
    (|call| made(call, Keep::Any, false), |_| &["bitmap_build_agg"]),
    ["The set of the integers.", "由各行整数构成的位图。"],
);
pub(super) const BUILD_CARDINALITY: AggregateDef = row(
    "BITMAP_BUILD_CARDINALITY_AGG",
    &["BITMAP_BUILD_CARDINALITY_AGG([DISTINCT] int) → BIGINT"],
    |args| {
        typing(
            args,
            "BITMAP_BUILD_CARDINALITY_AGG(value <INTEGER>)",
            TypeKind::BigInt,
        )
    },
    (
        |call| made(call, Keep::Any, true),
        |_| &["bitmap_build_cardinality_agg"],
    ),
    ["How many different integers there are.", "不同整数的个数。"],
);
pub(super) const OR: AggregateDef = row(
    "BITMAP_OR_AGG",
    &["BITMAP_OR_AGG([DISTINCT] bitmap) → BITMAP"],
    |args| typing(args, "BITMAP_OR_AGG(bitmap <BITMAP>)", TypeKind::Bitmap),
    (|call| made(call, Keep::Any, false), |_| &["bitmap_or_agg"]),
    ["What is in one of the sets.", "各行位图的并集。"],
);
pub(super) const OR_CARDINALITY: AggregateDef = row(
    "BITMAP_OR_CARDINALITY_AGG",
    &["BITMAP_OR_CARDINALITY_AGG([DISTINCT] bitmap) → BIGINT"],
    |args| {
        typing(
            args,
            "BITMAP_OR_CARDINALITY_AGG(bitmap <BITMAP>)",
            TypeKind::BigInt,
        )
    },
    (
        |call| made(call, Keep::Any, true),
        |_| &["bitmap_or_cardinality_agg"],
    ),
    [
        "How many integers are in one of the sets.",
        "各行位图并集的大小。",
    ],
);
pub(super) const AND: AggregateDef = row(
    "BITMAP_AND_AGG",
    &["BITMAP_AND_AGG([DISTINCT] bitmap) → BITMAP"],
    |args| typing(args, "BITMAP_AND_AGG(bitmap <BITMAP>)", TypeKind::Bitmap),
    (|call| made(call, Keep::Both, false), |_| &["bitmap_and_agg"]),
    ["What is in all sets.", "各行位图的交集。"],
);
pub(super) const AND_CARDINALITY: AggregateDef = row(
    "BITMAP_AND_CARDINALITY_AGG",
    &["BITMAP_AND_CARDINALITY_AGG([DISTINCT] bitmap) → BIGINT"],
    |args| {
        typing(
            args,
            "BITMAP_AND_CARDINALITY_AGG(bitmap <BITMAP>)",
            TypeKind::BigInt,
        )
    },
    (
        |call| made(call, Keep::Both, true),
        |_| &["bitmap_and_cardinality_agg"],
    ),
    ["How many integers are in all sets.", "各行位图交集的大小。"],
);
pub(super) const XOR: AggregateDef = row(
    "BITMAP_XOR_AGG",
    &["BITMAP_XOR_AGG([DISTINCT] bitmap) → BITMAP"],
    |args| typing(args, "BITMAP_XOR_AGG(bitmap <BITMAP>)", TypeKind::Bitmap),
    (|call| made(call, Keep::One, false), |_| &["bitmap_xor_agg"]),
    [
        "What is in an odd number of the sets.",
        "出现在奇数个位图中的整数。",
    ],
);
pub(super) const XOR_CARDINALITY: AggregateDef = row(
    "BITMAP_XOR_CARDINALITY_AGG",
    &["BITMAP_XOR_CARDINALITY_AGG([DISTINCT] bitmap) → BIGINT"],
    |args| {
        typing(
            args,
            "BITMAP_XOR_CARDINALITY_AGG(bitmap <BITMAP>)",
            TypeKind::BigInt,
        )
    },
    (
        |call| made(call, Keep::One, true),
        |_| &["bitmap_xor_cardinality_agg"],
    ),
    [
        "How many integers are in an odd number of the sets.",
        "出现在奇数个位图中的整数个数。",
    ],
);

fn typing(args: &[DataType], form: &'static str, result: TypeKind) -> Typing {
    let [arg] = args else {
        return Typing::WrongCount;
    };
    let fits = if form.contains("<INTEGER>") {
        arg.kind.integer_bits().is_some_and(|bits| bits <= 32)
    } else {
        arg.kind == TypeKind::Bitmap
    };
    if fits {
        return Typing::Always(result);
    }
    let name = form.split('(').next().unwrap_or_default();
    Typing::Unplannable(format!(
        "ValidationException: SQL validation failed. Invalid function call:\n{name}({arg})\nValidationException: Invalid \
        input arguments. Expected signatures are:\n{form}"
    ))
}

fn made(call: &AggregateCall, keep: Keep, counts: bool) -> Box<dyn Accumulator> {
    let sets = Sets {
        arg: argument(call).unwrap_or(usize::MAX),
        keep,
        counts,
    };
    if call.retract {
        Box::new(Counted(sets))
    } else {
        Box::new(sets)
    }
}

struct Sets {
    arg: usize,
    keep: Keep,
    counts: bool,
}

impl Sets {
    /// The numbers of a row; `None` for NULL.
    fn numbers(&self, row: &[Value]) -> Option<Vec<u32>> {
        match row.get(self.arg) {
            Some(Value::Int(int)) => Some(vec![number_of(*int)]),
            Some(set @ Value::Bytes(_)) => Some(numbers_of(set)),
            _ => None,
        }
    }

    fn add(&self, cells: &mut [Value], numbers: Vec<u32>) {
        if let Some(cell) = cells.first_mut() {
            *cell = bitmap(if cell.is_null() {
                numbers
            } else {
                combine(&numbers_of(cell), &numbers, self.keep)
            });
        }
    }

    fn result(&self, numbers: Vec<u32>) -> Value {
        if self.counts {
            cardinality(&numbers)
        } else {
            bitmap(numbers)
        }
    }
}

impl Accumulator for Sets {
    fn cell_types(&self) -> Vec<DataType> {
        vec![DataType::nullable(TypeKind::Bitmap)]
    }

    fn create(&self, cells: &mut Vec<Value>) {
        cells.push(Value::Null);
    }

    fn accumulate(&self, cells: &mut [Value], row: &[Value], _: &mut dyn Views) -> Result<(), EvalError> {
        if let Some(numbers) = self.numbers(row) {
            self.add(cells, numbers);
        }
        Ok(())
    }

    /// The planner takes the other form where rows are taken back.
    fn retract(&self, _: &mut [Value], _: &[Value], _: &mut dyn Views) -> Result<(), EvalError> {
        Ok(())
    }

    fn merge(&self, cells: &mut [Value], other: &[Value], _: &mut dyn Views) -> Result<(), EvalError> {
        if let Some(set) = other.first().filter(|set| !set.is_null()) {
            self.add(cells, numbers_of(set));
        }
        Ok(())
    }

    fn value(&self, cells: &[Value], _: &mut dyn Views) -> Result<Value, EvalError> {
        Ok(match cells.first() {
            None | Some(Value::Null) => Value::Null,
            Some(set) if self.counts => cardinality(&numbers_of(set)),
            Some(set) => set.clone(),
        })
    }
}

/// With the number of rows of each number in view 0.
struct Counted(Sets);

impl Counted {
    fn count(cells: &mut [Value], by: i64) {
        if let Some(cell) = cells.first_mut() {
            *cell = Value::Int(cell.as_int().unwrap_or(0).wrapping_add(by));
        }
    }

    fn add(&self, cells: &mut [Value], row: &[Value], by: i64, views: &mut dyn Views) {
        let Some(numbers) = self.0.numbers(row) else {
            return;
        };
        Self::count(cells, by);
        for number in numbers {
            let key = [Value::Int(i64::from(number.cast_signed()))];
            let known = views.get(0, &key);
            views.put(0, &key, known.wrapping_add(by));
        }
    }
}

impl Accumulator for Counted {
    fn cell_types(&self) -> Vec<DataType> {
        vec![DataType::BIGINT]
    }

    fn views(&self) -> Vec<Vec<DataType>> {
        vec![vec![DataType::INT]]
    }

    fn create(&self, cells: &mut Vec<Value>) {
        cells.push(Value::Int(0));
    }

    fn accumulate(&self, cells: &mut [Value], row: &[Value], views: &mut dyn Views) -> Result<(), EvalError> {
        self.add(cells, row, 1, views);
        Ok(())
    }

    fn retract(&self, cells: &mut [Value], row: &[Value], views: &mut dyn Views) -> Result<(), EvalError> {
        self.add(cells, row, -1, views);
        Ok(())
    }

    fn merge(&self, cells: &mut [Value], other: &[Value], views: &mut dyn Views) -> Result<(), EvalError> {
        Self::count(cells, other.first().and_then(Value::as_int).unwrap_or(0));
        while let Some((key, number)) = views.next_of_other(0) {
            let known = views.get(0, &key);
            views.put(0, &key, known.wrapping_add(number));
        }
        Ok(())
    }

    fn value(&self, cells: &[Value], views: &mut dyn Views) -> Result<Value, EvalError> {
        let rows = cells.first().and_then(Value::as_int).unwrap_or(0);
        if rows <= 0 {
            return Ok(Value::Null);
        }
        let kept = views
            .entries(0)
            .into_iter()
            .filter(|(_, count)| match self.0.keep {
                Keep::Both => *count == rows,
                Keep::One => count % 2 != 0,
                Keep::Any | Keep::First => *count > 0,
            });
        let numbers = kept.filter_map(|(key, _)| key.first().and_then(Value::as_int).map(number_of));
        Ok(self.0.result(numbers.gather()))
    }
}
