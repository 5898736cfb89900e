//! Maps beside an accumulator that lives for one computation only.

use std::collections::BTreeMap;

use sg_expr::Views;
use sg_value::Value;

/// Per view the values with their numbers.
#[derive(Debug, Default)]
pub(super) struct Memory {
    views: Vec<BTreeMap<Vec<Value>, i64>>,
}

impl Memory {
    fn view(&mut self, view: u32) -> Option<&mut BTreeMap<Vec<Value>, i64>> {
        let at = view as usize;
        if self.views.len() <= at {
            self.views.resize_with(at + 1, BTreeMap::new);
        }
        self.views.get_mut(at)
    }
}

impl Views for Memory {
    fn get(&mut self, view: u32, value: &[Value]) -> i64 {
        self.view(view)
            .and_then(|view| view.get(value).copied())
            .unwrap_or(0)
    }

    fn put(&mut self, view: u32, value: &[Value], number: i64) {
        let Some(view) = self.view(view) else { return };
        if number == 0 {
            view.remove(value);
        } else {
            view.insert(value.to_vec(), number);
        }
    }

    fn extreme(&mut self, view: u32, largest: bool) -> Option<Value> {
        let mut positive = self
            .view(view)?
            .iter()
            .filter(|(_, number)| **number > 0)
            .map(|(value, _)| value);
        let found = if largest {
            positive.next_back()
        } else {
            positive.next()
        };
        found?.first().cloned()
    }

    fn next_of_other(&mut self, _view: u32) -> Option<(Vec<Value>, i64)> {
        None
    }

    fn entries(&mut self, view: u32) -> Vec<(Vec<Value>, i64)> {
        let view = self.view(view);
        view.into_iter()
            .flatten()
            .map(|(value, number)| (value.clone(), *number))
            .collect()
    }
}
