//! `collect` in little code.
//!
//! The standard library's `collect` is made for speed: it reserves, fills and trims by the kind of iterator, some 400 bytes
//! of a module for each of a thousand calls. [`Gather::gather`] pushes one item after the other. For code that runs once a
//! statement, not once a row.

use std::{
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
};

/// Gives iterators `gather`.
pub trait Gather: Iterator + Sized {
    /// What `collect` gives.
    fn gather<C: Gathered<Self::Item>>(self) -> C {
        C::gathered(self)
    }
}

impl<I: Iterator> Gather for I {}

/// What can be made of items one by one.
pub trait Gathered<T>: Sized {
    /// Makes it.
    fn gathered(items: impl Iterator<Item = T>) -> Self;
}

impl<T> Gathered<T> for Vec<T> {
    fn gathered(items: impl Iterator<Item = T>) -> Self {
        let mut all = Self::new();
        for item in items {
            all.push(item);
        }
        all
    }
}

impl<T> Gathered<T> for Rc<[T]> {
    fn gathered(items: impl Iterator<Item = T>) -> Self {
        Vec::gathered(items).into()
    }
}

impl<T> Gathered<T> for Box<[T]> {
    fn gathered(items: impl Iterator<Item = T>) -> Self {
        Vec::gathered(items).into()
    }
}

impl<K: Ord, V> Gathered<(K, V)> for BTreeMap<K, V> {
    fn gathered(items: impl Iterator<Item = (K, V)>) -> Self {
        let mut all = Self::new();
        for (key, value) in items {
            all.insert(key, value);
        }
        all
    }
}

impl<T: Ord> Gathered<T> for BTreeSet<T> {
    fn gathered(items: impl Iterator<Item = T>) -> Self {
        let mut all = Self::new();
        for item in items {
            all.insert(item);
        }
        all
    }
}

impl Gathered<char> for String {
    fn gathered(items: impl Iterator<Item = char>) -> Self {
        let mut all = Self::new();
        for item in items {
            all.push(item);
        }
        all
    }
}

impl Gathered<Self> for String {
    fn gathered(items: impl Iterator<Item = Self>) -> Self {
        let mut all = Self::new();
        for item in items {
            all.push_str(&item);
        }
        all
    }
}

impl<'a> Gathered<&'a str> for String {
    fn gathered(items: impl Iterator<Item = &'a str>) -> Self {
        let mut all = Self::new();
        for item in items {
            all.push_str(item);
        }
        all
    }
}

impl<T, C: Gathered<T>> Gathered<Option<T>> for Option<C> {
    fn gathered(mut items: impl Iterator<Item = Option<T>>) -> Self {
        let mut none = false;
        let all = C::gathered(std::iter::from_fn(|| {
            let item = items.next()?;
            none = item.is_none();
            item
        }));
        (!none).then_some(all)
    }
}

impl<T, E, C: Gathered<T>> Gathered<Result<T, E>> for Result<C, E> {
    fn gathered(mut items: impl Iterator<Item = Result<T, E>>) -> Self {
        let mut failed = None;
        let all = C::gathered(std::iter::from_fn(|| match items.next()? {
            Ok(item) => Some(item),
            Err(error) => {
                failed = Some(error);
                None
            }
        }));
        failed.map_or(Ok(all), Err)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_gives_what_collect_gives() {
        assert_eq!((1..4).gather::<Vec<i32>>(), [1, 2, 3]);
        assert_eq!(*(1..4).gather::<Rc<[i32]>>(), [1, 2, 3]);
        assert_eq!(["a", "b"].into_iter().gather::<String>(), "ab");
        let pairs = [(2, 'b'), (1, 'a'), (2, 'c')];
        assert_eq!(
            pairs.into_iter().gather::<BTreeMap<i32, char>>(),
            pairs.into_iter().collect()
        );
    }

    #[test]
    fn it_stops_where_there_is_nothing() {
        let mut asked = 0;
        let mut odd = |number: i32| {
            asked += 1;
            (number % 2 == 1).then_some(number)
        };
        assert_eq!(
            [1, 3].into_iter().map(&mut odd).gather::<Option<Vec<i32>>>(),
            Some(vec![1, 3])
        );
        assert_eq!(
            [1, 2, 3].into_iter().map(&mut odd).gather::<Option<Vec<i32>>>(),
            None
        );
        assert_eq!(asked, 4);
        let parsed = ["1", "x", "y"].into_iter().map(str::parse::<i32>);
        assert!(parsed.gather::<Result<Vec<i32>, _>>().is_err());
    }
}
