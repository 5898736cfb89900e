//! Functions that a script has created.

use std::rc::Rc;

use indexmap::IndexMap;
use sg_diag::Span;
use sg_expr::script::{Script, UserAggregate};
use sg_sql::ast::FunctionScope;
use sg_value::{DataType, Field, Gather as _};

use crate::catalog::{Catalog, DatabasePath, ObjectPath};

/// A function of the session, as its text declares it.
#[derive(Clone, Debug)]
pub struct UserFunction {
    /// The name, in small letters.
    pub name: Rc<str>,
    /// The text of JavaScript.
    pub source: Rc<str>,
    /// Where the text stands, its quotes included.
    pub span: Span,
    /// `input`
    pub input: Vec<DataType>,
    /// What it is.
    pub kind: UserFunctionKind,
}

/// The kinds of functions, with what they give.
#[derive(Clone, Debug)]
pub enum UserFunctionKind {
    /// A value for each call.
    Scalar(DataType),
    /// Rows of these columns for each call.
    Table(Vec<Field>),
    /// A value for many rows.
    Aggregate {
        /// `result`
        result: DataType,
        /// `accumulator`
        accumulator: Option<DataType>,
        /// There is a method `retract`.
        retracts: bool,
        /// There is a method `merge`.
        merges: bool,
    },
    /// Rows for many rows; only the Table API calls it.
    TableAggregate,
    /// Of a language that does not run here: a call is refused.
    Foreign(Rc<str>),
    /// The declaration has errors that were reported.
    Broken,
}

impl UserFunction {
    /// The function as a call of this name has it.
    pub fn script(&self, written: &str) -> Script {
        Script {
            name: Rc::from(written),
            source: Rc::clone(&self.source),
            span: self.span,
        }
    }

    /// What a call of an aggregate function carries; `None` where it is none.
    pub fn aggregate(&self, written: &str) -> Option<(UserAggregate, DataType)> {
        let UserFunctionKind::Aggregate {
            result,
            accumulator,
            retracts,
            merges,
        } = &self.kind
        else {
            return None;
        };
        let aggregate = UserAggregate {
            script: self.script(written),
            accumulator: accumulator.clone(),
            retracts: *retracts,
            merges: *merges,
        };
        Some((aggregate, result.clone()))
    }

    /// Flink's word for its kind.
    pub const fn kind_name(&self) -> &'static str {
        match self.kind {
            UserFunctionKind::Scalar(_) | UserFunctionKind::Foreign(_) | UserFunctionKind::Broken => "SCALAR",
            UserFunctionKind::Table(_) => "TABLE",
            UserFunctionKind::Aggregate { .. } => "AGGREGATE",
            UserFunctionKind::TableAggregate => "TABLE_AGGREGATE",
        }
    }

    /// `f(arg0 => INT, arg1 => STRING)`
    pub fn signature(&self, written: &str) -> String {
        let args: Vec<String> = self
            .input
            .iter()
            .enumerate()
            .map(|(at, data_type)| format!("arg{at} => {data_type}"))
            .gather();
        format!("{written}({})", args.join(", "))
    }
}

/// The functions of a catalog.
#[derive(Clone, Debug, Default)]
pub struct UserFunctions {
    by_place: IndexMap<(FunctionScope, ObjectPath), Rc<UserFunction>>,
}

impl UserFunctions {
    /// The function at a place.
    pub fn get(&self, scope: FunctionScope, path: &ObjectPath) -> Option<&Rc<UserFunction>> {
        self.by_place.get(&(scope, path.clone()))
    }

    /// Puts a function at a place.
    pub fn insert(&mut self, scope: FunctionScope, path: ObjectPath, function: Rc<UserFunction>) {
        self.by_place.insert((scope, path), function);
    }

    /// Takes a function away.
    pub fn remove(&mut self, scope: FunctionScope, path: &ObjectPath) {
        self.by_place.shift_remove(&(scope, path.clone()));
    }

    /// Forgets those of a catalog; what is temporary stays.
    pub(crate) fn remove_catalog(&mut self, name: &str) {
        self.by_place
            .retain(|(scope, path), _| *scope != FunctionScope::Catalog || *path.place.catalog != *name);
    }

    /// Functions that calls in this database can use by their name alone.
    pub fn callable<'f>(&'f self, database: &'f DatabasePath) -> impl Iterator<Item = &'f Rc<UserFunction>> {
        self.by_place
            .iter()
            .filter(move |((scope, path), _)| *scope == FunctionScope::System || path.place == *database)
            .map(|(_, function)| function)
    }

    /// Their names, sorted.
    pub fn names(&self, database: &DatabasePath) -> Vec<Rc<str>> {
        let mut names: Vec<Rc<str>> = self
            .callable(database)
            .map(|function| Rc::clone(&function.name))
            .gather();
        names.sort_unstable();
        names.dedup();
        names
    }
}

/// Where a function of this name and scope lives, where this database is the current one.
pub(crate) fn function_path(home: &DatabasePath, scope: FunctionScope, parts: &[&str]) -> Option<ObjectPath> {
    let small = sg_value::case::lower(parts.last()?);
    if scope == FunctionScope::System {
        return DatabasePath::new("", "").object(&[&small]);
    }
    Some(home.object(parts)?.beside(&small))
}

impl Catalog {
    /// The function that a call of this name means. Flink looks at temporary system functions, built-in ones, temporary
    /// ones and those of the catalog, in this order; names have no case.
    pub fn user_function(&self, home: &DatabasePath, parts: &[&str]) -> Option<&Rc<UserFunction>> {
        if self.functions.by_place.is_empty() {
            return None;
        }
        if let [name] = parts {
            let system = function_path(home, FunctionScope::System, parts)?;
            let found = self.functions.get(FunctionScope::System, &system);
            if found.is_some() || is_built_in(name) {
                return found;
            }
        }
        [FunctionScope::Temporary, FunctionScope::Catalog]
            .into_iter()
            .find_map(|scope| self.functions.get(scope, &function_path(home, scope, parts)?))
    }
}

fn is_built_in(name: &str) -> bool {
    sg_expr::aggregate::is_aggregate(name)
        || sg_expr::aggregate::is_window_function(name)
        || sg_expr::functions().any(|row| {
            std::iter::once(&row.name)
                .chain(row.aliases)
                .any(|known| known.eq_ignore_ascii_case(name))
        })
}
