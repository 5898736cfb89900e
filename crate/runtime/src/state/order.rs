//! Entries of a shard in the order of their last write, so that expiry looks only at what expires.
#![expect(
    clippy::indexing_slicing,
    reason = "links hold numbers of entries or NONE, which is checked before use"
)]

const NONE: u32 = u32::MAX;

/// A list through entry numbers, oldest write first. Empty for states without a time-to-live.
#[derive(Clone, Debug)]
pub(crate) struct WriteOrder {
    links: Vec<Link>,
    first: u32,
    last: u32,
}

#[derive(Clone, Copy, Debug)]
struct Link {
    before: u32,
    after: u32,
    written_ms: i64,
}

impl Default for WriteOrder {
    fn default() -> Self {
        Self {
            links: Vec::new(),
            first: NONE,
            last: NONE,
        }
    }
}

impl WriteOrder {
    /// Adds the next entry number as the youngest.
    pub(crate) fn append(&mut self, ix: u32) {
        self.links.push(Link {
            before: NONE,
            after: NONE,
            written_ms: i64::MIN,
        });
        self.attach(ix);
    }

    /// Makes an entry the youngest.
    pub(crate) fn touch(&mut self, ix: u32, now_ms: i64) {
        if self.last != ix {
            self.detach(ix);
            self.attach(ix);
        }
        self.links[ix as usize].written_ms = now_ms;
    }

    /// The oldest entry and the time of its last write.
    pub(crate) fn oldest(&self) -> Option<(u32, i64)> {
        let link = self.links.get(self.first as usize)?;
        Some((self.first, link.written_ms))
    }

    /// Removes an entry; the last number moves to its place.
    pub(crate) fn swap_remove(&mut self, ix: u32) {
        self.detach(ix);
        let moved = self.links.len() as u32 - 1;
        if ix != moved {
            let link = self.links[moved as usize];
            match link.before {
                NONE => self.first = ix,
                before => self.links[before as usize].after = ix,
            }
            match link.after {
                NONE => self.last = ix,
                after => self.links[after as usize].before = ix,
            }
        }
        self.links.swap_remove(ix as usize);
    }

    fn attach(&mut self, ix: u32) {
        let before = self.last;
        self.links[ix as usize].before = before;
        self.links[ix as usize].after = NONE;
        match before {
            NONE => self.first = ix,
            before => self.links[before as usize].after = ix,
        }
        self.last = ix;
    }

    fn detach(&mut self, ix: u32) {
        let Link { before, after, .. } = self.links[ix as usize];
        match before {
            NONE => self.first = after,
            before => self.links[before as usize].after = after,
        }
        match after {
            NONE => self.last = before,
            after => self.links[after as usize].before = before,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_write_comes_first_whatever_moves() {
        let mut order = WriteOrder::default();
        for ix in 0..4 {
            order.append(ix);
            order.touch(ix, i64::from(ix));
        }
        order.touch(0, 10);
        assert_eq!(order.oldest(), Some((1, 1)));
        order.swap_remove(1); // entry 3 is now number 1
        assert_eq!(order.oldest(), Some((2, 2)));
        order.swap_remove(2); // the last, nothing moves
        assert_eq!(order.oldest(), Some((1, 3)));
        order.swap_remove(1);
        assert_eq!(order.oldest(), Some((0, 10)));
        order.swap_remove(0);
        assert_eq!(order.oldest(), None);
    }
}
