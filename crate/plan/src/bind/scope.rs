//! What names can mean at a place of a query.

use std::{ops::Range, rc::Rc};

use sg_diag::Span;
use sg_value::Field;

use crate::logical::JoinKind;

/// Tables and columns that names can mean. Column numbers are those of the node that FROM has become.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scope {
    pub(super) relations: Vec<Relation>,
    pub(super) columns: Vec<Field>,
    /// Columns that USING or NATURAL made of two.
    pub(super) merged: Vec<Merged>,
}

/// A column that both sides of a join have and that its bare name means.
#[derive(Clone, Debug)]
pub(crate) struct Merged {
    pub(super) name: Rc<str>,
    /// The columns of the left and of the right side.
    pub(super) columns: Vec<u32>,
    /// Which side has it where the other one has not.
    pub(super) kind: JoinKind,
    /// Whether its bare name means it: with NATURAL only `*` does. Cases: join-regular/natural-*.
    pub(super) by_name: bool,
}

/// One table, view or sub-query of FROM.
#[derive(Clone, Debug)]
pub(crate) struct Relation {
    /// Alias, or the table's name; `None` for a sub-query without one.
    pub(super) name: Option<Rc<str>>,
    /// The catalog's name for it where there is no alias: it can also be written with database and catalog.
    pub(super) table: Option<crate::catalog::ObjectPath>,
    /// Its columns.
    pub(super) columns: Range<u32>,
    /// Where its name stands.
    pub(super) span: Span,
    /// Where all of it stands.
    pub(super) whole: Span,
    /// Columns may be missing because its declaration has errors; names in it are not reported.
    pub(super) broken: bool,
}

impl Scope {
    /// A scope of one relation.
    pub(super) fn of(relation: Relation, columns: Vec<Field>) -> Self {
        Self {
            relations: vec![relation],
            columns,
            merged: Vec::new(),
        }
    }

    /// The scope in which bare names of USING columns are ambiguous.
    pub(super) fn without_merged(&self) -> Self {
        Self {
            merged: Vec::new(),
            ..self.clone()
        }
    }

    /// The column of USING or NATURAL of this name.
    pub(super) fn merged_column(&self, name: &str) -> Option<&Merged> {
        let known = |merged: &&Merged| merged.by_name && *merged.name == *name;
        self.merged.iter().rev().find(known)
    }

    /// All columns of a relation, with their numbers.
    pub(super) fn columns_of(&self, relation: &Relation) -> impl Iterator<Item = (u32, &Field)> {
        relation
            .columns
            .clone()
            .filter_map(|at| self.columns.get(at as usize).map(|field| (at, field)))
    }

    /// Numbers of the columns of this name.
    pub(super) fn named<'s>(&'s self, name: &'s str) -> impl Iterator<Item = u32> + 's {
        (0_u32..)
            .zip(&self.columns)
            .filter(move |(_, field)| &*field.name == name)
            .map(|(at, _)| at)
    }

    /// Whether a declaration with errors is among the relations.
    pub(super) fn is_broken(&self) -> bool {
        self.relations.iter().any(|relation| relation.broken)
    }
}
