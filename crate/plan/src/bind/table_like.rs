//! CREATE TABLE … LIKE: what is taken from the model.

use std::rc::Rc;

use sg_diag::{Code, Diagnostic};
use sg_sql::ast as ddl;
use sg_value::Gather as _;

use super::{Binder, table::Parts};
use crate::catalog::{CatalogObject, ColumnKind, ObjectPath, Table};

/// What happens to each part of the model.
struct Merges {
    options: Vec<ddl::LikeOption>,
}

impl Merges {
    /// The last option that speaks of this part; without one, what Flink does by default.
    fn of(&self, feature: ddl::LikeFeature) -> ddl::LikeMerge {
        let speaks =
            |option: &&ddl::LikeOption| option.feature == feature || option.feature == ddl::LikeFeature::All;
        // a part's own word is stronger than ALL
        let own = self.options.iter().rev().find(|option| option.feature == feature);
        own.or_else(|| self.options.iter().rev().find(speaks)).map_or(
            match feature {
                ddl::LikeFeature::Options => ddl::LikeMerge::Overwriting,
                _ => ddl::LikeMerge::Including,
            },
            |option| option.merge,
        )
    }
}

impl Binder<'_> {
    /// The model's parts without what is excluded; nothing where there is no LIKE.
    pub(super) fn like_parts(&mut self, create: &ddl::CreateTable) -> Parts {
        let Some(like) = &create.like else {
            return Parts::default();
        };
        let Some(path) = self.object_path(&like.table) else {
            return Parts::default();
        };
        let model = match self.catalog.object(&path) {
            Some(CatalogObject::Table(table)) => Rc::clone(table),
            other => {
                self.unknown_model(like, &path, other.is_some());
                return Parts::default();
            }
        };
        self.failed |= model.broken;
        let merges = Merges {
            options: like.options.clone(),
        };
        self.check_clashes(create, &model, &merges);
        taken(&model, &merges, create)
    }

    #[inline(never)]
    fn unknown_model(&mut self, like: &ddl::Like, path: &ObjectPath, view: bool) {
        let position = self.position(like.table.span);
        let place = position
            .split(" to ")
            .next()
            .unwrap_or(&position)
            .trim_start_matches("From ");
        let why = if view {
            "can not be a VIEW"
        } else {
            "not found in the catalog"
        };
        let flink = format!(
            "ValidationException: Source table '{}' of the LIKE clause {why}, at {place}",
            path.quoted()
        );
        if view {
            let diagnostic = Diagnostic::new(Code::LikeOfView, like.table.span).arg("view", &path.object);
            return self.report(diagnostic.flink(flink));
        }
        let names = self.catalog.names();
        self.report(
            Diagnostic::new(Code::UnknownTable, like.table.span)
                .arg("table", &path.object)
                .flink(flink)
                .suggest_similar(&path.object, names.iter().map(|name| &**name)),
        );
    }

    /// What the new table declares itself may clash with what is included.
    fn check_clashes(&mut self, create: &ddl::CreateTable, model: &Table, merges: &Merges) {
        let including = |feature| merges.of(feature) == ddl::LikeMerge::Including;
        if let Some(watermark) = &create.watermark
            && model.watermark.is_some()
            && including(ddl::LikeFeature::Watermarks)
        {
            let column = watermark
                .column
                .iter()
                .map(|part| part.name.as_str())
                .gather::<Vec<_>>();
            let flink = format!(
                "ValidationException: There already exists a watermark spec for column '{}' in the base table. You might \
                 want to specify EXCLUDING WATERMARKS or OVERWRITING WATERMARKS.",
                column.join(".")
            );
            self.report(Diagnostic::new(Code::SecondWatermark, watermark.span).flink(flink));
        }
        if let Some(key) = &create.primary_key
            && model.primary_key.is_some()
            && including(ddl::LikeFeature::Constraints)
        {
            let flink = "ValidationException: The base table already has a primary key. You might want to specify \
                         EXCLUDING CONSTRAINTS.";
            self.report(Diagnostic::new(Code::SecondPrimaryKey, key.span).flink(flink));
        }
        if including(ddl::LikeFeature::Options) {
            for option in &create.options {
                if model.options.contains_key(&option.key.value) {
                    let flink = format!(
                        "ValidationException: There already exists an option ['{}' -> '{}']  in the base table. You \
                         might want to specify EXCLUDING OPTIONS or OVERWRITING OPTIONS.",
                        option.key.value,
                        model.options.get(&option.key.value).map_or("", String::as_str)
                    );
                    let diagnostic = Diagnostic::new(Code::OptionClash, option.key.span);
                    self.report(diagnostic.arg("option", &option.key.value).flink(flink));
                }
            }
        }
    }
}

/// The model's part, or none.
fn taken_if<T: Clone + Default>(takes: bool, part: &T) -> T {
    if takes { part.clone() } else { T::default() }
}

fn taken(model: &Table, merges: &Merges, create: &ddl::CreateTable) -> Parts {
    let takes = |feature| merges.of(feature) != ddl::LikeMerge::Excluding;
    let redefined = |name: &str| create.columns.iter().any(|column| column.name.name == name);
    let kept = |kind: &ColumnKind, name: &str| match kind {
        ColumnKind::Physical => true,
        ColumnKind::Computed { .. } => {
            takes(ddl::LikeFeature::Generated)
                && !(merges.of(ddl::LikeFeature::Generated) == ddl::LikeMerge::Overwriting && redefined(name))
        }
        ColumnKind::Metadata { .. } => {
            takes(ddl::LikeFeature::Metadata)
                && !(merges.of(ddl::LikeFeature::Metadata) == ddl::LikeMerge::Overwriting && redefined(name))
        }
    };
    let mut renumbered = vec![None; model.columns.len()];
    let mut columns = Vec::new();
    for (at, column) in model.columns.iter().enumerate() {
        if kept(&column.kind, &column.field.name) {
            if let Some(slot) = renumbered.get_mut(at) {
                *slot = u32::try_from(columns.len()).ok();
            }
            columns.push(column.clone());
        }
    }
    let number = |at: u32| renumbered.get(at as usize).copied().flatten();
    for column in &mut columns {
        if let ColumnKind::Computed { expr, .. } = &mut column.kind {
            *expr = expr.map_columns(&mut |at| number(at).unwrap_or(u32::MAX));
        }
    }
    let watermark = model
        .watermark
        .as_ref()
        .filter(|_| takes(ddl::LikeFeature::Watermarks) && create.watermark.is_none());
    let watermark = watermark.and_then(|watermark| {
        let mut taken = watermark.clone();
        taken.column = number(watermark.column)?;
        taken.expression = watermark
            .expression
            .as_ref()
            .map(|expr| expr.map_columns(&mut |at| number(at).unwrap_or(u32::MAX)));
        Some(taken)
    });
    if watermark.is_none() {
        for column in &mut columns {
            if column.field.data_type.is_rowtime() {
                column.field.data_type = column.field.data_type.without_time_attribute();
            }
        }
    }
    let primary_key = model
        .primary_key
        .as_ref()
        .filter(|_| takes(ddl::LikeFeature::Constraints) && create.primary_key.is_none());
    let takes_options = takes(ddl::LikeFeature::Options);
    Parts {
        columns,
        watermark,
        primary_key: primary_key.map(|key| key.iter().filter_map(|&at| number(at)).gather()),
        options: taken_if(takes_options, &model.options),
        option_spans: taken_if(takes_options, &model.option_spans),
        distribution: taken_if(takes(ddl::LikeFeature::Distribution), &model.distribution),
        constraint: primary_key.and(model.constraint.clone()),
        comment: model.comment.clone(),
        partitioned_by: taken_if(takes(ddl::LikeFeature::Partitions), &model.partitioned_by),
    }
}
