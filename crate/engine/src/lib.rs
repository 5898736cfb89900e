//! The whole product without a browser: a session opens workspaces, replays them, and answers questions.

mod arrivals;
mod bill;
pub mod bulk;
pub mod case;
mod connector;
mod downstream;
pub mod dto;
mod edit;
mod file;
mod generate;
mod lane;
pub mod prepare;
mod replay;
pub mod session;
mod source_view;
pub mod stream;
mod view;
mod why;

pub use edit::{analyze, check, complete, hover};
pub use prepare::explain;
pub use session::{Progress, Session, StateAt};
pub use sg_expr::script::{ScriptHost, install as install_scripts};
pub use sg_sql::install_texts;
pub use sg_value::time::install_zones;

/// The project's version.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
