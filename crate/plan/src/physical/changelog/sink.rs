//! What a sink takes, what it asks for, and whether its key fits the query's.

use std::rc::Rc;

use sg_diag::{Code, Diagnostic, Diagnostics, Span};
use sg_value::{Gather as _, RowKind};

use super::{
    before_images::{Unsatisfied, UpdateKind, provide},
    kinds::updates,
};
use crate::{
    catalog::Table,
    logical::OnConflict,
    physical::{
        connector::{SinkAccepts, sink_accepts},
        explain::description,
        node::{ChangelogMode, MaterializeSpec, PhysicalNode, PhysicalOp, SinkSpec},
    },
    settings::{Settings, UpsertMaterialize},
};

/// The tree of a root with all changelog modes.
pub(in crate::physical) fn plan_root(
    root: &Rc<PhysicalNode>,
    settings: &Settings,
    diags: &mut Diagnostics,
) -> Option<Rc<PhysicalNode>> {
    let (PhysicalOp::Sink(spec), Some(input)) = (&root.op, root.inputs.first()) else {
        return first_wish(root, &[UpdateKind::AfterOnly, UpdateKind::BeforeAndAfter], diags);
    };
    if let Some(table) = &spec.table {
        return plan_sink(root, (spec, table), input, (settings, diags));
    }
    let input = first_wish(input, &[UpdateKind::BeforeAndAfter], diags)?;
    Some(Rc::new(root.with_inputs(vec![input])))
}

/// The tree that satisfies the first wish that can be satisfied.
fn first_wish(
    node: &Rc<PhysicalNode>,
    wishes: &[UpdateKind],
    diags: &mut Diagnostics,
) -> Option<Rc<PhysicalNode>> {
    for wish in wishes {
        match provide(node, *wish) {
            Ok(tree) => return Some(tree),
            Err(Unsatisfied::NextWish) => {}
            Err(Unsatisfied::Tombstones(node)) => {
                diags.push(
                    Diagnostic::new(Code::TombstonesBelowWatermark, node.span)
                        .flink("IndexOutOfBoundsException: 0"),
                );
                return None;
            }
        }
    }
    None
}

#[inline(never)]
fn plan_sink(
    sink: &PhysicalNode,
    (spec, table): (&SinkSpec, &Rc<Table>),
    input: &Rc<PhysicalNode>,
    (settings, diags): (&Settings, &mut Diagnostics),
) -> Option<Rc<PhysicalNode>> {
    let accepts = sink_accepts(table);
    let kinds = input.changelog_mode;
    let requested = if updates(kinds) {
        kinds.with(RowKind::UpdateBefore)
    } else {
        kinds
    };
    let mode = accepts.mode(requested);
    if let Some(refused) = refused_kinds(kinds, mode) {
        let names = (&*table.name, &*table.full_name());
        diags.push(refusal(sink.span, names, input, refused));
        return None;
    }
    let key = primary_key(table);
    let fits = key
        .as_ref()
        .is_none_or(|key| input.upsert_keys.iter().any(|other| is_same_set(key, other)));
    let wishes: &[UpdateKind] = match () {
        () if !updates(mode) => &[UpdateKind::Never],
        () if mode.contains(RowKind::UpdateBefore) || !fits => &[UpdateKind::BeforeAndAfter],
        () => &[UpdateKind::AfterOnly, UpdateKind::BeforeAndAfter],
    };
    check_on_conflict(sink, (spec, table), input, (accepts, diags))?;
    let materialize = match materializer((spec, table), input, mode, settings) {
        Materializer::NotNeeded => None,
        Materializer::Needed(materialize) => Some(materialize),
        Materializer::Unasked(materialize) => {
            refuse_key(sink, table, (input, &materialize.key, diags));
            return None;
        }
    };
    let input = first_wish(input, wishes, diags)?;
    let spec = SinkSpec {
        materialize,
        ..spec.clone()
    };
    Some(Rc::new(PhysicalNode {
        op: PhysicalOp::Sink(spec),
        ..sink.with_inputs(vec![input])
    }))
}

/// The kinds that the query sends and the sink does not take.
fn refused_kinds(kinds: ChangelogMode, mode: ChangelogMode) -> Option<(bool, bool)> {
    let refused = (updates(kinds) && !updates(mode), deletes(kinds) && !deletes(mode));
    (refused != (false, false)).then_some(refused)
}

pub(in crate::physical) const fn deletes(kinds: ChangelogMode) -> bool {
    kinds.contains(RowKind::Delete)
}

/// Why a sink that only appends cannot take the changes of a root's input; `None` where they are all inserts.
pub(in crate::physical) fn append_refusal(root: &PhysicalNode) -> Option<Diagnostic> {
    let input = match (&root.op, root.inputs.first()) {
        (PhysicalOp::Sink(_), Some(input)) => input,
        _ => root,
    };
    let refused = refused_kinds(input.changelog_mode, ChangelogMode::INSERT_ONLY)?;
    let names = ("append_sink", "default_catalog.default_database.append_sink");
    Some(refusal(root.span, names, input, refused))
}

fn refusal(
    span: Span,
    (name, full_name): (&str, &str),
    input: &PhysicalNode,
    (updated, deleted): (bool, bool),
) -> Diagnostic {
    let producer = producer(input, (updated, deleted));
    let (words, kinds): (&str, &[&str]) = match (updated, deleted) {
        (true, true) => ("update and delete", &["+U", "-U", "-D"]),
        (true, false) => ("update", &["+U", "-U"]),
        (false, _) => ("delete", &["-D"]),
    };
    let flink = format!(
        "TableException: Table sink '{full_name}' doesn't support consuming {words} changes which is produced by node {}",
        description(producer, sg_expr::PlanStyle::Execution),
    );
    Diagnostic::new(Code::SinkRefusesChanges, span)
        .arg("sink", name)
        .arg("node", producer.op.name())
        .arg_list("kinds", kinds.iter().copied())
        .label(producer.span, sg_diag::LabelText::UpdatesHere)
        .flink(flink)
}

/// The node that makes the changes: nodes that only pass kinds on are looked through.
pub(in crate::physical) fn producer(node: &PhysicalNode, refused: (bool, bool)) -> &PhysicalNode {
    let passes = match node.op {
        PhysicalOp::WatermarkAssigner(_)
        | PhysicalOp::MiniBatchAssigner(_)
        | PhysicalOp::Calc(_)
        | PhysicalOp::Exchange(_)
        | PhysicalOp::Expand(_)
        | PhysicalOp::WindowTableFunction(_)
        | PhysicalOp::Correlate(_)
        | PhysicalOp::Union
        | PhysicalOp::SinkMaterializer(_)
        | PhysicalOp::DropUpdateBefore => true,
        PhysicalOp::Scan(_)
        | PhysicalOp::FinalResult(_)
        | PhysicalOp::Values(_)
        | PhysicalOp::Join(_)
        | PhysicalOp::MultiJoin(_)
        | PhysicalOp::TimedJoin(_)
        | PhysicalOp::Match(_)
        | PhysicalOp::ChangelogNormalize(_)
        | PhysicalOp::GroupAggregate(_)
        | PhysicalOp::WindowAggregate(_)
        | PhysicalOp::GroupWindowAggregate(_)
        | PhysicalOp::LocalGroupAggregate(_)
        | PhysicalOp::IncrementalGroupAggregate(_)
        | PhysicalOp::GlobalGroupAggregate(_)
        | PhysicalOp::LocalWindowAggregate(_)
        | PhysicalOp::GlobalWindowAggregate(_)
        | PhysicalOp::OverAggregate(_)
        | PhysicalOp::Rank(_)
        | PhysicalOp::WindowRank(_)
        | PhysicalOp::WindowDeduplicate(_)
        | PhysicalOp::SortLimit(_)
        | PhysicalOp::Limit(_)
        | PhysicalOp::TemporalSort(_)
        | PhysicalOp::Sink(_) => false,
    };
    let sends = |input: &&Rc<PhysicalNode>| {
        let kinds = input.changelog_mode;
        (refused.0 && updates(kinds)) || (refused.1 && deletes(kinds))
    };
    match node.inputs.iter().find(sends) {
        Some(input) if passes => producer(input, refused),
        _ => node,
    }
}

/// The primary key as positions within the columns that an INSERT writes.
fn primary_key(table: &Table) -> Option<Vec<u32>> {
    let written = table.sink_columns();
    let place = |column: &u32| {
        (0_u32..)
            .zip(&written)
            .find(|(_, other)| *other == column)
            .map(|(at, _)| at)
    };
    table.primary_key.as_ref()?.iter().map(place).gather()
}

fn is_same_set(left: &[u32], right: &[u32]) -> bool {
    left.len() == right.len() && left.iter().all(|column| right.contains(column))
}

fn is_subset(part: &[u32], whole: &[u32]) -> bool {
    part.iter().all(|column| whole.contains(column))
}

/// ON CONFLICT is for sinks that upsert; ERROR and NOTHING need a watermark on every source.
fn check_on_conflict(
    sink: &PhysicalNode,
    (spec, table): (&SinkSpec, &Table),
    input: &PhysicalNode,
    (accepts, diags): (SinkAccepts, &mut Diagnostics),
) -> Option<()> {
    let Some(strategy) = spec.on_conflict else {
        return Some(());
    };
    let appends = input.changelog_mode.is_insert_only();
    let upserts = accepts == SinkAccepts::Upsert && table.primary_key.is_some() && !appends;
    if !upserts {
        let (kinds, reason): (&[&str], &str) = match accepts {
            _ if appends && accepts != SinkAccepts::Retract => {
                (&["+I"], "it only accepts INSERT (append-only) changes")
            }
            SinkAccepts::Append => (&["+I"], "it only accepts INSERT (append-only) changes"),
            SinkAccepts::Upsert => (&["+I", "+U", "-D"], "it has no primary key"),
            SinkAccepts::Retract | SinkAccepts::All => (
                &["+I", "-U", "+U", "-D"],
                "it requires UPDATE_BEFORE (retract mode)",
            ),
        };
        diags.push(
            Diagnostic::new(Code::OnConflictNeedsUpsertSink, sink.span)
                .arg("sink", &table.name)
                .arg_list("kinds", kinds.iter().copied())
                .flink(format!(
                    "ValidationException: ON CONFLICT clause is only allowed for upsert sinks. The sink '{}' is not an upsert sink \
                     because {reason}.",
                    table.full_name()
                )),
        );
        return None;
    }
    let word = match strategy {
        OnConflict::Deduplicate => return Some(()),
        OnConflict::Error => "ERROR",
        OnConflict::Nothing => "NOTHING",
    };
    let mut without = Vec::new();
    sources_without_watermark(input, false, &mut without);
    if without.is_empty() {
        return Some(());
    }
    let full: Vec<String> = without.iter().map(|table| table.full_name()).gather();
    diags.push(
        Diagnostic::new(Code::OnConflictNeedsWatermarks, sink.span)
            .arg("strategy", word)
            .arg_list("tables", without.iter().map(|table| table.name.to_string()))
            .flink(format!(
                "ValidationException: ON CONFLICT DO {word} requires all source tables to define watermarks, but the following source(s) do \
                 not: {}. Please add a WATERMARK declaration to these tables.",
                full.join(", ")
            )),
    );
    None
}

fn sources_without_watermark<'a>(node: &'a PhysicalNode, assigned: bool, found: &mut Vec<&'a Table>) {
    let assigned = assigned || matches!(node.op, PhysicalOp::WatermarkAssigner(_));
    if let PhysicalOp::Scan(scan) = &node.op
        && !assigned
        && scan.watermark.is_none()
    {
        found.push(&scan.table);
    }
    node.inputs
        .iter()
        .for_each(|input| sources_without_watermark(input, assigned, found));
}

/// Whether rows of different upsert keys can meet in one primary key, and what is done about it.
enum Materializer {
    /// They cannot, or nobody minds.
    NotNeeded,
    /// A history is kept in front of the sink.
    Needed(MaterializeSpec),
    /// It would be needed, and the query does not say so by ON CONFLICT.
    Unasked(MaterializeSpec),
}

/// Flink: `StreamPhysicalSink`, `FlinkChangelogModeInferenceProgram.analyzeUpsertMaterializeStrategy`.
#[inline(never)]
fn materializer(
    (spec, table): (&SinkSpec, &Table),
    input: &PhysicalNode,
    mode: ChangelogMode,
    settings: &Settings,
) -> Materializer {
    let Some(key) = primary_key(table) else {
        return Materializer::NotNeeded;
    };
    let appends = mode.is_insert_only();
    let retracts = mode.contains(RowKind::UpdateBefore);
    let deduplicates_inserts =
        input.changelog_mode.is_insert_only() && spec.on_conflict == Some(OnConflict::Deduplicate);
    let needed = match settings.upsert_materialize {
        UpsertMaterialize::None => false,
        UpsertMaterialize::Force => !retracts,
        UpsertMaterialize::Auto => {
            !appends
                && !retracts
                && !deduplicates_inserts
                && !input.upsert_keys.iter().any(|other| is_subset(other, &key))
        }
    };
    if !needed {
        return Materializer::NotNeeded;
    }
    let materialize = MaterializeSpec {
        key,
        upsert_key: smallest(&input.upsert_keys),
        on_conflict: spec.on_conflict,
        ttl_ms: settings.state_ttl_ms,
    };
    let asked = spec.on_conflict.is_some() || !settings.require_on_conflict;
    if asked || settings.upsert_materialize == UpsertMaterialize::Force {
        Materializer::Needed(materialize)
    } else {
        Materializer::Unasked(materialize)
    }
}

fn refuse_key(
    sink: &PhysicalNode,
    table: &Table,
    (input, key, diags): (&PhysicalNode, &[u32], &mut Diagnostics),
) {
    let written = table.sink_columns();
    let name = |column: u32| {
        let of_table = written
            .get(column as usize)
            .and_then(|at| table.columns.get(*at as usize));
        of_table
            .map(|column| column.field.name.to_string())
            .unwrap_or_default()
    };
    let list = |columns: &[u32]| {
        let names: Vec<String> = columns.iter().map(|column| name(*column)).gather();
        format!("[{}]", names.join(", "))
    };
    let primary_key = list(key);
    let upsert_key = smallest(&input.upsert_keys).map_or_else(String::new, |key| list(&key));
    let flink = format!(
        "ValidationException: The query has an upsert key that differs from the primary key of the sink table '{}'. Primary key: \
         {primary_key}, upsert key: {upsert_key}. This can lead to non-deterministic results when multiple records \
         with different upsert keys map to the same primary key. Please specify an ON CONFLICT clause to define how \
         conflicts should be handled: ON CONFLICT DO DEDUPLICATE (update to the latest record, state intensive, since \
         we need to keep the entire history), or ON CONFLICT DO ERROR (fail on conflict), or ON CONFLICT DO NOTHING \
         (keep first record).",
        table.full_name()
    );
    diags.push(
        Diagnostic::new(Code::SinkKeyDiffers, sink.span)
            .arg("sink", &table.name)
            .arg("primary_key", primary_key)
            .arg("upsert_key", upsert_key)
            .flink(flink),
    );
}

/// The key with the fewest columns, the first of equals.
pub(crate) fn smallest(keys: &[Vec<u32>]) -> Option<Vec<u32>> {
    keys.iter().min_by_key(|key| key.len()).cloned()
}
