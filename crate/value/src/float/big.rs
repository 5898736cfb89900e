//! Natural numbers of any size, as far as reading and printing doubles needs them.

use std::cmp::Ordering;

/// A natural number; little-endian words without leading zeros.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Big {
    words: Vec<u32>,
}

impl Big {
    pub(crate) fn new(number: u64) -> Self {
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

    pub(crate) fn times(self, factor: u32) -> Self {
        self.times_plus(factor, 0)
    }

    pub(crate) fn times_plus(mut self, factor: u32, summand: u32) -> Self {
        let mut carry = u64::from(summand);
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
    pub(crate) fn times_powers(mut self, fives: i32, twos: i32) -> Self {
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

    pub(crate) const fn is_zero(&self) -> bool {
        self.words.is_empty()
    }

    /// Bits from the first one on.
    pub(crate) fn bits(&self) -> i32 {
        let zeros = self.words.last().map_or(0, |word| word.leading_zeros());
        let words = i32::try_from(self.words.len()).unwrap_or(0);
        words * 32 - i32::try_from(zeros).unwrap_or(0)
    }

    /// Divides in place; the rest.
    pub(crate) fn divide(&mut self, divisor: u32) -> u32 {
        let mut rest = 0;
        for word in self.words.iter_mut().rev() {
            let number = rest << 32 | u64::from(*word);
            *word = low(number / u64::from(divisor));
            rest = number % u64::from(divisor);
        }
        self.trim();
        low(rest)
    }

    pub(crate) fn plus(mut self, other: &Self) -> Self {
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
    pub(crate) fn divide_small(&mut self, divisor: &Self) -> u8 {
        let mut count = 0;
        while (*self).cmp(divisor) != Ordering::Less {
            self.subtract(divisor);
            count += 1;
        }
        count
    }

    pub(crate) fn subtract(&mut self, other: &Self) {
        let mut borrow = 0;
        for (at, word) in self.words.iter_mut().enumerate() {
            let taken = u64::from(other.words.get(at).copied().unwrap_or(0)) + borrow;
            borrow = u64::from(u64::from(*word) < taken);
            *word = low((u64::from(*word) + (borrow << 32)) - taken);
        }
        self.trim();
    }

    fn trim(&mut self) {
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
