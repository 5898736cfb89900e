//! Joins by an interval, within equal windows, with the version of a row, and with a table that is looked up.

use std::{mem::discriminant, rc::Rc};

use sg_diag::{Code, Diagnostic};
use sg_expr::{Expr, ExprKind};
use sg_value::{DataType, Field, Gather as _, TypeKind};

use super::{Lowering, make};
use crate::{
    logical::{JoinNode, LogicalNode, always, is_always, join_schema},
    physical::{
        expression::{call, conjunction},
        join::EquiKeys,
        keys,
        multi_join::chain,
        node::{PhysicalNode, PhysicalOp, WindowSpec},
        timed::{
            IntervalBounds, IntervalJoinSpec, JoinCore, LOGICAL_CONDITION, TemporalJoinSpec, Timed,
            TimedJoinSpec, VersionTimes, WindowJoinSpec, timed,
        },
    },
};

impl Lowering<'_> {
    /// The join as one that knows about time, or as a regular one.
    #[inline(never)]
    pub(super) fn any_join(&mut self, node: &LogicalNode, join: &JoinNode) -> Option<Rc<PhysicalNode>> {
        let [left, right] = node.inputs.as_slice() else {
            return None;
        };
        match timed(join, left, right) {
            Timed::Regular => match chain(node, self.settings) {
                Some(chain) => self.multi_join(node, chain),
                None => self.join(node, join),
            },
            Timed::Lookup => self.lookup_join(node, join, (left, right)),
            Timed::Interval(bounds, rest) => self.interval_join(node, join, (bounds, rest)),
            Timed::Window(windows, rest) => self.window_join(node, join, (*windows, rest)),
            Timed::Temporal(times, rest) => self.temporal_join(node, join, (times, rest)),
        }
    }

    fn interval_join(
        &mut self,
        node: &LogicalNode,
        join: &JoinNode,
        (bounds, rest): (IntervalBounds, Vec<Expr>),
    ) -> Option<Rc<PhysicalNode>> {
        let inputs = self.lower_inputs(node)?;
        let has_rowtime = inputs
            .iter()
            .flat_map(|input| input.schema.iter())
            .any(|field| field.data_type.is_rowtime());
        if !bounds.rowtime && has_rowtime {
            self.diags.push(
                Diagnostic::new(Code::ProctimeIntervalJoinWithRowtime, node.span).flink(
                    "TableException: Interval join with proctime attribute requires no event-time attributes are in the join inputs.",
                ),
            );
            return None;
        }
        let [left, right] = inputs.as_slice() else {
            return None;
        };
        let times = (
            &left.schema.get(bounds.left_time as usize)?.data_type,
            &right.schema.get(bounds.right_time as usize)?.data_type,
        );
        if bounds.rowtime && discriminant(&times.0.kind) != discriminant(&times.1.kind) {
            self.diags
                .push(Diagnostic::new(Code::RowtimesOfTwoKinds, node.span).flink(format!(
                    "ValidationException: Interval join with rowtime attribute requires same rowtime types, but the types are \
                     {} and {}.",
                    times.0, times.1
                )));
            return None;
        }
        let spec = IntervalJoinSpec {
            join: core(join, join.condition.clone(), rest, &inputs)?,
            bounds,
        };
        Some(timed_node(node, TimedJoinSpec::Interval(spec), inputs))
    }

    fn window_join(
        &mut self,
        node: &LogicalNode,
        join: &JoinNode,
        (windows, rest): ([WindowSpec; 2], Vec<Expr>),
    ) -> Option<Rc<PhysicalNode>> {
        let inputs = self.lower_inputs(node)?;
        if windows.iter().any(|window| !window.rowtime) {
            self.diags.push(
                Diagnostic::new(Code::ProctimeWindowJoin, node.span)
                    .flink("TableException: Processing time Window Join is not supported yet."),
            );
            return None;
        }
        let condition = conjunction(rest.clone()).unwrap_or_else(|| always(node.span));
        let spec = WindowJoinSpec {
            join: core(join, condition, rest, &inputs)?,
            windows,
        };
        Some(timed_node(node, TimedJoinSpec::Window(spec), inputs))
    }

    fn temporal_join(
        &mut self,
        node: &LogicalNode,
        join: &JoinNode,
        (times, rest): (VersionTimes, Vec<Expr>),
    ) -> Option<Rc<PhysicalNode>> {
        let inputs = self.lower_inputs(node)?;
        let mut core = core(join, join.condition.clone(), rest, &inputs)?;
        let [_, right] = inputs.as_slice() else {
            return None;
        };
        let key = self.version_key((node, join), &core.keys, right)?;
        core.condition = written_out(&join.condition, &core.keys, &key, &inputs)?;
        let spec = TemporalJoinSpec {
            join: core,
            times,
            ttl_ms: self.settings.state_ttl_ms,
        };
        Some(timed_node(node, TimedJoinSpec::Temporal(spec), inputs))
    }

    /// The key of the versioned table; the condition has to compare all of it.
    fn version_key(
        &mut self,
        (node, join): (&LogicalNode, &JoinNode),
        equi: &EquiKeys,
        right: &Rc<PhysicalNode>,
    ) -> Option<Vec<u32>> {
        if equi.right.is_empty() {
            self.diags
                .push(Diagnostic::new(Code::TemporalJoinNeedsEquality, node.span).flink(
                    "ValidationException: Currently the join key in Temporal Table Join can not be empty.",
                ));
            return None;
        }
        let known = keys::infer(right);
        let compared = |key: &&Vec<u32>| key.iter().all(|column| equi.right.contains(column));
        let key = known
            .upsert_keys
            .iter()
            .filter(compared)
            .min_by_key(|key| key.len());
        if key.is_none() {
            self.diags.push(
                Diagnostic::new(Code::TemporalJoinNeedsKey, node.span)
                    .flink(super::versions::no_key_text(node, join, equi)),
            );
        }
        key.cloned()
    }

    pub(super) fn lower_inputs(&mut self, node: &LogicalNode) -> Option<Vec<Rc<PhysicalNode>>> {
        node.inputs.iter().map(|input| self.lower(input)).gather()
    }
}

fn core(join: &JoinNode, condition: Expr, rest: Vec<Expr>, inputs: &[Rc<PhysicalNode>]) -> Option<JoinCore> {
    let width = u32::try_from(inputs.first()?.schema.len()).ok()?;
    let (keys, residual) = match conjunction(rest) {
        Some(rest) if !is_always(&rest) => EquiKeys::split(&rest, width),
        _ => (EquiKeys::default(), Vec::new()),
    };
    Some(JoinCore {
        kind: join.kind,
        condition,
        keys,
        residual: conjunction(residual),
    })
}

fn timed_node(node: &LogicalNode, spec: TimedJoinSpec, inputs: Vec<Rc<PhysicalNode>>) -> Rc<PhysicalNode> {
    let fields = match (spec.core(), inputs.as_slice()) {
        (Some(core), [left, right]) => join_schema(core.kind, &left.schema, &right.schema),
        _ => node.schema.to_vec(),
    };
    make(node, PhysicalOp::TimedJoin(Box::new(spec)), inputs, fields)
}

/// The condition of a temporal join as plans print it: with the keys of both sides and the key of the versions.
fn written_out(condition: &Expr, equi: &EquiKeys, key: &[u32], inputs: &[Rc<PhysicalNode>]) -> Option<Expr> {
    let [left, right] = inputs else {
        return None;
    };
    let width = u32::try_from(left.schema.len()).ok()?;
    let span = condition.span;
    let boolean = DataType::not_null(TypeKind::Boolean);
    let column = |fields: &[Field], at: u32, shift: u32| {
        let data_type = fields.get(at as usize).map(|field| field.data_type.clone());
        Expr::column(at + shift, data_type.unwrap_or_else(|| boolean.clone()), span)
    };
    let of_left = equi.left.iter().map(|at| column(&left.schema, *at, 0)).gather();
    let of_right = |columns: &[u32]| -> Vec<Expr> {
        let columns = columns.iter();
        columns.map(|at| column(&right.schema, *at, width)).gather()
    };
    let named = |name: &str, args: Vec<Expr>| call(name, args, boolean.clone(), span);
    let keys = [
        named("__TEMPORAL_JOIN_CONDITION_PRIMARY_KEY", of_right(key)),
        named("__TEMPORAL_JOIN_LEFT_KEY", of_left),
        named("__TEMPORAL_JOIN_RIGHT_KEY", of_right(&equi.right)),
    ];
    let parts = crate::physical::join::conjuncts(condition)
        .into_iter()
        .map(|part| match &part.kind {
            ExprKind::Call { function, args } if function.name == LOGICAL_CONDITION => {
                let args = args.iter().cloned().chain(keys.clone()).gather();
                named("__TEMPORAL_JOIN_CONDITION", args)
            }
            _ => part.clone(),
        });
    conjunction(parts.gather::<Vec<_>>())
}
