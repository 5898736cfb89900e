//! Rows of two inputs in the same window.
//!
//! Flink: `WindowJoinOperator`. Input: inserts with their windows. Output: inserts, when the window ends: pairs, rows
//! without partner in an outer join, left rows with (or without) a partner in a semi (or anti) join. A row whose window
//! has fired is dropped.
//! State: `left-records`, `right-records` (key, window end → rows). No TTL. Timers: one per key and window, at its last
//! millisecond. Watermark: the smaller one. Differs from Flink: nothing known. Cases: join-window/*.

use sg_expr::EvalError;
use sg_plan::logical::JoinKind;
use sg_value::{Change, RowKind, Value};

use super::Pairing;
use crate::{
    op::{Ctx, Late, OpResult, Operator, TimerClock, agg::slices::Assigner},
    state::{Item, Items, MapTable, Spot, Table, UserKey},
    time::Timer,
};

/// The join.
pub(super) struct WindowJoin {
    pub(super) pairing: Pairing,
    pub(super) kind: JoinKind,
    /// When windows fire.
    pub(super) assigner: Assigner,
    /// Columns of start and end of the window in the left and the right input.
    pub(super) windows: [(Option<usize>, usize); 2],
}

impl WindowJoin {
    fn rows<'c>(cx: &'c mut Ctx<'_>, input: usize) -> Option<&'c mut MapTable> {
        match cx.state.tables.get_mut(input) {
            Some(Table::Map(table)) => Some(table),
            _ => None,
        }
    }

    fn take(cx: &mut Ctx<'_>, input: usize, namespace: &[Value]) -> Items {
        let (key, note) = (cx.key, cx.state.note);
        let Some(table) = Self::rows(cx, input) else {
            return Items::None;
        };
        table.take(Spot { key, namespace }, &[], &note)
    }

    /// Whether each left row matches each right row.
    fn matched(&self, cx: &mut Ctx<'_>, left: &Item, right: &Item) -> Result<bool, EvalError> {
        let pair: (&[Value], &[Value]) = (&left.row, &right.row);
        self.pairing.matches(pair, (cx.eval, &mut cx.scratch.first))
    }

    fn fire(&self, cx: &mut Ctx<'_>, left: &[Item], right: &[Item]) -> Result<(), EvalError> {
        let can_match = self.pairing.can_match(cx.key);
        let mut right_matched = vec![false; right.len()];
        if self.kind == JoinKind::Right {
            for two in right {
                let mut found = false;
                for one in left {
                    if can_match && self.matched(cx, one, two)? {
                        Pairing::emit(&mut cx.out, RowKind::Insert, (&one.row, &two.row));
                        found = true;
                    }
                }
                if !found {
                    self.pairing.pad(&mut cx.out, RowKind::Insert, &two.row, 1);
                }
            }
            return Ok(());
        }
        for one in left {
            let mut found = false;
            for (two, matched) in right.iter().zip(&mut right_matched) {
                if !can_match || !self.matched(cx, one, two)? {
                    continue;
                }
                found = true;
                *matched = true;
                if self.kind.is_semi_or_anti() {
                    break;
                }
                Pairing::emit(&mut cx.out, RowKind::Insert, (&one.row, &two.row));
            }
            match self.kind {
                JoinKind::Semi if found => cx.out.emit_row(RowKind::Insert, &one.row),
                JoinKind::Anti if !found => cx.out.emit_row(RowKind::Insert, &one.row),
                JoinKind::Left | JoinKind::Full if !found => {
                    self.pairing.pad(&mut cx.out, RowKind::Insert, &one.row, 0);
                }
                _ => {}
            }
        }
        if self.kind == JoinKind::Full {
            for (two, _) in right.iter().zip(right_matched).filter(|(_, matched)| !matched) {
                self.pairing.pad(&mut cx.out, RowKind::Insert, &two.row, 1);
            }
        }
        Ok(())
    }
}

impl Operator for WindowJoin {
    fn on_change(&self, cx: &mut Ctx<'_>, input: u32, change: Change<'_>) -> OpResult {
        let [left, right] = self.windows;
        let (start, end) = if input == 0 { left } else { right };
        let Some(end_ms) = change.row.get(end).and_then(Value::as_ms) else {
            return Ok(());
        };
        let start_ms = start.and_then(|start| change.row.get(start)?.as_ms());
        let window = (start_ms.unwrap_or(end_ms), end_ms);
        let fires_ms = self.assigner.fires_at(end_ms);
        let watermark_ms = cx.clock.watermark.0;
        if watermark_ms >= fires_ms {
            cx.report.late(
                Late {
                    by_ms: watermark_ms.saturating_sub(fires_ms),
                    watermark_ms,
                },
                window,
            );
            return Ok(());
        }
        let namespace = [Value::Int(end_ms)];
        let (key, note) = (cx.key, cx.state.note);
        let item = Item::new(change.row, 0);
        if let Some(table) = Self::rows(cx, input as usize) {
            let spot = Spot {
                key,
                namespace: &namespace,
            };
            table.push(spot, UserKey::only(), item, &note);
        }
        cx.report.opened(window);
        cx.timers.register(TimerClock::Event, fires_ms, key, &namespace);
        Ok(())
    }

    fn on_timer(&self, cx: &mut Ctx<'_>, timer: Timer<'_>) -> OpResult {
        let left = Self::take(cx, 0, timer.namespace);
        let right = Self::take(cx, 1, timer.namespace);
        let end_ms = timer
            .namespace
            .first()
            .and_then(Value::as_int)
            .unwrap_or_default();
        let start = left
            .first()
            .map(|item| (&item.row, self.windows[0].0))
            .or_else(|| right.first().map(|item| (&item.row, self.windows[1].0)));
        let start_ms = start.and_then(|(row, column)| row.get(column?)?.as_ms());
        let before = cx.out.batch.len();
        self.fire(cx, &left, &right)?;
        let rows = cx.out.batch.len().saturating_sub(before) as u64;
        cx.report.fired((start_ms.unwrap_or(end_ms), end_ms), rows);
        Ok(())
    }
}
