//! What Flink runs and Streamglass does not: recognised and named, never silently ignored.

use sg_diag::{Code, Diagnostic, Span};
use sg_expr::Expr;
use sg_value::Gather as _;

use super::Binder;

impl Binder<'_> {
    /// Reports a feature by the SQL words that name it.
    pub(super) fn not_supported(&mut self, feature: &str, span: Span) {
        self.report(Diagnostic::new(Code::NotSupported, span).arg("feature", feature));
    }

    /// Reports the text itself, shortened, where the feature has no name.
    pub(super) fn text_not_supported(&mut self, span: Span) {
        const SHOWN: usize = 40;
        let text: Vec<&str> = span.text(self.text).split_whitespace().gather();
        let text = text.join(" ");
        let shown: String = if text.chars().count() > SHOWN {
            text.chars().take(SHOWN).chain(std::iter::once('…')).gather()
        } else {
            text
        };
        self.not_supported(&shown.replace('`', ""), span);
    }

    /// An expression that Flink has and Streamglass has not.
    pub(super) fn unsupported(&mut self, feature: &str, span: Span) -> Expr {
        self.not_supported(feature, span);
        Expr::invalid(span)
    }

    /// The same for an expression without a name.
    pub(super) fn unsupported_text(&mut self, span: Span) -> Expr {
        self.text_not_supported(span);
        Expr::invalid(span)
    }
}
