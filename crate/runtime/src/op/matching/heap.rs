//! A heap with the layout of `java.util.PriorityQueue`: Flink walks through it in the order of its array, which decides
//! between matches that begin with the same row.

/// Something with an order; equal elements stay as the array has them.
pub(super) trait Ordered {
    /// Its place.
    fn order(&self) -> i64;
}

/// `PriorityQueue.offer`
#[cfg_attr(sg_hot, optimize(size))]
pub(super) fn add<T: Ordered>(heap: &mut Vec<T>, item: T) {
    heap.push(item);
    let mut at = heap.len() - 1;
    while at > 0 {
        let parent = (at - 1) / 2;
        if order(heap, at) >= order(heap, parent) {
            break;
        }
        heap.swap(at, parent);
        at = parent;
    }
}

/// `PriorityQueue.poll`
#[cfg_attr(sg_hot, optimize(size))]
pub(super) fn poll<T: Ordered>(heap: &mut Vec<T>) -> Option<T> {
    if heap.is_empty() {
        return None;
    }
    let first = heap.swap_remove(0);
    sift_down(heap, 0);
    Some(first)
}

/// `PriorityQueue.removeAll`
#[cfg_attr(sg_hot, optimize(size))]
pub(super) fn retain<T: Ordered>(heap: &mut Vec<T>, stays: impl Fn(&T) -> bool) {
    let before = heap.len();
    heap.retain(stays);
    if heap.len() != before {
        for at in (0..heap.len() / 2).rev() {
            sift_down(heap, at);
        }
    }
}

#[cfg_attr(sg_hot, optimize(size))]
fn sift_down<T: Ordered>(heap: &mut [T], from: usize) {
    let mut at = from;
    while at < heap.len() / 2 {
        let (left, right) = (2 * at + 1, 2 * at + 2);
        let child = if right < heap.len() && order(heap, left) > order(heap, right) {
            right
        } else {
            left
        };
        if order(heap, at) <= order(heap, child) {
            break;
        }
        heap.swap(at, child);
        at = child;
    }
}

#[cfg_attr(sg_hot, optimize(size))]
fn order<T: Ordered>(heap: &[T], at: usize) -> i64 {
    heap.get(at).map_or(i64::MAX, Ordered::order)
}
