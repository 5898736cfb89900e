//! The whole product without a browser: workspaces by number, and every question that can be asked about them.

use sg_diag::{Code, Diagnostic, Lang, Span};
use sg_value::sorted::SortedMap;

use crate::dto;
use crate::replay::Replay;

/// Open workspaces. Several embeds of a page share one session, each with a number of its own.
#[derive(Debug, Default)]
pub struct Session {
    replays: SortedMap<u32, (u32, Replay)>,
    generation: u32,
}

/// What `advance` tells beside the frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Whether nothing is left to replay.
    pub done: bool,
    /// The generation that the frames belong to.
    pub generation: u32,
}

impl Session {
    /// A session without workspaces.
    pub fn new() -> Self {
        Self::default()
    }

    /// Opens a workspace from its JSON text; `Err` where the text is no workspace.
    pub fn open(&mut self, number: u32, json: &str) -> Result<dto::Opened, dto::Bilingual> {
        let workspace = dto::Workspace::read(json).map_err(|error| unreadable(&error))?;
        Ok(self.reopen(number, workspace))
    }

    fn reopen(&mut self, number: u32, workspace: dto::Workspace) -> dto::Opened {
        self.generation += 1;
        let replay = Replay::open(workspace);
        let opened = replay.opened(self.generation);
        self.replays.insert(number, (self.generation, replay));
        opened
    }

    /// Replays up to `max_slots` more arrivals and appends their frames. A number that is not open is done.
    pub fn advance(&mut self, number: u32, max_slots: u32, frames: &mut Vec<u8>) -> Progress {
        match self.replays.get_mut(&number) {
            Some((generation, replay)) => Progress {
                done: replay.advance(max_slots as usize, frames),
                generation: *generation,
            },
            None => Progress {
                done: true,
                generation: 0,
            },
        }
    }

    /// Changes a workspace, from the JSON text of an edit.
    pub fn edit(&mut self, number: u32, json: &str) -> Result<dto::Edited, dto::Bilingual> {
        let edit = dto::Edit::read(json).map_err(|error| unreadable(&error))?;
        let Some((_, replay)) = self.replays.get(&number) else {
            return Err(dto::Bilingual::new(
                "This workspace is not open.",
                "该工作区未打开。",
            ));
        };
        let mut workspace = replay.workspace.clone();
        match edit {
            dto::Edit::Events { events } => {
                workspace.events = events;
                workspace.generator = None;
            }
            dto::Edit::Query { index, sql } => {
                if let Some(query) = workspace.queries.get_mut(index as usize) {
                    query.sql = sql;
                }
            }
            dto::Edit::Control { controls } => workspace.controls = controls,
            dto::Edit::End { end } => workspace.end = end,
            dto::Edit::Script { script } => workspace.script = script,
        }
        let opened = self.reopen(number, workspace);
        Ok(dto::Edited {
            opened,
            first_changed_slot: 0,
        })
    }

    /// A page of keyed state after `slots` arrivals.
    pub fn state(&mut self, number: u32, at: StateAt, offset: u32, limit: u32) -> dto::StatePage {
        let Some((_, replay)) = self.replays.get_mut(&number) else {
            return dto::StatePage {
                total: 0,
                entries: Vec::new(),
            };
        };
        replay.state_page(at, offset, limit)
    }

    /// The cards of the Why? panel after `slots` arrivals.
    pub fn why(&mut self, number: u32, query: u32, slots: u32) -> Vec<dto::WhyCard> {
        self.replays
            .get_mut(&number)
            .map(|(_, replay)| replay.why(query as usize, slots))
            .unwrap_or_default()
    }

    /// The state bills after `slots` arrivals, one per operator that keeps state.
    pub fn bill(&mut self, number: u32, query: u32, slots: u32) -> Vec<dto::StateBill> {
        self.replays
            .get_mut(&number)
            .map(|(_, replay)| replay.bill(query as usize, slots))
            .unwrap_or_default()
    }

    /// What the query's changes have led to behind it after `slots` arrivals.
    pub fn downstream(&mut self, number: u32, query: u32, slots: u32) -> dto::Downstream {
        self.replays
            .get_mut(&number)
            .map(|(_, replay)| replay.downstream(query as usize, slots))
            .unwrap_or_default()
    }

    /// Forgets a workspace.
    pub fn close(&mut self, number: u32) {
        self.replays.remove(&number);
    }
}

/// Which state a page is taken from.
#[derive(Clone, Copy, Debug)]
pub struct StateAt {
    /// The query.
    pub query: u32,
    /// Number of arrivals that have been taken.
    pub slots: u32,
    /// The operator.
    pub operator: u32,
    /// The state's number within the operator.
    pub handle: u32,
}

pub(crate) fn unreadable(error: &str) -> dto::Bilingual {
    let diagnostic = Diagnostic::new(Code::WorkspaceUnreadable, Span::default()).arg("reason", error);
    dto::Bilingual::new(diagnostic.message(Lang::En), diagnostic.message(Lang::Zh))
}
