//! DISTINCT calls in batch: the values are grouped first, then the groups are counted.
//!
//! Flink: `FlinkAggregateExpandDistinctAggregatesRule`. Where calls take different values, or all rows, each row is repeated
//! once per set of values with `$e` as the number of the set, and what takes all rows is computed in the first step and
//! passed through MIN in the second. Cases: batch/count-distinct*.

use std::rc::Rc;

use sg_diag::{Diagnostics, Span};
use sg_expr::{AggregateCall, AggregateContext, Expr, cast_exactly, resolve_aggregate, resolve_call};
use sg_value::{DataType, Field, Gather as _, TypeKind, Value};

use super::aggregate::visible;
use crate::physical::node::{CalcSpec, ExpandSpec, GroupAggregateSpec, PhysicalNode, PhysicalOp};

/// The tree with DISTINCT calls of several sets of values in two steps.
pub(super) fn expanded(node: &Rc<PhysicalNode>) -> Rc<PhysicalNode> {
    let inputs: Vec<Rc<PhysicalNode>> = node.inputs.iter().map(expanded).gather();
    let node = Rc::new(node.with_inputs(inputs));
    let found = match &node.op {
        PhysicalOp::GroupAggregate(spec) if in_two_steps(spec).is_none() => {
            Steps::of(spec, &node).and_then(|steps| steps.build())
        }
        _ => None,
    };
    found.unwrap_or(node)
}

/// Whether duplicates matter to the call.
fn is_distinct(call: &AggregateCall) -> bool {
    call.distinct && !matches!(call.function.name, "MIN" | "MAX")
}

/// Where all calls take the same values: the aggregation that finds them, and the one over them.
pub(super) fn in_two_steps(spec: &GroupAggregateSpec) -> Option<(GroupAggregateSpec, GroupAggregateSpec)> {
    let calls = visible(spec);
    let first = calls.first()?;
    let same = |call: &AggregateCall| {
        is_distinct(call) && call.args == first.args && call.filter.is_none() && call.args.len() == 1
    };
    if !calls.iter().all(same) || first.args.iter().all(|arg| spec.keys.contains(arg)) {
        return None;
    }
    let keys = sorted(spec.keys.iter().chain(&first.args));
    let at = |column: u32| place(&keys, column);
    let counted = GroupAggregateSpec {
        keys: spec.keys.iter().map(|key| at(*key)).gather(),
        calls: calls
            .iter()
            .map(|call| AggregateCall {
                args: call.args.iter().map(|arg| at(*arg)).gather(),
                distinct: false,
                ..call.clone()
            })
            .gather(),
        ..spec.clone()
    };
    Some((grouped(spec, keys, Vec::new()), counted))
}

fn sorted<'a>(columns: impl Iterator<Item = &'a u32>) -> Vec<u32> {
    let mut columns: Vec<u32> = columns.copied().gather();
    columns.sort_unstable();
    columns.dedup();
    columns
}

fn place(columns: &[u32], column: u32) -> u32 {
    let at = columns.iter().position(|known| *known == column);
    at.and_then(|at| u32::try_from(at).ok()).unwrap_or(u32::MAX)
}

fn grouped(spec: &GroupAggregateSpec, keys: Vec<u32>, calls: Vec<AggregateCall>) -> GroupAggregateSpec {
    GroupAggregateSpec {
        keys,
        visible_calls: u32::try_from(calls.len()).unwrap_or(0),
        calls,
        record_counter: None,
        ..spec.clone()
    }
}

fn call(name: &str, args: Vec<Expr>) -> Expr {
    resolve_call(name, args, Span::default(), &mut Diagnostics::new())
}

fn number(number: u32) -> Expr {
    let int = DataType::not_null(TypeKind::Int);
    Expr::literal(Value::Int(i64::from(number)), int, Span::default())
}

fn column(at: usize, fields: &[Field]) -> Option<Expr> {
    let data_type = fields.get(at)?.data_type.clone();
    Some(Expr::column(u32::try_from(at).ok()?, data_type, Span::default()))
}

/// A DISTINCT aggregation taken apart.
struct Steps<'a> {
    spec: &'a GroupAggregateSpec,
    node: &'a PhysicalNode,
    input: &'a Rc<PhysicalNode>,
    /// Columns of the first step's groups: keys, values and filters of DISTINCT calls.
    groups: Vec<u32>,
    /// By call: the number of its set; that of all rows for the others.
    of_call: Vec<u32>,
    /// Numbers of sets in order.
    sets: Vec<u32>,
}

impl<'a> Steps<'a> {
    fn of(spec: &'a GroupAggregateSpec, node: &'a PhysicalNode) -> Option<Self> {
        let calls = visible(spec);
        let values = |call: &'a AggregateCall| call.args.iter().chain(&call.filter);
        let distinct = calls.iter().filter(|call| is_distinct(call));
        let groups = sorted(spec.keys.iter().chain(distinct.flat_map(values)));
        // more than a number has bits for stay in one step
        (groups.len() < u32::BITS as usize).then_some(())?;
        // a bit for each group column that is left out, the last one the lowest
        let number = |call: &'a AggregateCall| -> u32 {
            let takes = |column: &u32| {
                spec.keys.contains(column) || is_distinct(call) && values(call).any(|own| own == column)
            };
            groups
                .iter()
                .fold(0, |bits, column| bits << 1 | u32::from(!takes(column)))
        };
        let of_call: Vec<u32> = calls.iter().map(number).gather();
        let sets = sorted(of_call.iter());
        (calls.iter().any(is_distinct) && sets.len() > 1).then_some(())?;
        Some(Self {
            spec,
            node,
            input: node.inputs.first()?,
            groups,
            of_call,
            sets,
        })
    }

    fn make(&self, op: PhysicalOp, input: Rc<PhysicalNode>, fields: Vec<Field>) -> Rc<PhysicalNode> {
        Rc::new(PhysicalNode::bare(
            op,
            vec![input],
            Rc::from(fields),
            self.node.span,
        ))
    }

    fn build(&self) -> Option<Rc<PhysicalNode>> {
        let (repeated, copies) = self.repeated()?;
        let first = self.first_step(repeated, &copies)?;
        let flagged = self.flagged(first)?;
        let second = self.second_step(flagged)?;
        self.never_null(second)
    }

    fn plain(&self) -> impl Iterator<Item = &'a AggregateCall> {
        visible(self.spec).iter().filter(|call| !is_distinct(call))
    }

    /// Each row once per set, with the values of other sets as NULL; columns that are values and arguments beside have
    /// a copy.
    fn repeated(&self) -> Option<(Rc<PhysicalNode>, Vec<u32>)> {
        let fields = &self.input.schema;
        let width = fields.len();
        let hidden = |column: &u32| self.groups.contains(column) && !self.spec.keys.contains(column);
        let args = self.plain().flat_map(|call| call.args.iter().chain(&call.filter));
        let copies: Vec<u32> = sorted(args).into_iter().filter(hidden).gather();
        let project = |set: &u32| {
            let cell = |at: usize| {
                let own = place(&self.groups, u32::try_from(at).ok()?);
                let last = u32::try_from(self.groups.len()).ok()?.checked_sub(1)?;
                let expr = column(at, fields)?;
                let left_out = own <= last && set >> (last - own) & 1 == 1;
                Some(if left_out {
                    let data_type = expr.data_type.with_nullable(true);
                    Expr::literal(Value::Null, data_type, expr.span)
                } else {
                    expr
                })
            };
            let copied = copies.iter().map(|copy| column(*copy as usize, fields));
            let cells = (0..width).map(cell).chain([Some(number(*set))]).chain(copied);
            cells.gather::<Option<Vec<Expr>>>()
        };
        let projections = self.sets.iter().map(project).gather::<Option<Vec<_>>>()?;
        let mut schema: Vec<Field> = fields.to_vec();
        for column in self.groups.iter().filter(|column| hidden(column)) {
            let field = schema.get_mut(*column as usize)?;
            field.data_type = field.data_type.with_nullable(true);
        }
        schema.push(Field {
            name: Rc::from("$e"),
            data_type: DataType::not_null(TypeKind::BigInt),
        });
        for copy in &copies {
            let field = fields.get(*copy as usize)?;
            schema.push(Field {
                name: Rc::from(format!("{}_0", field.name)),
                data_type: field.data_type.clone(),
            });
        }
        let op = PhysicalOp::Expand(ExpandSpec { projections });
        Some((self.make(op, Rc::clone(self.input), schema), copies))
    }

    /// The groups, with what takes all rows.
    fn first_step(&self, input: Rc<PhysicalNode>, copies: &[u32]) -> Option<Rc<PhysicalNode>> {
        let width = u32::try_from(self.input.schema.len()).ok()?;
        let at = |column: &u32| match copies.iter().position(|copy| copy == column) {
            Some(copy) => Some(width + 1 + u32::try_from(copy).ok()?),
            None => Some(*column),
        };
        let calls = self.plain().map(|call| {
            let args = call.args.iter().map(at).gather::<Option<_>>()?;
            let filter = match &call.filter {
                Some(filter) => Some(at(filter)?),
                None => None,
            };
            Some(AggregateCall {
                args,
                filter,
                distinct: false,
                ..call.clone()
            })
        });
        let calls = calls.gather::<Option<Vec<AggregateCall>>>()?;
        let keys: Vec<u32> = self.groups.iter().copied().chain([width]).gather();
        let mut fields = keys
            .iter()
            .map(|key| input.schema.get(*key as usize).cloned())
            .gather::<Option<Vec<Field>>>()?;
        fields.extend(calls.iter().map(|call| Field {
            name: Rc::clone(&call.name),
            data_type: call.data_type.clone(),
        }));
        let op = PhysicalOp::GroupAggregate(grouped(self.spec, keys, calls));
        Some(self.make(op, input, fields))
    }

    /// Flags of the sets beside what is used above: keys, values and results.
    fn flagged(&self, input: Rc<PhysicalNode>) -> Option<Rc<PhysicalNode>> {
        let fields = &input.schema;
        let marker = column(self.groups.len(), fields)?;
        let (last, others) = self.sets.split_last()?;
        let mut branches = Vec::new();
        for set in others {
            branches.push(call("=", vec![marker.clone(), number(*set)]));
            branches.push(number(*set));
        }
        branches.push(number(*last));
        let chosen = call("CASE", branches);
        let used = |column: &u32| {
            let distinct = visible(self.spec).iter().filter(|call| is_distinct(call));
            self.spec.keys.contains(column) || distinct.flat_map(|call| &call.args).any(|arg| arg == column)
        };
        let mut columns: Vec<usize> = (0..)
            .zip(&self.groups)
            .filter(|(_, column)| used(column))
            .map(|(at, _)| at)
            .gather();
        columns.extend(self.groups.len() + 1..fields.len());
        let mut projection = columns
            .iter()
            .map(|at| column(*at, fields))
            .gather::<Option<Vec<Expr>>>()?;
        let mut schema = columns
            .iter()
            .map(|at| fields.get(*at).cloned())
            .gather::<Option<Vec<Field>>>()?;
        for set in &self.sets {
            let mut flag = call("=", vec![chosen.clone(), number(*set)]);
            let mut calls = visible(self.spec).iter().zip(&self.of_call);
            let filter =
                calls.find_map(|(call, own)| call.filter.filter(|_| is_distinct(call) && own == set));
            if let Some(filter) = filter {
                let filter = column(place(&self.groups, filter) as usize, fields)?;
                flag = call("AND", vec![flag, call("IS TRUE", vec![filter])]);
            }
            schema.push(Field {
                name: Rc::from(format!("$g_{set}")),
                data_type: flag.data_type.clone(),
            });
            projection.push(flag);
        }
        let calc = CalcSpec {
            projection,
            condition: None,
        };
        Some(self.make(PhysicalOp::Calc(calc), input, schema))
    }

    fn second_step(&self, input: Rc<PhysicalNode>) -> Option<Rc<PhysicalNode>> {
        let fields = Rc::clone(&input.schema);
        let named = |name: &str| {
            let at = fields.iter().position(|field| &*field.name == name);
            at.and_then(|at| u32::try_from(at).ok())
        };
        let of_input = |column: &u32| named(&self.input.schema.get(*column as usize)?.name);
        let mut schema = Vec::new();
        let keys = self.spec.keys.iter().map(of_input).gather::<Option<Vec<u32>>>()?;
        schema.extend(keys.iter().filter_map(|key| fields.get(*key as usize).cloned()));
        let mut calls = Vec::new();
        for (own, set) in visible(self.spec).iter().zip(&self.of_call) {
            let filter = Some(named(&format!("$g_{set}"))?);
            let call = if is_distinct(own) {
                AggregateCall {
                    args: own.args.iter().map(of_input).gather::<Option<_>>()?,
                    distinct: false,
                    filter,
                    ..own.clone()
                }
            } else {
                let cx = AggregateContext {
                    distinct: false,
                    filtered: true,
                    grouped: !keys.is_empty(),
                };
                let arg_types = [own.data_type.clone()];
                let (function, data_type) =
                    resolve_aggregate("MIN", &arg_types, cx, own.span, &mut Diagnostics::new())?;
                AggregateCall {
                    function,
                    args: vec![named(&own.name)?],
                    arg_types: arg_types.to_vec(),
                    filter,
                    distinct: false,
                    data_type: data_type.with_nullable(true),
                    ..own.clone()
                }
            };
            schema.push(Field {
                name: Rc::clone(&call.name),
                data_type: call.data_type.clone(),
            });
            calls.push(call);
        }
        let op = PhysicalOp::GroupAggregate(grouped(self.spec, keys, calls));
        Some(self.make(op, input, schema))
    }

    /// What is never NULL is so again.
    fn never_null(&self, input: Rc<PhysicalNode>) -> Option<Rc<PhysicalNode>> {
        let fields = &input.schema;
        let mut changed = false;
        let cells = fields.iter().zip(self.node.schema.iter()).enumerate();
        let cells = cells.map(|(at, (field, own))| {
            let expr = column(at, fields)?;
            if !field.data_type.nullable || own.data_type.nullable || at < self.spec.keys.len() {
                return Some(expr);
            }
            changed = true;
            Some(if self.spec.keys.is_empty() {
                let some = call("IS NOT NULL", vec![expr.clone()]);
                call("CASE", vec![some, expr, number(0)])
            } else {
                cast_exactly(expr, &own.data_type)
            })
        });
        let projection = cells.gather::<Option<Vec<Expr>>>()?;
        if !changed {
            return Some(input);
        }
        let calc = CalcSpec {
            projection,
            condition: None,
        };
        let schema = self.node.schema.to_vec();
        Some(self.make(PhysicalOp::Calc(calc), input, schema))
    }
}
