//! A seeded stream of any length.
//!
//! Event time grows evenly, arrival adds a delay between nothing and the given bound, and a few keys are hotter than
//! the rest, as in real streams. The same seed makes the same rows on every platform.

use std::rc::Rc;

use sg_runtime::ArrivalKind;
use sg_value::{Field, Gather as _, RowKind, TypeKind, Value};

use crate::arrivals::{Arrivals, Timed};
use crate::dto::Generator;

/// Numbers from a seed (xorshift*, 64 bits of state).
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    /// The sequence of a seed.
    pub(crate) fn new(seed: u32) -> Self {
        Self(u64::from(seed).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// A number below `bound`, 0 for a bound of 0.
    pub(crate) fn below(&mut self, bound: u32) -> u32 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let drawn = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 32;
        u32::try_from((drawn * u64::from(bound)) >> 32).unwrap_or(0)
    }

    /// A key below `keys`: small ones are more frequent.
    pub(crate) fn key(&mut self, keys: u32) -> u32 {
        self.below(keys).min(self.below(keys))
    }
}

/// What a column of a generated row holds.
enum Part {
    Key,
    KeyText,
    Amount,
    EventTime,
    Nothing,
}

/// Appends the generator's arrivals.
pub(crate) fn generate(generator: &Generator, arrivals: &mut Arrivals) {
    let Some(position) = arrivals
        .sources
        .iter()
        .position(|source| *source.table.name == *generator.table)
    else {
        return;
    };
    let (Some(source), Ok(number)) = (arrivals.sources.get_mut(position), u32::try_from(position)) else {
        return;
    };
    source.partitions = generator.partitions.max(1);
    let parts = parts(&source.columns);
    let mut random = Random::new(generator.seed);
    let interval_ms = i64::from(generator.interval_ms);
    for row in 0..generator.rows {
        let event_ms = arrivals.start_ms + i64::from(row) * interval_ms;
        let delay_ms = i64::from(random.below(generator.out_of_orderness_ms.saturating_add(1)));
        let key = random.key(generator.keys.max(1));
        let amount = 1 + random.below(100);
        let cells: Vec<Value> = parts
            .iter()
            .map(|part| cell(part, key, amount, event_ms))
            .gather();
        arrivals.list.push(Timed {
            source: number,
            partition: random.below(generator.partitions.max(1)),
            at_ms: event_ms + delay_ms,
            kind: ArrivalKind::Row {
                kind: RowKind::Insert,
                row: Rc::from(cells),
            },
            event: None,
        });
    }
}

fn parts(columns: &[Field]) -> Vec<Part> {
    let mut keyed = false;
    let mut part = |field: &Field| match field.data_type.kind {
        TypeKind::Char(_) | TypeKind::Varchar(_) if !keyed => {
            keyed = true;
            Part::KeyText
        }
        TypeKind::Timestamp { .. } | TypeKind::TimestampLtz { .. } => Part::EventTime,
        TypeKind::TinyInt | TypeKind::SmallInt | TypeKind::Int | TypeKind::BigInt if !keyed => {
            keyed = true;
            Part::Key
        }
        TypeKind::TinyInt | TypeKind::SmallInt | TypeKind::Int | TypeKind::BigInt => Part::Amount,
        _ => Part::Nothing,
    };
    columns.iter().map(&mut part).gather()
}

fn cell(part: &Part, key: u32, amount: u32, event_ms: i64) -> Value {
    match part {
        Part::Key => Value::Int(i64::from(key)),
        Part::KeyText => Value::from(format!("k{key}").as_str()),
        Part::Amount => Value::Int(i64::from(amount)),
        Part::EventTime => Value::timestamp_ms(event_ms),
        Part::Nothing => Value::Null,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_always_gives_the_same_numbers_within_the_bound() {
        let draw = |seed| {
            let mut random = Random::new(seed);
            (0..50).map(|_| random.below(10)).collect::<Vec<_>>()
        };
        assert_eq!(draw(7), draw(7));
        assert_ne!(draw(7), draw(8));
        assert!(draw(7).iter().all(|number| *number < 10));
    }
}
