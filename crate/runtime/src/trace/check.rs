//! An automaton that says whether a trace can be: which event may follow which.
//!
//! It knows nothing of operators, so that it holds for all of them. It finds: ids given twice or out of order, changes
//! taken by an operator that does not read their maker, state that is updated or removed without being there, wrong
//! totals, timers that fire without being registered, watermarks that go back, windows that fire after they are sealed.

use std::collections::{BTreeMap, BTreeSet};

use super::read::{
    CellCode, EmitCause, Event, Frame, FramePhase, Site, StateEvent, StateWhat, TextId, TimerEvent,
    TimerWhat, WatermarkEvent, WindowWhat,
};

/// Judges the frames of one query, one after the other.
#[derive(Clone, Debug, Default)]
pub struct Checker {
    slot: u32,
    texts: u32,
    last_change: u64,
    /// Changes made in this frame and the operator that made them; arrivals have none.
    made: BTreeMap<u64, Option<u32>>,
    at_work: BTreeMap<Site, u64>,
    entries: BTreeMap<(Site, u32, CellCode, TextId), u64>,
    timers: BTreeSet<(Site, bool, i64, CellCode, TextId)>,
    watermarks: BTreeMap<(Site, bool), i64>,
    sealed: BTreeSet<(Site, i64, i64)>,
}

/// What cannot be, in words for a developer.
pub type Refusal = String;

impl Checker {
    /// Takes the next frame.
    pub fn check(&mut self, frame: &Frame) -> Result<(), Refusal> {
        let expected = match frame.phase {
            FramePhase::Start => frame.slot == 0,
            FramePhase::Arrival | FramePhase::Fault | FramePhase::End => frame.slot >= self.slot,
        };
        refuse_unless(expected, || {
            format!("slot {} comes after slot {}", frame.slot, self.slot)
        })?;
        self.slot = frame.slot;
        self.texts += frame.new_texts.len() as u32;
        self.made.clear();
        self.at_work.clear();
        for event in &frame.events {
            self.event(event)
                .map_err(|reason| format!("slot {}, {event:?}: {reason}", frame.slot))?;
        }
        Ok(())
    }

    fn event(&mut self, event: &Event) -> Result<(), Refusal> {
        match event {
            Event::Arrival(arrival) => {
                self.known_cells(&arrival.cells)?;
                if arrival.what < 4 {
                    self.make(arrival.change, None)
                } else {
                    Ok(())
                }
            }
            Event::Route { change, .. } | Event::Sink { change, .. } => self.there(*change),
            Event::Take { site, change, .. } => {
                self.there(*change)?;
                self.at_work.insert(*site, *change);
                Ok(())
            }
            Event::Emit(emit) => {
                self.known_cells(&emit.cells)?;
                if let EmitCause::Change(cause) = emit.cause {
                    self.there(cause)?;
                    let arrived = self.made.get(&cause) == Some(&None);
                    let taken = self.at_work.get(&emit.site) == Some(&cause);
                    refuse_unless(arrived || taken, || "its cause was not taken".to_owned())?;
                }
                self.make(emit.change, Some(emit.site.operator))
            }
            Event::State(state) => self.state(state),
            Event::Timer(timer) => self.timer(timer),
            Event::Watermark(watermark) => self.watermark(watermark),
            Event::Late {
                site, change, by_ms, ..
            } => {
                refuse_unless(*by_ms >= 0, || "late by less than nothing".to_owned())?;
                let taken = self.at_work.get(site) == Some(change);
                refuse_unless(taken, || "a change is late that was not taken".to_owned())
            }
            Event::Window {
                site,
                what,
                start_ms,
                end_ms,
            } => self.window(*site, *what, (*start_ms, *end_ms)),
            Event::Stats { .. } => Ok(()),
            Event::Fault { code, en, zh, .. } => self.known(&[*code, *en, *zh]),
        }
    }

    fn make(&mut self, change: u64, by: Option<u32>) -> Result<(), Refusal> {
        refuse_unless(change > self.last_change, || {
            format!("its id is not above {}", self.last_change)
        })?;
        self.last_change = change;
        self.made.insert(change, by);
        Ok(())
    }

    /// Whether a change was made in this frame: nothing is on its way between frames.
    fn there(&self, change: u64) -> Result<(), Refusal> {
        refuse_unless(self.made.contains_key(&change), || {
            format!("change {change} is not of this frame")
        })
    }

    fn known_cells(&self, cells: &[CellCode]) -> Result<(), Refusal> {
        let texts = cells.iter().filter(|code| **code % 4 == 0);
        let unknown = texts
            .map(|code| code >> 2)
            .find(|text| *text >= u64::from(self.texts) + 2);
        refuse_unless(unknown.is_none(), || format!("there is no text {unknown:?}"))
    }

    fn known(&self, texts: &[TextId]) -> Result<(), Refusal> {
        let unknown = texts.iter().find(|text| **text >= self.texts + 2);
        refuse_unless(unknown.is_none(), || format!("there is no text {unknown:?}"))
    }

    fn state(&mut self, state: &StateEvent) -> Result<(), Refusal> {
        self.known(&[state.namespace])?;
        self.known_cells(&[state.key])?;
        self.known_cells(&state.value)?;
        let at = (state.site, state.handle, state.key, state.namespace);
        let there = self.entries.contains_key(&at);
        match state.what {
            StateWhat::Created => {
                refuse_unless(!there, || "the entry is there already".to_owned())?;
                self.entries.insert(at, state.bytes);
            }
            StateWhat::Updated => {
                refuse_unless(there, || "there is no such entry".to_owned())?;
                self.entries.insert(at, state.bytes);
            }
            StateWhat::Removed | StateWhat::Expired => {
                let bytes = self.entries.remove(&at);
                refuse_unless(bytes == Some(state.bytes), || {
                    format!("an entry of {bytes:?} bytes is there")
                })?;
            }
        }
        Ok(())
    }

    fn timer(&mut self, timer: &TimerEvent) -> Result<(), Refusal> {
        self.known(&[timer.namespace])?;
        self.known_cells(&[timer.key])?;
        let at = (
            timer.site,
            timer.event_time,
            timer.at_ms,
            timer.key,
            timer.namespace,
        );
        match timer.what {
            TimerWhat::Registered => {
                refuse_unless(self.timers.insert(at), || "it is registered already".to_owned())
            }
            TimerWhat::Fired | TimerWhat::Deleted => {
                refuse_unless(self.timers.remove(&at), || "it is not registered".to_owned())
            }
        }
    }

    fn watermark(&mut self, moved: &WatermarkEvent) -> Result<(), Refusal> {
        refuse_unless(moved.after_ms >= moved.before_ms, || "it goes back".to_owned())?;
        let known = self
            .watermarks
            .insert((moved.site, moved.within_source), moved.after_ms);
        let before = known.unwrap_or(i64::MIN);
        refuse_unless(before == moved.before_ms, || format!("it stood at {before}"))
    }

    fn window(&mut self, site: Site, what: WindowWhat, window: (i64, i64)) -> Result<(), Refusal> {
        let at = (site, window.0, window.1);
        refuse_unless(!self.sealed.contains(&at), || "the window is sealed".to_owned())?;
        if what == WindowWhat::Sealed {
            self.sealed.insert(at);
        }
        Ok(())
    }
}

fn refuse_unless(holds: bool, reason: impl FnOnce() -> String) -> Result<(), Refusal> {
    if holds { Ok(()) } else { Err(reason()) }
}
