//! Hints behind SELECT: which tables they name, and the state TTL of an aggregation.

use std::rc::Rc;

use sg_diag::{Code, Diagnostic, Span};
use sg_sql::{Hint, HintArgument, byte_span, query as ast};

use super::{Binder, scope::Scope};

/// Hints that streaming accepts and ignores.
pub(super) const BATCH_ONLY: [&str; 4] = ["BROADCAST", "SHUFFLE_HASH", "SHUFFLE_MERGE", "NEST_LOOP"];

impl Binder<'_> {
    /// The hints behind the word SELECT.
    pub(super) fn select_hints(&self, select: &ast::Select) -> Vec<Hint> {
        let span = byte_span(select.select_token.0.span).unwrap_or_default();
        self.side.hints_after(span).to_vec()
    }

    /// Reports unknown hints, and tables that a hint names and FROM has not.
    pub(super) fn check_query_hints(&mut self, select: &ast::Select, scope: &Scope) {
        for hint in self.select_hints(select) {
            match hint.name.name.to_ascii_uppercase().as_str() {
                "STATE_TTL" => self.check_hint_tables(&hint, scope),
                name @ ("LOOKUP" | "MULTI_JOIN") => self.not_supported(&format!("/*+ {name} */"), hint.span),
                name if BATCH_ONLY.contains(&name) => {}
                _ => self.unknown_hint(&hint.name.name, hint.span),
            }
        }
    }

    fn check_hint_tables(&mut self, hint: &Hint, scope: &Scope) {
        for arg in &hint.args {
            let HintArgument::Pair(table, _) = arg else {
                continue;
            };
            let names = || {
                scope
                    .relations
                    .iter()
                    .filter_map(|relation| relation.name.as_deref())
            };
            if names().any(|name| name == table.value) || scope.is_broken() {
                continue;
            }
            let flink = format!(
                "ValidationException: The options of following hints cannot match the name of input tables or views: \n\
                 `{}` in `{}`",
                table.value, hint.name.name
            );
            self.report(
                Diagnostic::new(Code::HintTableUnknown, table.span)
                    .arg("hint", &hint.name.name)
                    .arg("table", &table.value)
                    .flink(flink)
                    .suggest_similar(&table.value, names()),
            );
        }
    }

    /// The duration that `STATE_TTL` gives to the input of an aggregation, as written.
    pub(super) fn ttl_hint(&self, select: &ast::Select, scope: &Scope) -> Option<Rc<str>> {
        let hints = self.select_hints(select);
        let hint = hints
            .iter()
            .find(|hint| hint.name.name.eq_ignore_ascii_case("STATE_TTL"))?;
        hint.args.iter().find_map(|arg| match arg {
            HintArgument::Pair(table, ttl) => {
                let named = |name: &str| name == table.value;
                let found = scope
                    .relations
                    .iter()
                    .any(|relation| relation.name.as_deref().is_some_and(named));
                found.then(|| Rc::from(ttl.value.as_str()))
            }
            HintArgument::Name(_) | HintArgument::Text(_) => None,
        })
    }

    pub(super) fn unknown_hint(&mut self, name: &str, span: Span) {
        const KNOWN: [&str; 7] = [
            "OPTIONS",
            "STATE_TTL",
            "LOOKUP",
            "BROADCAST",
            "SHUFFLE_HASH",
            "SHUFFLE_MERGE",
            "NEST_LOOP",
        ];
        let flink = format!("AssertionError: Hint: {name} should be registered in the HintStrategyTable");
        self.report(
            Diagnostic::new(Code::UnknownHint, span)
                .arg("hint", name)
                .flink(flink)
                .suggest_similar_at(
                    Span::new(span.start, span.start + u32::try_from(name.len()).unwrap_or(0)),
                    name,
                    KNOWN,
                ),
        );
    }
}
