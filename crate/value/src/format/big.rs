//! Natural numbers of any size, as far as printing doubles needs them.

use std::cmp::Ordering;

/// A natural number; little-endian words without leading zeros.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Big {
    words: Vec<u32>,
}

impl Big {
    pub(super) fn new(number: u64) -> Self {
        Self { words: Vec::new() }.plus_shifted(number)
    }

    /// Only for a number that is zero.
    fn plus_shifted(mut self, mut number: u64) -> Self {
        while number > 0 {
            self.words.push(low(number));
            number >>= 32;
        }
        self
    }

    pub(super) fn times(mut self, factor: u32) -> Self {
        let mut carry = 0;
        for word in &mut self.words {
            let product = u64::from(*word) * u64::from(factor) + carry;
            *word = low(product);
            carry = product >> 32;
        }
        if carry > 0 {
            self.words.push(low(carry));
        }
        self
    }

    /// Times 5^fives and 2^twos; negative exponents count as 0.
    pub(super) fn times_powers(mut self, fives: i32, twos: i32) -> Self {
        let mut left = u32::try_from(fives).unwrap_or(0);
        while left > 0 {
            let step = left.min(13);
            self = self.times(5_u32.pow(step));
            left -= step;
        }
        let twos = u32::try_from(twos).unwrap_or(0);
        self = self.times(1 << (twos % 32));
        let mut words = vec![0; usize::try_from(twos / 32).unwrap_or(0)];
        words.append(&mut self.words);
        Self { words }
    }

    pub(super) fn plus(mut self, other: &Self) -> Self {
        let mut carry = 0;
        let length = self.words.len().max(other.words.len());
        self.words.resize(length, 0);
        for (at, word) in self.words.iter_mut().enumerate() {
            let sum = u64::from(*word) + u64::from(other.words.get(at).copied().unwrap_or(0)) + carry;
            *word = low(sum);
            carry = sum >> 32;
        }
        if carry > 0 {
            self.words.push(low(carry));
        }
        self
    }

    /// Takes `divisor` off as often as it goes (at most nine times) and says how often.
    pub(super) fn divide_small(&mut self, divisor: &Self) -> u8 {
        let mut count = 0;
        while (*self).cmp(divisor) != Ordering::Less {
            self.subtract(divisor);
            count += 1;
        }
        count
    }

    fn subtract(&mut self, other: &Self) {
        let mut borrow = 0;
        for (at, word) in self.words.iter_mut().enumerate() {
            let taken = u64::from(other.words.get(at).copied().unwrap_or(0)) + borrow;
            borrow = u64::from(u64::from(*word) < taken);
            *word = low((u64::from(*word) + (borrow << 32)) - taken);
        }
        while self.words.last() == Some(&0) {
            self.words.pop();
        }
    }
}

impl Ord for Big {
    fn cmp(&self, other: &Self) -> Ordering {
        let length = self.words.len().cmp(&other.words.len());
        length.then_with(|| self.words.iter().rev().cmp(other.words.iter().rev()))
    }
}

impl PartialOrd for Big {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[expect(clippy::cast_possible_truncation, reason = "the low word is meant")]
const fn low(number: u64) -> u32 {
    number as u32
}
