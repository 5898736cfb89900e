//! Bytes of a frame in progress.
//!
//! Hot path: a traced row is some hundred numbers. Each is put together in a register and stored as one word of eight
//! bytes, of which only the first ones count; what lies behind them is overwritten by the next number.

/// Numbers in base 128 and bytes, one behind the other; see the table in [`super::frame`].
#[derive(Debug, Default)]
pub(super) struct Bytes {
    /// What was written, and behind it room that is kept.
    memory: Vec<u8>,
    /// Number of bytes written.
    end: usize,
    /// The first id that the frame's changes can have: ids are written as what lies between, which is short.
    pub(super) first_change: u64,
}

/// "None yet" and, without the sign, "end of input".
const NO_TIME: i64 = -(1 << 53);

impl Bytes {
    /// What was written.
    pub(super) fn written(&self) -> &[u8] {
        self.memory.get(..self.end).unwrap_or_default()
    }

    /// Forgets it, keeps the memory.
    pub(super) fn clear(&mut self) {
        self.end = 0;
    }

    /// Appends the first `count` bytes of a word, the lowest first.
    #[inline]
    pub(super) fn word(&mut self, word: u64, count: usize) {
        let room = self.memory.get_mut(self.end..).and_then(<[u8]>::first_chunk_mut);
        match room {
            Some(room) => *room = word.to_le_bytes(),
            None => self.word_with_more_room(word),
        }
        self.end += count;
    }

    #[cold]
    #[inline(never)]
    fn word_with_more_room(&mut self, word: u64) {
        self.memory.resize(self.memory.len() * 2 + 64, 0);
        if let Some(room) = self.memory.get_mut(self.end..).and_then(<[u8]>::first_chunk_mut) {
            *room = word.to_le_bytes();
        }
    }

    /// Appends a byte.
    #[inline]
    pub(super) fn byte(&mut self, byte: u8) {
        self.word(u64::from(byte), 1);
    }

    /// Appends an unsigned number.
    #[inline]
    pub(super) fn u(&mut self, number: u64) {
        if number < 1 << 7 {
            self.word(number, 1);
        } else if number < 1 << 14 {
            self.word(number & 0x7f | 0x80 | number >> 7 << 8, 2);
        } else {
            self.long(number);
        }
    }

    /// Appends a number of more than two bytes, all of which but the last say that more follow.
    #[inline(never)]
    fn long(&mut self, number: u64) {
        let lowest = number & 0x7f | (number & 0x3f80) << 1 | (number & 0x1f_c000) << 2 | 0x8080;
        if number < 1 << 21 {
            self.word(lowest, 3);
        } else {
            self.word(lowest | 0x80_0000, 3);
            self.u(number >> 21);
        }
    }

    /// Appends a signed number, cut to what a JS number holds.
    #[inline]
    pub(super) fn i(&mut self, number: i64) {
        let number = number.clamp(NO_TIME, -NO_TIME);
        self.u(((number << 1) ^ (number >> 63)) as u64);
    }

    /// Appends the id of a change.
    #[inline]
    pub(super) fn change(&mut self, id: u64) {
        self.i(id as i64 - self.first_change as i64);
    }

    /// Appends bytes.
    pub(super) fn extend(&mut self, bytes: &[u8]) {
        let end = self.end + bytes.len();
        if end > self.memory.len() {
            self.memory.resize(end * 2, 0);
        }
        if let Some(room) = self.memory.get_mut(self.end..end) {
            room.copy_from_slice(bytes);
        }
        self.end = end;
    }

    /// Overwrites a byte at a place.
    pub(super) fn put_byte(&mut self, at: usize, byte: u8) {
        if let Some(room) = self.memory.get_mut(at) {
            *room = byte;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same, a byte at a time.
    fn slowly(mut number: u64) -> Vec<u8> {
        let mut out = Vec::new();
        while number >= 0x80 {
            out.push(number as u8 | 0x80);
            number >>= 7;
        }
        out.push(number as u8);
        out
    }

    #[test]
    fn numbers_of_all_lengths_are_in_base_128() {
        let mut bytes = Bytes::default();
        let mut expected = Vec::new();
        for bit in 0..64 {
            for number in [
                (1 << bit) - 1,
                1 << bit,
                (1 << bit) | 0x5555_5555_5555 & ((1 << bit) - 1),
            ] {
                bytes.u(number);
                expected.extend(slowly(number));
            }
        }
        bytes.u(u64::MAX);
        expected.extend(slowly(u64::MAX));
        assert_eq!(bytes.written(), expected);
    }

    #[test]
    fn bytes_follow_numbers() {
        let mut bytes = Bytes::default();
        bytes.i(-1);
        bytes.extend(b"abc");
        bytes.byte(9);
        bytes.put_byte(1, b'x');
        assert_eq!(bytes.written(), [1, b'x', b'b', b'c', 9]);
    }
}
