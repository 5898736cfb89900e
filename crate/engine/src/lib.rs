//! The whole product without a browser: a session opens workspaces, replays them, and answers questions.

pub mod dto;
