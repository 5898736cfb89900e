//! Aggregations over the windows of a table function.
//!
//! Flink: `StreamPhysicalWindowAggregateRule`, `PullUpWindowTableFunctionIntoWindowAggregateRule`. The window function
//! is *folded* into the aggregation where nothing between the two looks into window columns: the aggregation then
//! assigns windows itself, by the time column. Otherwise the window is *attached*: rows bring `window_start` and
//! `window_end` with them.

use std::rc::Rc;

use sg_diag::{Code, Diagnostic};
use sg_expr::{AggregateCall, Expr};
use sg_value::{Field, Gather as _};

use super::{Lowering, condition_columns, make};
use crate::{
    logical::{AggregateNode, ExpandNode, LogicalNode, LogicalOp, WindowTvfNode, name_calls},
    physical::{
        distribution::{by, exchange},
        expression::columns_of,
        node::{
            ExpandSpec, PhysicalNode, PhysicalOp, WindowAggregateSpec, WindowKind, WindowProperty,
            WindowSource, WindowSpec, WindowTableFunctionSpec,
        },
        program::Program,
        window_property::{WindowProperties, session_columns, window_properties},
    },
};

/// The input of a window aggregation, ready to be aggregated.
struct Prepared {
    input: Rc<PhysicalNode>,
    window: WindowSpec,
    partition: Vec<u32>,
    /// By column of the logical input: its number in `input`; `None` for window columns that are gone.
    columns: Vec<Option<u32>>,
    /// The columns of `input` under the names that the aggregation gives them.
    fields: Vec<Field>,
}

/// What stands between an aggregation and its window function.
struct Fold<'a> {
    expand: Option<(&'a LogicalNode, &'a ExpandNode)>,
    program: Program,
    node: &'a LogicalNode,
    tvf: &'a WindowTvfNode,
}

impl Lowering<'_> {
    /// Appends the windows of each row.
    #[inline(never)]
    pub(super) fn window_tvf(
        &mut self,
        node: &Rc<LogicalNode>,
        tvf: &WindowTvfNode,
    ) -> Option<Rc<PhysicalNode>> {
        if tvf.window.kind.is_extension() {
            self.diags
                .push(Diagnostic::new(Code::CumulateDynamicAlone, tvf.window.span));
            return None;
        }
        let input = self.lower_input(node)?;
        let mut fields = input.schema.to_vec();
        fields.extend(node.schema.iter().skip(fields.len()).cloned());
        let spec = WindowTableFunctionSpec {
            window: tvf.window.clone(),
            partition: tvf.partition.clone(),
        };
        Some(make(
            node,
            PhysicalOp::WindowTableFunction(spec),
            vec![input],
            fields,
        ))
    }

    /// The aggregation, with a Calc above it that restores the logical column order.
    pub(super) fn window_aggregate(
        &mut self,
        node: &LogicalNode,
        aggregate: &AggregateNode,
        window: &WindowProperties,
    ) -> Option<Rc<PhysicalNode>> {
        let input = node.inputs.first()?;
        self.check_window(node, window.window.kind)?;
        let prepared = match find_fold(input).filter(|fold| fold.leaves_window_alone(aggregate, window)) {
            Some(fold) => self.fold(fold, window),
            None => self.attach(input, window),
        };
        build(node, aggregate, window, prepared?)
    }

    #[inline(never)]
    fn check_window(&mut self, node: &LogicalNode, kind: WindowKind) -> Option<()> {
        if self.settings.early_fire || self.settings.late_fire {
            self.diags.push(Diagnostic::new(Code::EmitStrategyOfLegacyWindows, node.span).flink(
                "TableException: Currently, window table function based aggregate doesn't support early-fire and late-fire \
                 configuration 'table.exec.emit.early-fire.enabled' and 'table.exec.emit.late-fire.enabled'.",
            ));
            return None;
        }
        if let WindowKind::Hop {
            slide_ms, size_ms, ..
        } = kind
            && size_ms.checked_rem(slide_ms) != Some(0)
        {
            self.diags.push(
                Diagnostic::new(Code::HopSizeNotAMultiple, node.span)
                    .arg("size", size_ms)
                    .arg("slide", slide_ms)
                    .flink(format!(
                        "TableException: HOP table function based aggregate requires size must be an integral multiple of slide, \
                         but got size {size_ms} ms and slide {slide_ms} ms"
                    )),
            );
            return None;
        }
        Some(())
    }

    /// Takes the window function away: its input, without window columns, with the time column.
    fn fold(&mut self, fold: Fold<'_>, window: &WindowProperties) -> Option<Prepared> {
        let base = fold.node.inputs.first()?;
        let base_width = u32::try_from(base.schema.len()).ok()?;
        let WindowSource::TimeColumn(time) = fold.tvf.window.source else {
            return None;
        };
        let input = self.lower(base)?;
        let partition = fold.partition_above();

        let span = fold.program.span;
        let mut program = Program {
            projection: Vec::new(),
            condition: fold.program.condition,
            fields: Vec::new(),
            span,
        };
        let mut columns = Vec::new();
        for (expr, field) in fold.program.projection.iter().zip(&fold.program.fields) {
            let is_window = expr.as_column().is_some_and(|column| column >= base_width);
            columns.push((!is_window).then_some(u32::try_from(program.projection.len()).ok()?));
            if !is_window {
                program.projection.push(expr.clone());
                program.fields.push(field.clone());
            }
        }
        let at = program
            .projection
            .iter()
            .position(|expr| expr.as_column() == Some(time));
        let mut time_at = u32::try_from(at.unwrap_or(program.projection.len())).ok()?;
        if at.is_none() {
            let field = input.schema.get(time as usize)?;
            program
                .projection
                .push(Expr::column(time, field.data_type.clone(), span));
            let name = free_name(&field.name, &program.fields);
            program.fields.push(Field {
                name,
                ..field.clone()
            });
        }
        // a program that does nothing but give names is no node, and the names stand above the aggregation only
        let mut fields = program.fields.clone();
        let mut input = if program.is_identity(input.schema.len()) {
            input
        } else if fold.expand.is_some() && window.window.kind.is_session() {
            // the exchange of the function stays where it was
            let keyed = exchange(&input, by(fold.tvf.partition.clone()));
            program.over(&keyed, Some(fold.node.id))
        } else {
            program.over(&input, Some(fold.node.id))
        };

        if let Some((node, expand)) = fold.expand {
            let (expanded, above) = expand_below(node, expand, &input, &columns, time_at)?;
            fields = expanded.schema.to_vec();
            input = expanded;
            columns = above;
            time_at = u32::try_from(input.schema.len()).ok()?.checked_sub(1)?;
        }
        let partition = partition
            .iter()
            .filter_map(|column| columns.get(*column as usize).copied().flatten())
            .gather();
        let window = WindowSpec {
            source: WindowSource::TimeColumn(time_at),
            ..window.window.clone()
        };
        Some(Prepared {
            input,
            window,
            partition,
            columns,
            fields,
        })
    }

    /// The copies of grouping sets below the SESSION function whose windows they are copied for, where nothing between
    /// looks into window columns or leaves out a key. Flink: `ExpandWindowTableFunctionTransposeRule`. Cases:
    /// window-tvf/rollup-in-session*.
    #[inline(never)]
    pub(super) fn expand_below_session(&mut self, node: &Rc<LogicalNode>) -> Option<Rc<PhysicalNode>> {
        let fold = find_fold(node)?;
        let window = window_properties(node)?;
        let keys = fold.tvf.partition.len();
        if !window.window.kind.is_session()
            || window.starts.is_empty()
            || window.ends.is_empty()
            || session_columns(node, &window).len() != keys
            || fold.reads_window()
        {
            return None;
        }
        let (tvf, base) = (fold.node, fold.node.inputs.first()?);
        let prepared = self.fold(fold, &window)?;
        let first = u32::try_from(prepared.input.schema.len()).ok()?;
        let mut fields = prepared.input.schema.to_vec();
        fields.extend(tvf.schema.iter().skip(base.schema.len()).cloned());
        let place = |at: u32| {
            let of_window = [&window.starts, &window.ends, &window.times];
            let column = prepared.columns.get(at as usize).copied().flatten();
            let among = || {
                (first..)
                    .zip(of_window)
                    .find(|(_, columns)| columns.contains(&at))
            };
            column.or_else(|| among().map(|(column, _)| column))
        };
        let projection = (0_u32..)
            .zip(node.schema.iter())
            .map(|(at, field)| Some(Expr::column(place(at)?, field.data_type.clone(), node.span)))
            .collect::<Option<_>>()?;
        let spec = WindowTableFunctionSpec {
            window: prepared.window,
            partition: prepared.partition,
        };
        let op = PhysicalOp::WindowTableFunction(spec);
        let windows = make(tvf, op, vec![prepared.input], fields);
        let above = Program {
            projection,
            condition: None,
            fields: node.schema.to_vec(),
            span: node.span,
        };
        Some(above.over(&windows, Some(node.id)))
    }

    /// Leaves the window columns in the rows.
    fn attach(&mut self, input: &Rc<LogicalNode>, window: &WindowProperties) -> Option<Prepared> {
        let physical = self.lower(input)?;
        let source = WindowSource::Attached {
            start: window.starts.first().copied(),
            end: *window.ends.first()?,
        };
        let columns = (0..u32::try_from(input.schema.len()).ok()?).map(Some).gather();
        let window = WindowSpec {
            source,
            ..window.window.clone()
        };
        let partition = if window.kind.is_session() {
            find_fold(input).map(|fold| fold.partition_above())
        } else {
            None
        };
        Some(Prepared {
            fields: physical.schema.to_vec(),
            input: physical,
            window,
            partition: partition.unwrap_or_default(),
            columns,
        })
    }
}

/// Whether an aggregation over window columns is a window aggregation: every grouping set has start and end, and for
/// a SESSION the other keys are exactly its partition.
pub(super) fn is_window_aggregate(
    input: &Rc<LogicalNode>,
    aggregate: &AggregateNode,
    window: &WindowProperties,
) -> bool {
    if !window.is_grouped_by(aggregate) {
        return false;
    }
    if !window.window.kind.is_session() {
        return true;
    }
    let partition = find_fold(input).map(|fold| fold.partition_above());
    partition.is_some_and(|partition| is_same_set(&partition, &other_keys(aggregate, window)))
}

/// Group keys that are no window columns.
fn other_keys(aggregate: &AggregateNode, window: &WindowProperties) -> Vec<u32> {
    aggregate
        .keys
        .iter()
        .copied()
        .filter(|key| !window.contains(*key))
        .gather()
}

/// The window function below an aggregation's input, with only projections, filters and one Expand between.
fn find_fold(input: &Rc<LogicalNode>) -> Option<Fold<'_>> {
    let (expand, below) = match &input.op {
        LogicalOp::Expand(expand) => (Some((input.as_ref(), expand)), input.inputs.first()?),
        _ => (None, input),
    };
    let (program, node) = Program::of_chain(below);
    let LogicalOp::WindowTvf(tvf) = &node.op else {
        return None;
    };
    Some(Fold {
        expand,
        program,
        node,
        tvf,
    })
}

impl Fold<'_> {
    /// Whether nothing above the window function computes with window columns.
    fn leaves_window_alone(&self, aggregate: &AggregateNode, window: &WindowProperties) -> bool {
        let read_by_calls = aggregate.calls.iter().any(|call| {
            call.args
                .iter()
                .chain(&call.filter)
                .any(|column| window.contains(*column))
        });
        !read_by_calls && !self.reads_window()
    }

    /// Whether the program computes with window columns.
    fn reads_window(&self) -> bool {
        let Some(base) = self.node.inputs.first() else {
            return true;
        };
        let is_window = |column: &u32| *column as usize >= base.schema.len();
        let read_by_expressions = self
            .program
            .projection
            .iter()
            .filter(|expr| expr.as_column().is_none())
            .any(|expr| columns_of(expr).iter().any(is_window));
        read_by_expressions || condition_columns(&self.program).iter().any(is_window)
    }

    /// The partition columns of a SESSION as the aggregation's input numbers them; columns that are gone are left
    /// out.
    fn partition_above(&self) -> Vec<u32> {
        (0_u32..)
            .zip(&self.program.projection)
            .filter(|(_, expr)| {
                expr.as_column()
                    .is_some_and(|column| self.tvf.partition.contains(&column))
            })
            .map(|(at, _)| at)
            .gather()
    }
}

fn is_same_set(left: &[u32], right: &[u32]) -> bool {
    left.len() == right.len() && left.iter().all(|column| right.contains(column))
}

/// The Expand under the window function: `[columns…, $e, time]`.
fn expand_below(
    node: &LogicalNode,
    expand: &ExpandNode,
    input: &Rc<PhysicalNode>,
    columns: &[Option<u32>],
    time_at: u32,
) -> Option<(Rc<PhysicalNode>, Vec<Option<u32>>)> {
    let time = input.schema.get(time_at as usize)?;
    let is_window = |expr: &Expr| {
        expr.as_column()
            .is_some_and(|column| columns.get(column as usize).copied().flatten().is_none())
    };
    let first = expand.projections.first()?;
    let kept: Vec<bool> = first.iter().map(|expr| !is_window(expr)).gather();
    let projections = expand
        .projections
        .iter()
        .map(|set| {
            let passed = set.iter().zip(&kept).filter(|(_, kept)| **kept).map(|(expr, _)| {
                expr.map_columns(&mut |column| {
                    columns.get(column as usize).copied().flatten().unwrap_or(column)
                })
            });
            passed
                .chain([Expr::column(time_at, time.data_type.clone(), node.span)])
                .gather()
        })
        .gather();
    let mut fields: Vec<Field> = node
        .schema
        .iter()
        .zip(&kept)
        .filter(|(_, kept)| **kept)
        .map(|(field, _)| field.clone())
        .gather();
    fields.push(time.clone());
    let mut next = 0;
    let above = kept
        .iter()
        .map(|kept| {
            let at = kept.then_some(next);
            next += u32::from(*kept);
            at
        })
        .gather();
    Some((
        make(
            node,
            PhysicalOp::Expand(ExpandSpec { projections }),
            vec![Rc::clone(input)],
            fields,
        ),
        above,
    ))
}

/// The aggregation and the Calc above it.
fn build(
    node: &LogicalNode,
    aggregate: &AggregateNode,
    window: &WindowProperties,
    prepared: Prepared,
) -> Option<Rc<PhysicalNode>> {
    let Prepared {
        input,
        window: spec,
        partition,
        columns,
        fields: named,
    } = prepared;
    let moved = |column: u32| columns.get(column as usize).copied().flatten();
    let keys = other_keys(aggregate, window);
    let physical_keys: Vec<u32> = keys.iter().map(|key| moved(*key)).gather::<Option<_>>()?;
    let mut calls: Vec<AggregateCall> = aggregate
        .calls
        .iter()
        .map(|call| renumbered(call, &moved))
        .gather::<Option<_>>()?;
    let taken: Vec<Rc<str>> = physical_keys
        .iter()
        .filter_map(|key| named.get(*key as usize))
        .map(|field| Rc::clone(&field.name))
        .gather();
    name_again(&mut calls, aggregate.keys.len(), &taken);
    let properties = window_columns(aggregate, window, spec.rowtime);

    let mut fields: Vec<Field> = physical_keys
        .iter()
        .filter_map(|key| named.get(*key as usize))
        .cloned()
        .gather();
    fields.extend(calls.iter().map(|call| Field {
        name: Rc::clone(&call.name),
        data_type: call.data_type.clone(),
    }));
    let logical_input = node.inputs.first()?;
    for (key, property) in &properties {
        let data_type = logical_input.schema.get(*key as usize)?.data_type.clone();
        fields.push(Field {
            name: property_name(*property, &fields),
            data_type,
        });
    }

    // The logical output is [keys in GROUP BY order…, calls…], the physical one [other keys…, calls…, properties…].
    let call_count = calls.len();
    let place = |key: &u32| {
        let among_keys = keys.iter().position(|other| other == key);
        let among_properties = || properties.iter().position(|(column, _)| column == key);
        among_keys.or_else(|| among_properties().map(|at| keys.len() + call_count + at))
    };
    let calls_at = (0..call_count).map(|at| Some(keys.len() + at));
    let projection = aggregate
        .keys
        .iter()
        .map(place)
        .chain(calls_at)
        .map(|at| {
            let at = at?;
            Some(Expr::column(
                u32::try_from(at).ok()?,
                fields.get(at)?.data_type.clone(),
                node.span,
            ))
        })
        .gather::<Option<Vec<_>>>()?;

    let spec = WindowAggregateSpec {
        keys: physical_keys,
        window: spec,
        partition,
        calls,
        properties: properties.into_iter().map(|(_, property)| property).gather(),
        record_counter: None,
        visible_calls: u32::try_from(call_count).ok()?,
    };
    let result = make(node, PhysicalOp::WindowAggregate(spec), vec![input], fields);
    let above = Program {
        projection,
        condition: None,
        fields: node.schema.to_vec(),
        span: node.span,
    };
    Some(above.over(&result, Some(node.id)))
}

/// Window columns have their own names in the aggregation, whatever the query calls them; a second one of a kind gets
/// a number.
fn property_name(property: WindowProperty, before: &[Field]) -> Rc<str> {
    let name = match property {
        WindowProperty::Start => "window_start",
        WindowProperty::End => "window_end",
        WindowProperty::Rowtime | WindowProperty::Proctime => "window_time",
    };
    let taken = |candidate: &str| before.iter().any(|field| &*field.name == candidate);
    let numbered = (0..).map(|number| format!("{name}{number}"));
    let free = [name.to_owned()]
        .into_iter()
        .chain(numbered)
        .find(|candidate| !taken(candidate));
    Rc::from(free.unwrap_or_default())
}

/// A name that was made up for the place among all group keys is made up again, without window columns among them.
fn name_again(calls: &mut [AggregateCall], keys: usize, keys_left: &[Rc<str>]) {
    for (at, call) in calls.iter_mut().enumerate() {
        let made_up = format!("$f{}", keys + at);
        let rest = call.name.strip_prefix(&*made_up);
        // a number behind it told it from a key of that name
        if rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('_')) {
            call.name = Rc::from("");
        }
    }
    name_calls(calls, keys_left);
}

/// A call over other columns.
fn renumbered(call: &AggregateCall, moved: &impl Fn(u32) -> Option<u32>) -> Option<AggregateCall> {
    let args = call.args.iter().map(|arg| moved(*arg)).gather::<Option<_>>()?;
    let filter = match call.filter {
        Some(column) => Some(moved(column)?),
        None => None,
    };
    Some(AggregateCall {
        args,
        filter,
        ..call.clone()
    })
}

/// The name, or the first of `ts_0`, `ts_1` … that no column has: a value of the time may have its name.
fn free_name(name: &Rc<str>, fields: &[Field]) -> Rc<str> {
    let mut free = Rc::clone(name);
    let mut number = 0_u32;
    while fields.iter().any(|field| field.name == free) {
        free = Rc::from(format!("{name}_{number}"));
        number += 1;
    }
    free
}

/// Window columns among the group keys: all starts, then ends, then times, each in GROUP BY order.
fn window_columns(
    aggregate: &AggregateNode,
    window: &WindowProperties,
    rowtime: bool,
) -> Vec<(u32, WindowProperty)> {
    let time = if rowtime {
        WindowProperty::Rowtime
    } else {
        WindowProperty::Proctime
    };
    let kinds = [
        (&window.starts, WindowProperty::Start),
        (&window.ends, WindowProperty::End),
        (&window.times, time),
    ];
    kinds
        .into_iter()
        .flat_map(|(members, property)| {
            aggregate
                .keys
                .iter()
                .filter(|key| members.contains(key))
                .map(move |key| (*key, property))
        })
        .gather()
}
