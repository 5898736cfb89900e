//! How a pattern takes rows.
//!
//! Flink: `NFA`, `NFACompiler`, `AfterMatchSkipStrategy`. A partial match takes a row or dies: nothing may stand in
//! between. What a greedy variable can take, the next one does not get. A match is given out once no partial match that
//! began earlier is alive; then those that the skip strategy rules out are forgotten.

use std::rc::Rc;

use sg_diag::{Code, Diagnostic, Span};
use sg_expr::{Compiled, EvalCx, EvalError};
use sg_plan::logical::{AfterMatch, PatternItem};
use sg_value::{Gather as _, Row};

use super::{
    heap::{self, Ordered},
    read::{Reader, Taken},
};

/// A row that is fed.
#[derive(Clone, Debug)]
pub(super) struct Event {
    /// Its number within the key.
    pub(super) number: i64,
    pub(super) at_ms: i64,
    pub(super) row: Row,
}

/// A row that a variable has taken, and those taken before.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub(super) before: Option<Rc<Self>>,
    /// Position in the pattern.
    pub(super) item: usize,
    pub(super) event: Event,
}

/// A match that is not complete.
#[derive(Clone, Debug)]
pub(super) struct Partial {
    /// Number and time of its first row.
    pub(super) start: (i64, i64),
    /// Rows that the current variable has taken.
    pub(super) count: u32,
    pub(super) last: Rc<Step>,
}

/// A complete match.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) start: (i64, i64),
    pub(super) last: Rc<Step>,
}

impl Ordered for Found {
    #[cfg_attr(sg_hot, optimize(size))]
    fn order(&self) -> i64 {
        self.start.0
    }
}

/// A partial match, or the start, which comes last.
impl Ordered for Option<Partial> {
    #[cfg_attr(sg_hot, optimize(size))]
    fn order(&self) -> i64 {
        self.as_ref().map_or(i64::MAX, |partial| partial.start.0)
    }
}

/// What is known about a key.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    /// Number of the next row.
    pub(super) next: i64,
    /// A heap, with `None` for the start; empty before the first row.
    pub(super) partials: Vec<Option<Partial>>,
    /// Matches that wait for partial matches that began before them: a heap.
    pub(super) complete: Vec<Found>,
    /// Whether the last row began a match.
    pub(super) started: bool,
}

impl Step {
    /// The steps up to this one, the first one first.
    #[cfg_attr(sg_hot, optimize(size))]
    pub(super) fn all(&self) -> Vec<&Self> {
        let mut steps = vec![self];
        let mut at = self;
        while let Some(before) = &at.before {
            steps.push(before);
            at = before;
        }
        steps.reverse();
        steps
    }

    #[cfg_attr(sg_hot, optimize(size))]
    fn taken(&self) -> Vec<Taken> {
        self.all()
            .into_iter()
            .map(|step| Taken {
                item: step.item,
                row: Rc::clone(&step.event.row),
            })
            .gather()
    }
}

impl Found {
    /// The rows of the match with what has taken them.
    #[cfg_attr(sg_hot, optimize(size))]
    pub(super) fn rows(&self) -> Vec<Taken> {
        self.last.taken()
    }
}

/// A pattern.
pub(super) struct Nfa {
    pub(super) items: Vec<PatternItem>,
    /// What a row has to meet per position of the pattern; `None` takes any.
    pub(super) conditions: Vec<Option<Compiled>>,
    pub(super) after: AfterMatch,
    pub(super) within_ms: Option<i64>,
    /// Names of the variables, for messages.
    pub(super) variables: Vec<Rc<str>>,
    pub(super) span: Span,
}

/// A row at work: which positions of the pattern would take it is asked at most once each.
struct Trial<'t> {
    nfa: &'t Nfa,
    reader: &'t Reader,
    eval: &'t EvalCx,
    event: &'t Event,
    before: Vec<Taken>,
    answers: Vec<Option<bool>>,
}

impl Trial<'_> {
    #[cfg_attr(sg_hot, optimize(size))]
    fn accepts(&mut self, item: usize) -> Result<bool, EvalError> {
        if let Some(Some(known)) = self.answers.get(item) {
            return Ok(*known);
        }
        let answer = match self.nfa.conditions.get(item) {
            Some(Some(condition)) => {
                let candidate = Taken {
                    item,
                    row: Rc::clone(&self.event.row),
                };
                let cells = self.reader.cells(&self.before, Some(&candidate), None, self.eval);
                cells
                    .and_then(|cells| condition.test(&cells, self.eval))
                    .map_err(in_condition)?
            }
            _ => true,
        };
        if let Some(slot) = self.answers.get_mut(item) {
            *slot = Some(answer);
        }
        Ok(answer)
    }
}

/// Flink wraps what a condition fails with.
#[cfg_attr(sg_hot, optimize(size))]
fn in_condition(mut error: EvalError) -> EvalError {
    if let Some(flink) = &mut error.diagnostic.flink {
        *flink = format!("FlinkRuntimeException: Failure happened in filter function.\n{flink}");
    }
    error
}

impl Nfa {
    /// Feeds a row; the matches that come out.
    #[cfg_attr(sg_hot, optimize(size))]
    pub(super) fn take(
        &self,
        state: &mut State,
        event: &Event,
        reader: &Reader,
        eval: &EvalCx,
    ) -> Result<Vec<Found>, EvalError> {
        let mut partials = Vec::new();
        let mut complete = Vec::new();
        state.started = false;
        if state.partials.is_empty() {
            state.partials.push(None);
        }
        for partial in std::mem::take(&mut state.partials) {
            let (mut kept, mut found) = (Vec::new(), Vec::new());
            self.step(partial.as_ref(), event, (reader, eval), (&mut kept, &mut found))?;
            if partial.is_none() {
                state.started = !kept.is_empty() || !found.is_empty();
            }
            let start = partial.is_none().then_some(None);
            for kept in kept.into_iter().map(Some).chain(start) {
                heap::add(&mut partials, kept);
            }
            for found in found {
                heap::add(&mut complete, found);
            }
        }
        state.partials = partials;
        for found in complete {
            heap::add(&mut state.complete, found);
        }
        self.give_out(state)
    }

    /// Forgets what began too long before a time.
    #[cfg_attr(sg_hot, optimize(size))]
    pub(super) fn advance(
        &self,
        state: &mut State,
        at_ms: i64,
        _span: Span,
    ) -> Result<Vec<Found>, EvalError> {
        if let Some(within_ms) = self.within_ms {
            let alive = |partial: &Option<Partial>| {
                partial
                    .as_ref()
                    .is_none_or(|partial| at_ms.saturating_sub(partial.start.1) < within_ms)
            };
            let mut partials = Vec::with_capacity(state.partials.len());
            for partial in std::mem::take(&mut state.partials).into_iter().filter(alive) {
                heap::add(&mut partials, partial);
            }
            state.partials = partials;
        }
        if state.complete.is_empty() {
            return Ok(Vec::new());
        }
        self.give_out(state)
    }

    /// All ways in which a partial match (or a new one) can take a row.
    #[cfg_attr(sg_hot, optimize(size))]
    fn step(
        &self,
        partial: Option<&Partial>,
        event: &Event,
        (reader, eval): (&Reader, &EvalCx),
        (partials, complete): (&mut Vec<Partial>, &mut Vec<Found>),
    ) -> Result<(), EvalError> {
        let mut trial = Trial {
            nfa: self,
            reader,
            eval,
            event,
            before: partial.map_or_else(Vec::new, |partial| partial.last.taken()),
            answers: vec![None; self.items.len()],
        };
        let mut keep = |item: usize, count: u32| {
            let Some(pattern) = self.items.get(item) else {
                return;
            };
            let last = Rc::new(Step {
                before: partial.map(|partial| Rc::clone(&partial.last)),
                item,
                event: event.clone(),
            });
            let start = partial.map_or((event.number, event.at_ms), |partial| partial.start);
            let rest_optional = self.items.iter().skip(item + 1).all(|other| other.min == 0);
            if count >= pattern.min && rest_optional {
                complete.push(Found {
                    start,
                    last: Rc::clone(&last),
                });
            }
            let goes_on = pattern.max.is_none_or(|max| count < max) || item + 1 < self.items.len();
            if goes_on {
                partials.push(Partial { start, count, last });
            }
        };
        let mut next = 0;
        if let Some(partial) = partial {
            let item = partial.last.item;
            let Some(pattern) = self.items.get(item) else {
                return Ok(());
            };
            if pattern.max.is_none_or(|max| partial.count < max) && trial.accepts(item)? {
                keep(item, partial.count + 1);
            }
            if partial.count < pattern.min {
                return Ok(());
            }
            next = item + 1;
        }
        while let Some(pattern) = self.items.get(next) {
            let before = next.checked_sub(1).and_then(|before| self.items.get(before));
            if before.is_some_and(PatternItem::is_greedy) && trial.accepts(next - 1)? {
                return Ok(());
            }
            if trial.accepts(next)? {
                keep(next, 1);
            }
            if pattern.min > 0 {
                return Ok(());
            }
            next += 1;
        }
        Ok(())
    }

    /// Matches with no earlier partial match, and what they rule out.
    #[cfg_attr(sg_hot, optimize(size))]
    fn give_out(&self, state: &mut State) -> Result<Vec<Found>, EvalError> {
        let mut given = Vec::new();
        while let Some(earliest) = state.complete.first() {
            let start = earliest.order();
            if state
                .partials
                .first()
                .is_some_and(|partial| partial.order() < start)
            {
                break;
            }
            let Some(found) = heap::poll(&mut state.complete) else {
                break;
            };
            let (limit, inclusive) = self.skip(&found)?;
            let stays = |start: i64| start > limit || (start == limit && !inclusive);
            heap::retain(&mut state.partials, |partial| stays(partial.order()));
            heap::retain(&mut state.complete, |other| stays(other.order()));
            given.push(found);
        }
        Ok(given)
    }

    /// Up to which row nothing may begin any more, and whether that row itself may.
    #[cfg_attr(sg_hot, optimize(size))]
    fn skip(&self, found: &Found) -> Result<(i64, bool), EvalError> {
        let steps = found.last.all();
        let of = |variable: u32| {
            steps
                .iter()
                .filter(move |step| {
                    self.items
                        .get(step.item)
                        .is_some_and(|item| item.variable == variable)
                })
                .map(|step| step.event.number)
        };
        let (variable, target) = match self.after {
            AfterMatch::ToNextRow => return Ok((found.start.0, true)),
            AfterMatch::PastLastRow => return Ok((found.last.event.number, true)),
            AfterMatch::ToFirst(variable) => (variable, of(variable).next()),
            AfterMatch::ToLast(variable) => (variable, of(variable).next_back()),
        };
        match target {
            Some(number) if number == found.start.0 => {
                let diagnostic = Diagnostic::new(Code::MatchSkipsToItself, self.span).flink(
                    "RuntimeException: org.apache.flink.util.FlinkRuntimeException: Could not skip to first element of a match.",
                );
                Err(EvalError::new(diagnostic))
            }
            Some(number) => Ok((number, false)),
            None => {
                let name = self
                    .variables
                    .get(variable as usize)
                    .map_or_else(String::new, ToString::to_string);
                let diagnostic = Diagnostic::new(Code::MatchSkipsToNothing, self.span)
                    .arg("variable", &name)
                    .flink(format!(
                        "RuntimeException: org.apache.flink.util.FlinkRuntimeException: Could not skip to {name}. No such element in \
                         the found match {}",
                        self.taken_text(&steps)
                    ));
                Err(EvalError::new(diagnostic))
            }
        }
    }

    /// `{A=[EventId{id=0, timestamp=5000}]}`: the rows per variable, numbered within their time.
    #[cfg_attr(sg_hot, optimize(size))]
    fn taken_text(&self, steps: &[&Step]) -> String {
        let mut text = String::new();
        let mut of = None;
        for (at, step) in steps.iter().enumerate() {
            if of == Some(step.item) {
                text += ", ";
            } else {
                let item = self.items.get(step.item).map_or(0, |item| item.variable as usize);
                text += if of.is_some() { "], " } else { "{" };
                text += self.variables.get(item).map_or("", |name| name);
                text += "=[";
                of = Some(step.item);
            }
            let before = steps.iter().take(at);
            let id = before
                .filter(|other| other.event.at_ms == step.event.at_ms)
                .count();
            let event = format!("EventId{{id={id}, timestamp={}}}", step.event.at_ms);
            text.push_str(&event);
        }
        text + "]}"
    }
}
