//! What a row of the registry says.

use std::borrow::Cow;

use sg_diag::{Code, Diagnostic, Lang, Span};
use sg_value::{DataType, Gather as _, TypeKind, Value};

use super::signature::Signature;
use crate::{bound::Expr, compile::Node, eval::EvalCx, resolve::Request};

/// One built-in function or operator.
#[derive(Debug)]
pub struct FunctionDef {
    /// Name as Flink prints it in plans: `UPPER`, `+`, `IS NOT NULL`, `CASE`.
    pub name: &'static str,
    /// Other names in SQL.
    pub aliases: &'static [&'static str],
    /// Where it stands in lists.
    pub family: Family,
    /// What it does.
    pub doc: Doc,
    /// On what its result depends beside its arguments.
    pub volatility: Volatility,
    /// How a call is typed.
    pub(crate) resolve: Resolve,
    /// Forms to show where they do not follow from signatures.
    pub(crate) written: &'static [&'static str],
    /// What NULL arguments do.
    pub(crate) nulls: Nulls,
    /// How it is computed.
    pub(crate) eval: Eval,
}

/// A one-line description.
#[derive(Clone, Copy, Debug)]
pub struct Doc {
    en: &'static str,
    zh: &'static str,
}

impl Doc {
    /// English and Chinese.
    pub const fn of(en: &'static str, zh: &'static str) -> Self {
        Self {
            en: sg_diag::kept(en),
            zh: sg_diag::kept(zh),
        }
    }

    /// The text of the function of this name.
    pub fn text(&self, name: &str, lang: Lang) -> &'static str {
        match lang.pick(self.en, self.zh) {
            "" => sg_diag::installed(name, lang.pick(1, 2)).unwrap_or_default(),
            text => text,
        }
    }
}

/// Help of all functions, lines of the file that [`sg_diag::install_texts`] takes.
pub fn help_file() -> String {
    let mut file = String::new();
    for function in super::functions() {
        let [en, zh] = [Lang::En, Lang::Zh].map(|lang| function.doc.text(function.name, lang));
        file.extend([function.name, "\t", en, "\t", zh, "\n"]);
    }
    file
}

/// A group of functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Family {
    Comparison,
    Logic,
    Arithmetic,
    String,
    Conditional,
    Time,
    Cast,
    Json,
    Collection,
    Hash,
}

/// On what a result depends beside the arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Volatility {
    /// Nothing: constant arguments give a constant.
    Immutable,
    /// The session time zone: not folded into the plan.
    Session,
    /// The clock, the watermark, or chance: another value for each row.
    PerRow,
}

/// How a call is typed.
pub(crate) enum Resolve {
    /// By signatures.
    Table(&'static [Signature]),
    /// By rules of its own, which may also write the call in other terms.
    Rules(fn(Request<'_>) -> Expr),
    /// Only the planner makes it.
    Internal,
}

/// What NULL arguments do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Nulls {
    /// One NULL argument gives NULL; the function never sees one.
    Strict,
    /// The function decides.
    Seen,
}

/// How a function is computed.
pub(crate) enum Eval {
    /// A plain function of its arguments.
    Values(fn(&[Value]) -> Outcome),
    /// A function prepared once per call: patterns compiled, types looked at.
    Build(fn(&CallSite<'_>) -> Kernel),
    /// A function of one DOUBLE; numbers of other types are taken as DOUBLEs.
    Double(fn(f64) -> f64),
    /// A function of two DOUBLEs.
    Doubles(fn(f64, f64) -> f64),
    /// A node made from the arguments' nodes: lazy arguments, typed fast paths.
    Node(fn(&CallSite<'_>, Vec<Node>) -> Node),
    /// It is written in other terms before it could run.
    Never,
}

/// A value, or why the job fails.
pub(crate) type Outcome = Result<Value, Failure>;

/// A diagnostic whose place is filled in by the caller.
pub(crate) type Failure = Box<Diagnostic>;

/// A prepared function.
pub(crate) type Kernel = Box<dyn Fn(&[Value], &EvalCx) -> Outcome>;

/// A failure whose place comes later.
pub(crate) fn failure(code: Code) -> Diagnostic {
    Diagnostic::new(code, Span::default())
}

/// A call being compiled.
pub(crate) struct CallSite<'a> {
    pub(crate) function: &'static FunctionDef,
    pub(crate) args: &'a [Expr],
    pub(crate) data_type: &'a DataType,
    pub(crate) span: Span,
}

impl CallSite<'_> {
    /// The type of an argument; NULL where there is none.
    pub(crate) fn kind(&self, at: usize) -> &TypeKind {
        self.args
            .get(at)
            .map_or(&TypeKind::Null, |arg| &arg.data_type.kind)
    }

    /// The constant that an argument is.
    pub(crate) fn literal(&self, at: usize) -> Option<&Value> {
        self.args.get(at).and_then(Expr::as_literal)
    }

    /// The text that an argument constantly is.
    pub(crate) fn literal_text(&self, at: usize) -> Option<&str> {
        self.literal(at).and_then(Value::as_str)
    }

    /// The word that an argument is.
    pub(crate) fn symbol(&self, at: usize) -> Option<&str> {
        self.args.get(at).and_then(Expr::as_symbol)
    }
}

impl FunctionDef {
    /// A strict, immutable function.
    pub(crate) const fn new(
        name: &'static str,
        family: Family,
        resolve: Resolve,
        eval: Eval,
        doc: [&'static str; 2],
    ) -> Self {
        let [en, zh] = doc;
        Self {
            name,
            aliases: &[],
            family,
            doc: Doc::of(en, zh),
            volatility: Volatility::Immutable,
            resolve,
            written: &[],
            nulls: Nulls::Strict,
            eval,
        }
    }

    /// The same function under more names.
    pub(crate) const fn alias(mut self, aliases: &'static [&'static str]) -> Self {
        self.aliases = aliases;
        self
    }

    /// How to write it, where signatures do not say it.
    pub(crate) const fn written(mut self, forms: &'static [&'static str]) -> Self {
        self.written = forms;
        self
    }

    /// NULL arguments reach the function.
    pub(crate) const fn sees_nulls(mut self) -> Self {
        self.nulls = Nulls::Seen;
        self
    }

    /// Its result depends on more than the arguments.
    pub(crate) const fn volatility(mut self, volatility: Volatility) -> Self {
        self.volatility = volatility;
        self
    }

    /// How it is called, one text a form: `LOCATE(string, string[, integer]) → INT`.
    pub fn forms(&self) -> Vec<Cow<'static, str>> {
        if !self.written.is_empty() {
            return self.written.iter().map(|form| Cow::Borrowed(*form)).gather();
        }
        match &self.resolve {
            Resolve::Table(signatures) => signatures
                .iter()
                .map(|signature| Cow::Owned(signature.form(self.name)))
                .gather(),
            Resolve::Rules(_) | Resolve::Internal => Vec::new(),
        }
    }
}

impl std::fmt::Debug for Resolve {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Table(_) => "Table",
            Self::Rules(_) => "Rules",
            Self::Internal => "Internal",
        })
    }
}

impl std::fmt::Debug for Eval {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Values(_) => "Values",
            Self::Build(_) => "Build",
            Self::Double(_) | Self::Doubles(_) => "Double",
            Self::Node(_) => "Node",
            Self::Never => "Never",
        })
    }
}
