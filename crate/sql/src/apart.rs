//! The texts that a page loads beside the module: one file of messages and of what Flink's parser was expecting.

use crate::expected;

/// Between the messages and the words of the parser.
const BREAK: &str = "\u{c}\n";

/// Takes the file in, before anything is parsed or said. Without it messages are their codes' names.
pub fn install_texts(file: &str) {
    if let Some((messages, expected)) = file.split_once(BREAK) {
        sg_diag::install_texts(messages);
        expected::install(expected);
    }
}

/// The file, written by a native build; `help` are lines about functions.
pub fn texts_file(help: &str) -> String {
    [&sg_diag::texts_file(), help, BREAK, expected::file()].concat()
}
