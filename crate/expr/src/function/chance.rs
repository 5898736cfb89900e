//! RAND, `RAND_INTEGER` and UUID: drawn from the number of the row, so that a replay repeats them.

use sg_value::{TypeKind, Value};

use super::{
    CallSite, Eval, FunctionDef, Kernel, Resolve, Volatility,
    definition::Family::Arithmetic,
    signature::{Nullable, Param, Returns, Signature, takes},
};
use crate::number::double_from_long;

use Param::Int;

static RAND: &[Signature] = &[
    takes(&[], Returns::Double).nulls(Nullable::Never),
    takes(&[Int], Returns::Double),
];
static RAND_INTEGER: &[Signature] = &[takes(&[Int], Returns::Int), takes(&[Int, Int], Returns::Int)];
static UUID: &[Signature] = &[takes(&[], Returns::Char(36)).nulls(Nullable::Never)];

const fn row(
    name: &'static str,
    of: &'static [Signature],
    eval: fn(&CallSite<'_>) -> Kernel,
    doc: [&'static str; 2],
) -> FunctionDef {
    FunctionDef::new(name, Arithmetic, Resolve::Table(of), Eval::Build(eval), doc)
        .volatility(Volatility::PerRow)
}

pub(super) static ROWS: &[FunctionDef] = &[
    row(
        "RAND",
        RAND,
        rand,
        [
            "A number from 0 to 1; with a seed the sequence of java.util.Random.",
            "0 到 1 之间的随机数；给定种子时与 java.util.Random 序列一致。",
        ],
    ),
    row(
        "RAND_INTEGER",
        RAND_INTEGER,
        rand_integer,
        [
            "A whole number from 0 to below a bound; with a seed the sequence of java.util.Random.",
            "0 到上界之间的随机整数；给定种子时与 java.util.Random 序列一致。",
        ],
    ),
    row("UUID", UUID, uuid, ["A random UUID.", "随机 UUID。"]),
];

/// `java.util.Random`.
struct JavaRandom(u64);

const MULTIPLIER: u64 = 0x5_DEEC_E66D;
const MASK: u64 = (1 << 48) - 1;

impl JavaRandom {
    const fn new(seed: i64) -> Self {
        Self((seed.cast_unsigned() ^ MULTIPLIER) & MASK)
    }

    /// Skips so many draws in O(log n).
    const fn skip(&mut self, mut draws: u64) {
        let (mut multiplier, mut increment) = (MULTIPLIER, 0xB_u64);
        let (mut all_multiplier, mut all_increment) = (1_u64, 0_u64);
        while draws > 0 {
            if draws & 1 == 1 {
                all_multiplier = all_multiplier.wrapping_mul(multiplier);
                all_increment = all_increment.wrapping_mul(multiplier).wrapping_add(increment);
            }
            increment = multiplier.wrapping_add(1).wrapping_mul(increment);
            multiplier = multiplier.wrapping_mul(multiplier);
            draws >>= 1;
        }
        self.0 = self.0.wrapping_mul(all_multiplier).wrapping_add(all_increment) & MASK;
    }

    /// The next `bits` bits as a signed 32-bit number.
    fn next(&mut self, bits: u32) -> i64 {
        self.0 = self.0.wrapping_mul(MULTIPLIER).wrapping_add(0xB) & MASK;
        i64::try_from(self.0 >> (48 - bits)).unwrap_or(0)
    }

    fn next_double(&mut self) -> f64 {
        let high = self.next(26) << 27;
        double_from_long(high + self.next(27)) / double_from_long(1 << 53)
    }

    /// 0 … bound − 1, for a positive bound.
    fn next_int(&mut self, bound: i64) -> i64 {
        if bound & (bound - 1) == 0 {
            return (bound * self.next(31)) >> 31;
        }
        loop {
            let bits = self.next(31);
            let value = bits % bound;
            if bits - value + (bound - 1) <= i64::from(i32::MAX) {
                return value;
            }
        }
    }
}

/// A seed of the call's own place, for calls without one.
fn own_seed(site: &CallSite<'_>) -> i64 {
    i64::from(site.span.start).wrapping_mul(0x9E37_79B9) ^ i64::from(site.span.end)
}

fn rand(site: &CallSite<'_>) -> Kernel {
    let own = own_seed(site);
    Box::new(move |values, cx| {
        let mut random = JavaRandom::new(values.first().and_then(Value::as_int).unwrap_or(own));
        random.skip(cx.row_number.get().wrapping_mul(2));
        Ok(Value::Double(random.next_double()))
    })
}

fn rand_integer(site: &CallSite<'_>) -> Kernel {
    let own = own_seed(site);
    let seeded = site.args.len() > 1;
    Box::new(move |values, cx| {
        let seed = if seeded {
            values.first().and_then(Value::as_int).unwrap_or(0)
        } else {
            own
        };
        let bound = values.last().and_then(Value::as_int).unwrap_or(1).max(1);
        let mut random = JavaRandom::new(seed);
        random.skip(cx.row_number.get());
        Ok(Value::Int(random.next_int(bound)))
    })
}

fn uuid(site: &CallSite<'_>) -> Kernel {
    debug_assert_eq!(
        site.data_type.kind,
        TypeKind::Char(36),
        "a UUID has 36 characters"
    );
    let own = own_seed(site);
    Box::new(move |_, cx| {
        let mut random = JavaRandom::new(own);
        random.skip(cx.row_number.get().wrapping_mul(4));
        let mut half = || (random.next(32).cast_unsigned() << 32) | random.next(32).cast_unsigned();
        let high = half() & !0xF000 | 0x4000;
        let low = half() & !(3 << 62) | 1 << 63;
        let text = format!(
            "{:08x}-{:04x}-{:04x}-{:04x}-{:012x}",
            high >> 32,
            high >> 16 & 0xffff,
            high & 0xffff,
            low >> 48,
            low & 0xffff_ffff_ffff
        );
        Ok(Value::from(text.as_str()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_java() {
        assert_eq!(JavaRandom::new(1).next_double(), 0.730_878_190_703_290_9);
        assert_eq!(JavaRandom::new(1).next_int(10), 5);
        let mut skipped = JavaRandom::new(42);
        let mut walked = JavaRandom::new(42);
        skipped.skip(7);
        for _ in 0..7 {
            walked.next(32);
        }
        assert_eq!(skipped.next(32), walked.next(32));
    }
}
