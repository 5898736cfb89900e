//! Things in an order, in pieces of a few dozen: a sorted list that can be written to in the middle however long it gets.
//!
//! What is taken at the front of a piece leaves a gap there, so that a list that grows at its end and shrinks at its front
//! moves nothing. Most lists are one piece, and most things come behind all others, or where the last one came: both are looked at
//! first. What is alone lies in the list itself. The order is that of whoever asks, always the same for one list.
#![expect(
    clippy::indexing_slicing,
    reason = "a place is one that was found, and nothing was written since"
)]

use std::{cmp::Ordering, rc::Rc};

/// Things in a piece at most.
const MOST: usize = 64;

/// How many things behind the one that came last are looked at for the place of the next one.
const NEAR: usize = 4;

/// Things in order.
#[derive(Clone, Debug)]
pub struct Ordered<T> {
    /// The pieces but for the last; none is empty. They have a gap, too: a queue of many pieces is taken at its front.
    front: Piece<Piece<T>>,
    /// The last piece, empty only where there is nothing, or one thing alone.
    last: Piece<T>,
    /// What is alone, unless there were more before it.
    alone: Option<T>,
    /// Where something was put last, as far as is known.
    recent: Place,
}

/// Things in order behind a gap.
#[derive(Clone, Debug)]
struct Piece<T> {
    all: Vec<T>,
    /// How many there were in front: they are taken, and nothing is left of them.
    gap: usize,
}

impl<T> Default for Piece<T> {
    fn default() -> Self {
        Self {
            all: Vec::new(),
            gap: 0,
        }
    }
}

impl<T> std::ops::Deref for Piece<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        &self.all[self.gap..]
    }
}

impl<T> std::ops::DerefMut for Piece<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.all[self.gap..]
    }
}

impl<T: Default> Piece<T> {
    fn insert(&mut self, at: usize, thing: T) {
        self.all.insert(self.gap + at, thing);
    }

    fn remove(&mut self, at: usize) -> T {
        if at > 0 {
            return self.all.remove(self.gap + at);
        }
        let thing = std::mem::take(&mut self.all[self.gap]);
        self.gap += 1;
        if self.gap * 2 >= self.all.len() {
            self.all.drain(..self.gap);
            self.gap = 0;
        }
        thing
    }

    fn split_off(&mut self, at: usize) -> Self {
        Self {
            all: self.all.split_off(self.gap + at),
            gap: 0,
        }
    }
}

/// The place of a thing, or where one belongs. Whatever is written makes it invalid.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    piece: usize,
    at: usize,
}

/// Things in order, from a place on.
#[derive(Debug)]
pub struct Iter<'t, T> {
    list: &'t Ordered<T>,
    piece: usize,
    own: std::slice::Iter<'t, T>,
}

impl<'t, T: Default> Iterator for Iter<'t, T> {
    type Item = &'t T;

    #[inline]
    fn next(&mut self) -> Option<&'t T> {
        loop {
            if let Some(next) = self.own.next() {
                return Some(next);
            }
            if self.piece >= self.list.front.len() {
                return None;
            }
            self.piece += 1;
            self.own = self.list.piece(self.piece).iter();
        }
    }
}

impl Place {
    /// The place of the first thing.
    pub const FIRST: Self = Self { piece: 0, at: 0 };
}

impl<T> Default for Ordered<T> {
    fn default() -> Self {
        Self {
            front: Piece::default(),
            last: Piece::default(),
            alone: None,
            recent: Place::FIRST,
        }
    }
}

impl<'t, T: Default> IntoIterator for &'t Ordered<T> {
    type Item = &'t T;
    type IntoIter = Iter<'t, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<T: Default> Ordered<T> {
    /// Where the thing is that compares as equal, or else where it belongs.
    #[inline]
    pub fn find(&self, compare: impl Fn(&T) -> Ordering) -> Result<Place, Place> {
        let mut piece = self.front.len();
        if piece > 0 && self.last.first().is_some_and(|first| compare(first).is_gt()) {
            let near = self.recent;
            let behind = self.front.get(near.piece).and_then(|own| own.get(near.at..));
            let behind = behind.unwrap_or_default();
            for (at, thing) in behind.iter().take(NEAR).enumerate() {
                let place = Place {
                    piece: near.piece,
                    at: near.at + at,
                };
                match (compare(thing), at) {
                    (Ordering::Less, _) => {}
                    (Ordering::Equal, _) => return Ok(place),
                    (Ordering::Greater, 0) => break,
                    (Ordering::Greater, _) => return Err(place),
                }
            }
            let begins = |piece: &Piece<T>| piece.first().is_some_and(|first| compare(first).is_le());
            piece = self.front.partition_point(begins).saturating_sub(1);
        }
        let own = self.piece(piece);
        let place = |at| Place { piece, at };
        match own.last().map(&compare) {
            None | Some(Ordering::Less) => Err(place(own.len())),
            Some(Ordering::Equal) => Ok(place(own.len() - 1)),
            Some(Ordering::Greater) => own.binary_search_by(compare).map(place).map_err(place),
        }
    }

    /// The place behind all things for which this holds, which are the first ones.
    #[inline]
    pub fn behind(&self, holds: impl Fn(&T) -> bool) -> Place {
        let mut piece = self.front.len();
        if piece > 0 && self.last.first().is_some_and(|first| !holds(first)) {
            let near = self.recent;
            let behind = self.front.get(near.piece).and_then(|own| own.get(near.at..));
            let behind = behind.unwrap_or_default();
            let next = behind.iter().take(NEAR).position(|thing| !holds(thing));
            if let Some(next @ 1..) = next {
                return Place {
                    piece: near.piece,
                    at: near.at + next,
                };
            }
            let begins = |piece: &Piece<T>| piece.first().is_some_and(&holds);
            piece = self.front.partition_point(begins).saturating_sub(1);
        }
        let own = self.piece(piece);
        let at = if own.last().is_none_or(&holds) {
            own.len()
        } else {
            own.partition_point(&holds)
        };
        Place { piece, at }
    }

    /// Puts a thing where it belongs.
    pub fn insert(&mut self, Place { piece, at }: Place, thing: T) {
        if self.last.is_empty() {
            let Some(other) = self.alone.take() else {
                self.alone = Some(thing);
                return;
            };
            self.last.insert(0, other);
        }
        self.recent = Place { piece, at };
        let own = self.piece_mut(piece);
        if own.len() < MOST {
            own.insert(at, thing);
            return;
        }
        // what grows at its end leaves full pieces behind
        let is_last = piece >= self.front.len();
        let cut = if is_last && at == MOST { MOST } else { MOST / 2 };
        let own = self.piece_mut(piece);
        let mut back = own.split_off(cut);
        if at < cut {
            own.insert(at, thing);
        } else {
            back.insert(at - cut, thing);
            self.recent = Place {
                piece: piece + 1,
                at: at - cut,
            };
        }
        if is_last {
            let front = std::mem::replace(&mut self.last, back);
            self.front.insert(self.front.len(), front);
        } else {
            self.front.insert(piece + 1, back);
        }
    }

    /// Takes the thing at a place out.
    pub fn remove(&mut self, Place { piece, at }: Place) -> T {
        if let Some(thing) = self.alone.take() {
            return thing;
        }
        let own = self.piece_mut(piece);
        let thing = own.remove(at);
        if own.is_empty() {
            if piece < self.front.len() {
                self.recent.piece -= usize::from(piece < self.recent.piece);
                self.front.remove(piece);
            } else if let Some(before) = self.front.len().checked_sub(1) {
                self.last = self.front.remove(before);
            }
        }
        thing
    }

    /// Takes the first thing out.
    pub fn pop_first(&mut self) -> Option<T> {
        (!self.is_empty()).then(|| self.remove(Place::FIRST))
    }

    /// The thing at a place, or the first one behind it.
    pub fn get(&self, Place { piece, at }: Place) -> Option<&T> {
        let own = self.piece(piece);
        own.get(at).or_else(|| {
            let next = (piece < self.front.len()).then(|| self.piece(piece + 1))?;
            next.first()
        })
    }

    /// The thing at a place that was found, to change without moving it.
    pub fn get_mut(&mut self, Place { piece, at }: Place) -> &mut T {
        match (&mut self.alone, self.front.get_mut(piece)) {
            (Some(alone), _) => alone,
            (None, front) => {
                let own = front.unwrap_or(&mut self.last);
                &mut own.all[own.gap + at]
            }
        }
    }

    /// The thing in front of a place.
    pub fn before(&self, Place { piece, at }: Place) -> Option<&T> {
        match at.checked_sub(1) {
            Some(at) => self.piece(piece).get(at),
            None => self.piece(piece.checked_sub(1)?).last(),
        }
    }

    /// The place in front of a place.
    pub fn back(&self, Place { piece, at }: Place) -> Option<Place> {
        if let Some(at) = at.checked_sub(1) {
            return Some(Place { piece, at });
        }
        let piece = piece.checked_sub(1)?;
        let at = self.piece(piece).len().checked_sub(1)?;
        Some(Place { piece, at })
    }

    /// The thing that was put somewhere just now.
    pub fn newest(&mut self) -> &mut T {
        self.get_mut(self.recent)
    }

    /// The place behind all things.
    pub fn end(&self) -> Place {
        let piece = self.front.len();
        Place {
            piece,
            at: self.piece(piece).len(),
        }
    }

    /// The first thing.
    pub fn first(&self) -> Option<&T> {
        self.piece(0).first()
    }

    /// The last thing.
    pub fn last(&self) -> Option<&T> {
        self.piece(self.front.len()).last()
    }

    /// Whether there is nothing.
    pub fn is_empty(&self) -> bool {
        self.last.is_empty() && self.alone.is_none()
    }

    /// All of them.
    pub fn iter(&self) -> Iter<'_, T> {
        self.iter_from(Place::FIRST)
    }

    /// Those from a place on.
    pub fn iter_from(&self, Place { piece, at }: Place) -> Iter<'_, T> {
        Iter {
            list: self,
            piece,
            own: self.piece(piece)[at..].iter(),
        }
    }

    #[inline]
    fn piece(&self, piece: usize) -> &[T] {
        match (&self.alone, self.front.get(piece)) {
            (Some(alone), _) => std::slice::from_ref(alone),
            (None, front) => front.unwrap_or(&self.last),
        }
    }

    fn piece_mut(&mut self, piece: usize) -> &mut Piece<T> {
        self.front.get_mut(piece).unwrap_or(&mut self.last)
    }
}

/// What was emptied and is used again, so that what comes and goes all the time costs no memory. Copies have none.
#[derive(Debug)]
pub struct Spare<T>(Vec<Rc<T>>);

/// Things that are kept at most.
const SPARE: usize = 1024;

impl<T> Default for Spare<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> Clone for Spare<T> {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl<T: Default> Spare<T> {
    /// An empty thing.
    pub fn take(&mut self) -> Rc<T> {
        self.0.pop().unwrap_or_default()
    }

    /// Keeps a thing, if `empty` can empty it and nobody else has it.
    pub fn give(&mut self, mut thing: Rc<T>, empty: impl FnOnce(&mut T) -> bool) {
        if self.0.len() < SPARE && Rc::get_mut(&mut thing).is_some_and(empty) {
            self.0.push(thing);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(list: &mut Ordered<u32>, number: u32) -> bool {
        match list.find(|own| own.cmp(&number)) {
            Ok(_) => false,
            Err(place) => {
                list.insert(place, number);
                true
            }
        }
    }

    #[test]
    fn a_long_list_stays_in_order_whatever_is_written() {
        let mut list = Ordered::default();
        // every number below 1009 once, far from its neighbours
        let numbers: Vec<u32> = (0..1009).map(|at| at * 389 % 1009).collect();
        for number in &numbers {
            assert!(put(&mut list, *number));
            assert!(!put(&mut list, *number));
        }
        assert!(list.iter().copied().eq(0..1009));
        let place = list.find(|own| own.cmp(&500)).unwrap();
        assert!(list.iter_from(place).copied().eq(500..1009));
        for number in numbers.iter().filter(|number| *number % 3 > 0) {
            let place = list.find(|own| own.cmp(number)).unwrap();
            assert_eq!(list.remove(place), *number);
            let place = list.find(|own| own.cmp(number)).unwrap_err();
            assert!(list.get(place).is_none_or(|next| next > number));
            assert!(list.before(place).is_none_or(|before| before < number));
        }
        assert!(list.iter().copied().eq((0..1009).step_by(3)));
        assert_eq!((list.first(), list.last()), (Some(&0), Some(&1008)));
        while list.pop_first().is_some() {}
        assert!(list.is_empty());
    }

    #[test]
    fn what_comes_in_order_in_the_middle_is_looked_for_near_what_came_last() {
        let (mut list, compared) = (Ordered::default(), std::cell::Cell::new(0));
        let put = |list: &mut Ordered<u32>, number: u32| {
            let place = list.find(|own| {
                compared.set(compared.get() + 1);
                own.cmp(&number)
            });
            list.insert(place.unwrap_err(), number);
        };
        (0..4000).for_each(|number| put(&mut list, number * 2));
        compared.set(0);
        (0..200).for_each(|number| put(&mut list, 4001 + number * 2));
        assert!(compared.get() < 200 * 8, "{}", compared.get());
        assert!(list.iter().is_sorted());
    }

    #[test]
    fn what_grows_at_its_end_leaves_full_pieces() {
        let mut list = Ordered::default();
        assert!((0..200).all(|number| put(&mut list, number)));
        assert!(list.front.iter().all(|piece| piece.len() == MOST));
        assert!(list.iter().copied().eq(0..200));
        // and shrinks at its front
        for number in 0..200 {
            assert_eq!(list.pop_first(), Some(number));
            assert!(put(&mut list, 200 + number));
            assert!(list.iter().copied().eq(number + 1..201 + number));
        }
    }
}
