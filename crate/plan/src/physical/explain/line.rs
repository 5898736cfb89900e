//! One node as one line, without its changelog mode.

use sg_diag::Span;
use sg_expr::{Expr, PlanStyle, display};
use sg_value::{Field, Gather as _, Row, TypeKind};

use super::{
    aggregate, correlate, group_window, join, matching, multi_join, rank, timed, window::window_text,
};
use crate::{
    catalog::ColumnKind,
    logical::OnConflict,
    physical::node::{
        CalcSpec, Distribution, ExpandSpec, PhysicalNode, PhysicalOp, ScanSpec, SinkSpec, SourceWatermark,
        ValuesSpec,
    },
};

impl PhysicalOp {
    /// Name of the exec node: `GroupAggregate`.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Scan(_) => "TableSourceScan",
            Self::Values(_) => "Values",
            Self::WatermarkAssigner(_) => "WatermarkAssigner",
            Self::Calc(_) => "Calc",
            Self::Exchange(_) => "Exchange",
            Self::Expand(_) => "Expand",
            Self::MiniBatchAssigner(_) => "MiniBatchAssigner",
            Self::GroupAggregate(_) => "GroupAggregate",
            Self::LocalGroupAggregate(_) => "LocalGroupAggregate",
            Self::GlobalGroupAggregate(_) => "GlobalGroupAggregate",
            Self::IncrementalGroupAggregate(_) => "IncrementalGroupAggregate",
            Self::WindowTableFunction(_) => "WindowTableFunction",
            Self::WindowAggregate(_) => "WindowAggregate",
            Self::GroupWindowAggregate(_) => "GroupWindowAggregate",
            Self::LocalWindowAggregate(_) => "LocalWindowAggregate",
            Self::GlobalWindowAggregate(_) => "GlobalWindowAggregate",
            Self::Join(_) => "Join",
            Self::MultiJoin(_) => "MultiJoin",
            Self::OverAggregate(_) => "OverAggregate",
            Self::Rank(_) => "Rank",
            Self::WindowRank(_) => "WindowRank",
            Self::WindowDeduplicate(_) => "WindowDeduplicate",
            Self::SortLimit(_) => "SortLimit",
            Self::Limit(_) => "Limit",
            Self::TemporalSort(_) => "TemporalSort",
            Self::TimedJoin(spec) => spec.name(),
            Self::Correlate(_) => "Correlate",
            Self::Match(_) => "Match",
            Self::SinkMaterializer(_) => "SinkMaterializer",
            Self::FinalResult(_) => "FinalResult",
            Self::Union => "Union",
            Self::DropUpdateBefore => "DropUpdateBefore",
            Self::ChangelogNormalize(_) => "ChangelogNormalize",
            Self::Sink(_) => "Sink",
        }
    }
}

impl PhysicalOp {
    /// Name of what runs: a `Rank` may be run as `Deduplicate`.
    pub const fn exec_name(&self) -> &'static str {
        match self {
            Self::Rank(spec) if spec.deduplicate.is_some() => "Deduplicate",
            _ => self.name(),
        }
    }
}

/// A node as plans print it: `GroupAggregate(groupBy=[k], select=[k, COUNT(*) AS n])`.
pub(crate) fn description(node: &PhysicalNode, style: PlanStyle) -> String {
    let attributes = attributes(node, style).join(", ");
    let name = match style {
        PlanStyle::Execution => node.op.exec_name(),
        _ => node.op.name(),
    };
    if attributes.is_empty() {
        name.to_owned()
    } else {
        format!("{name}({attributes})")
    }
}

/// Puts one more attribute behind those of a line.
pub(super) fn add_attribute(line: &mut String, attribute: &str) {
    if line.ends_with(')') {
        line.pop();
        line.push_str(", ");
    } else {
        line.push('(');
    }
    line.push_str(attribute);
    line.push(')');
}

/// A `STATE_TTL` hint, which stands behind the changelog mode.
pub(super) fn trailing_hint(node: &PhysicalNode) -> Option<String> {
    match &node.op {
        PhysicalOp::GroupAggregate(spec) | PhysicalOp::GlobalGroupAggregate(spec) => spec
            .ttl_hint
            .as_ref()
            .map(|ttl| format!("stateTtlHints=[[[STATE_TTL options:[{ttl}]]]]")),
        PhysicalOp::Join(spec) => join::hints(&spec.hints),
        _ => None,
    }
}

/// The name of a column, `?` of one that is not there.
pub(super) fn name_of(column: u32, fields: &[Field]) -> &str {
    fields.get(column as usize).map_or("?", |field| &field.name)
}

/// Names of columns, with commas.
pub(super) fn names(columns: &[u32], fields: &[Field]) -> String {
    columns
        .iter()
        .map(|column| name_of(*column, fields))
        .gather::<Vec<_>>()
        .join(", ")
}

pub(super) fn all_names(fields: &[Field]) -> String {
    fields
        .iter()
        .map(|field| &*field.name)
        .gather::<Vec<_>>()
        .join(", ")
}

fn attributes(node: &PhysicalNode, style: PlanStyle) -> Vec<String> {
    let input = node
        .inputs
        .first()
        .map(|input| &*input.schema)
        .unwrap_or_default();
    let output = &*node.schema;
    match &node.op {
        PhysicalOp::Scan(spec) => scan(spec, output, style),
        PhysicalOp::Values(spec) => values(spec, output, style),
        PhysicalOp::WatermarkAssigner(spec) => vec![
            format!("rowtime=[{}]", name_of(spec.rowtime, input)),
            format!("watermark=[{}]", expression(&spec.expression, input, style)),
        ],
        PhysicalOp::Calc(spec) => calc(spec, input, output, style),
        PhysicalOp::Exchange(distribution) => vec![format!(
            "distribution=[{}]",
            distribution_text(distribution, input)
        )],
        PhysicalOp::Expand(spec) => vec![expand(spec, input, output, style)],
        PhysicalOp::GroupAggregate(spec)
        | PhysicalOp::LocalGroupAggregate(spec)
        | PhysicalOp::GlobalGroupAggregate(spec) => aggregate::grouped(&node.op, spec, (input, output)),
        PhysicalOp::IncrementalGroupAggregate(spec) => aggregate::incremental(spec, input),
        PhysicalOp::MiniBatchAssigner(spec) => aggregate::bundles(*spec),
        PhysicalOp::WindowTableFunction(spec) => {
            vec![format!(
                "window=[{}]",
                window_text(&spec.window, &spec.partition, input)
            )]
        }
        PhysicalOp::WindowAggregate(_)
        | PhysicalOp::LocalWindowAggregate(_)
        | PhysicalOp::GlobalWindowAggregate(_) => aggregate::windows(&node.op, input, output),
        PhysicalOp::GroupWindowAggregate(spec) => group_window::attributes(spec, input),
        PhysicalOp::Join(spec) => join::attributes(node, spec, style),
        PhysicalOp::MultiJoin(spec) => multi_join::attributes(node, spec, style),
        PhysicalOp::OverAggregate(spec) => rank::over(spec, input, output),
        PhysicalOp::Rank(spec) => rank::rank(spec, input, output, style),
        PhysicalOp::WindowRank(spec) => rank::window_rank(spec, input, output),
        PhysicalOp::WindowDeduplicate(spec) => rank::window_deduplicate(spec, input),
        PhysicalOp::SortLimit(spec) => rank::sort_limit(spec, input),
        PhysicalOp::Limit(spec) => rank::limit(spec),
        PhysicalOp::TemporalSort(spec) => {
            vec![format!("orderBy=[{}]", rank::order(&spec.order, input))]
        }
        PhysicalOp::TimedJoin(spec) => timed::attributes(node, spec, style),
        PhysicalOp::Correlate(spec) => correlate::attributes(node, spec, style),
        PhysicalOp::Match(spec) => matching::attributes(spec, input, output),
        PhysicalOp::Union => vec!["all=[true]".to_owned(), format!("union=[{}]", all_names(output))],
        PhysicalOp::DropUpdateBefore => Vec::new(),
        PhysicalOp::FinalResult(keys) if keys.is_empty() => Vec::new(),
        PhysicalOp::FinalResult(keys) => vec![format!("orderBy=[{}]", rank::order(keys, input))],
        PhysicalOp::SinkMaterializer(spec) => vec![format!("key=[{}]", names(&spec.key, input))],
        PhysicalOp::ChangelogNormalize(spec) => {
            let condition = spec
                .condition
                .as_ref()
                .map(|expr| format!("condition=[{}]", expression(expr, input, style)));
            [format!("key=[{}]", names(&spec.keys, input))]
                .into_iter()
                .chain(condition)
                .gather()
        }
        PhysicalOp::Sink(spec) => sink(spec, output),
    }
}

pub(super) fn expression(expr: &Expr, input: &[Field], style: PlanStyle) -> String {
    display(expr, &|column| name_of(column, input), style)
}

/// `a`, or `expression AS a` where it is not the input's column of that name.
pub(super) fn item(expr: &Expr, input: &[Field], name: &str, style: PlanStyle) -> String {
    let text = expression(expr, input, style);
    if expr.as_column().is_some() && text == name {
        text
    } else {
        format!("{text} AS {name}")
    }
}

#[inline(never)]
fn calc(spec: &CalcSpec, input: &[Field], output: &[Field], style: PlanStyle) -> Vec<String> {
    let items: Vec<String> = spec
        .projection
        .iter()
        .zip(output)
        .map(|(expr, field)| item(expr, input, &field.name, style))
        .gather();
    let condition = spec
        .condition
        .as_ref()
        .map(|expr| format!("where=[{}]", expression(expr, input, style)));
    [format!("select=[{}]", items.join(", "))]
        .into_iter()
        .chain(condition)
        .gather()
}

/// Constants stand in a projection of Expand without their types.
#[inline(never)]
fn expand(spec: &ExpandSpec, input: &[Field], output: &[Field], style: PlanStyle) -> String {
    let sets: Vec<String> = spec
        .projections
        .iter()
        .map(|set| {
            let items: Vec<String> = set
                .iter()
                .zip(output)
                .map(|(expr, field)| match expr.as_literal() {
                    Some(value) if value.is_null() => format!("null AS {}", field.name),
                    Some(_) => format!(
                        "{} AS {}",
                        expression(expr, input, PlanStyle::Execution),
                        field.name
                    ),
                    None => item(expr, input, &field.name, style),
                })
                .gather();
            format!("{{{}}}", items.join(", "))
        })
        .gather();
    format!("projects=[{}]", sets.join(", "))
}

#[inline(never)]
fn distribution_text(distribution: &Distribution, input: &[Field]) -> String {
    match distribution {
        Distribution::Forward => "forward".to_owned(),
        Distribution::Hash(columns) => format!("hash[{}]", names(columns, input)),
        Distribution::Single => "single".to_owned(),
        Distribution::Rebalance => "rebalance".to_owned(),
    }
}

#[inline(never)]
fn scan(spec: &ScanSpec, output: &[Field], style: PlanStyle) -> Vec<String> {
    let mut path = vec![
        spec.table.place.catalog.to_string(),
        spec.table.place.database.to_string(),
        spec.table.name.to_string(),
    ];
    let columns = spec
        .columns
        .iter()
        .filter_map(|column| spec.table.columns.get(*column as usize));
    let metadata: Vec<&str> = columns
        .filter_map(|column| match &column.kind {
            ColumnKind::Metadata { key, .. } => Some(&**key),
            ColumnKind::Physical | ColumnKind::Computed { .. } => None,
        })
        .gather();
    if !metadata.is_empty() {
        path.push(format!("metadata=[{}]", metadata.join(", ")));
    }
    match &spec.watermark {
        None => {}
        Some(SourceWatermark::FromSource) => path.push("watermark=[SOURCE_WATERMARK()]".to_owned()),
        Some(SourceWatermark::PerPartition(pushed)) => {
            path.push(format!(
                "watermark=[{}]",
                expression(&pushed.expression, output, style)
            ));
            if pushed.idle_timeout_ms > 0 {
                path.push(format!("idletimeout=[{}]", pushed.idle_timeout_ms));
            }
            let strategy = spec.table.options.get("scan.watermark.emit.strategy");
            let strategy = strategy.map_or("on-periodic", String::as_str);
            path.push(format!("watermarkEmitStrategy=[{strategy}]"));
        }
    }
    let table = path.join(", ");
    let mut attributes = vec![
        format!("table=[[{table}]]"),
        format!("fields=[{}]", all_names(output)),
    ];
    if !spec.hints.is_empty() {
        let options: Vec<String> = spec
            .hints
            .iter()
            .map(|(key, value)| format!("{key}={value}"))
            .gather();
        attributes.push(format!("hints=[[[OPTIONS options:{{{}}}]]]", options.join(", ")));
    }
    attributes
}

#[inline(never)]
fn values(spec: &ValuesSpec, output: &[Field], style: PlanStyle) -> Vec<String> {
    let rows: Vec<String> = spec.rows.iter().map(|row| tuple(row, output)).gather();
    let tuples = format!("tuples=[[{}]]", rows.join(", "));
    if style == PlanStyle::Execution {
        return vec![tuples];
    }
    vec![format!("type=[{}]", super::ast::record_type(output)), tuples]
}

/// `{ 1, _UTF-16LE'a' }`
pub(super) fn tuple(row: &Row, fields: &[Field]) -> String {
    let cells: Vec<String> = row
        .iter()
        .zip(fields)
        .map(|(value, field)| {
            cell_text(&Expr::literal(
                value.clone(),
                field.data_type.clone(),
                Span::default(),
            ))
        })
        .gather();
    format!("{{ {} }}", cells.join(", "))
}

/// A constant of Values: with the character set's prefix, without its type.
fn cell_text(literal: &Expr) -> String {
    let style = match literal.data_type.kind {
        TypeKind::Char(_) | TypeKind::Varchar(_) => PlanStyle::Physical,
        _ => PlanStyle::Execution,
    };
    let text = display(literal, &|_| "?", style);
    if literal.as_literal().is_some_and(sg_value::Value::is_null) {
        return "null".to_owned();
    }
    match text.rfind("':") {
        Some(end) if style == PlanStyle::Physical => text.get(..=end).unwrap_or(&text).to_owned(),
        _ => text,
    }
}

#[inline(never)]
fn sink(spec: &SinkSpec, output: &[Field]) -> Vec<String> {
    let table = match &spec.table {
        Some(table) => table.full_name(),
        None => "*anonymous_collect$1*".to_owned(),
    };
    let mut attributes = vec![format!("table=[{table}]")];
    if let Some(columns) = &spec.target_columns {
        let columns: Vec<String> = columns.iter().map(|column| format!("[{column}]")).gather();
        attributes.push(format!("targetColumns=[{}]", columns.join(",")));
    }
    attributes.push(format!("fields=[{}]", all_names(output)));
    if spec.materialize.is_some() {
        attributes.push("upsertMaterialize=[true]".to_owned());
    }
    if let Some(strategy) = spec.on_conflict {
        let word = match strategy {
            OnConflict::Error => "ERROR",
            OnConflict::Nothing => "NOTHING",
            OnConflict::Deduplicate => "DEDUPLICATE",
        };
        attributes.push(format!("conflictStrategy=[{word}]"));
    }
    attributes
}
