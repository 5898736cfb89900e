//! INSERT INTO: what is enforced on the rows of a sink.

use std::rc::Rc;

use sg_diag::{Code, Diagnostic, Diagnostics, Span};
use sg_value::{DataType, Field, Gather as _, TypeKind};

use super::{Lowering, make};
use crate::{
    catalog::Table,
    logical::{LogicalNode, SinkNode},
    physical::node::{LengthSpec, NotNullSpec, PhysicalNode, PhysicalOp, SinkSpec},
    settings::SinkLengths,
};

/// Batch mode: what is left at the end; the rows of a top-n in its order.
pub(super) fn final_result(node: &LogicalNode, input: Rc<PhysicalNode>) -> Rc<PhysicalNode> {
    let order = match &input.op {
        PhysicalOp::FinalResult(_) => return input,
        PhysicalOp::SortLimit(spec) => spec.order.clone(),
        _ => Vec::new(),
    };
    let fields = input.schema.to_vec();
    make(node, PhysicalOp::FinalResult(order), vec![input], fields)
}

impl Lowering<'_> {
    #[inline(never)]
    pub(super) fn sink(&mut self, node: &LogicalNode, sink: &SinkNode) -> Option<Rc<PhysicalNode>> {
        if sink.overwrite {
            return self.unsupported("Sink(overwrite=[true])", node.span);
        }
        let mut input = self.lower_input(node)?;
        if self.settings.batch {
            input = final_result(node, input);
        }
        let rowtimes = rowtime_columns(&input.schema);
        if rowtimes.len() > 1 {
            let into = (&*sink.table.name, &*sink.table.full_name());
            return self.refuse(two_rowtimes(node.span, &input, &rowtimes, into));
        }
        let spec = SinkSpec {
            table: Some(Rc::clone(&sink.table)),
            target_columns: sink.columns.clone(),
            rowtime: rowtimes.first().copied(),
            not_null: self.not_null(&sink.table, &input.schema),
            lengths: self.lengths(&sink.table),
            materialize: None,
            on_conflict: sink.on_conflict,
        };
        let fields = input.schema.to_vec();
        Some(make(node, PhysicalOp::Sink(spec), vec![input], fields))
    }

    /// NOT NULL columns that the query may fill with NULL.
    fn not_null(&self, table: &Table, fields: &[Field]) -> Option<NotNullSpec> {
        let columns: Vec<u32> = (0_u32..)
            .zip(sink_types(table))
            .zip(fields)
            .filter(|((_, declared), field)| !declared.nullable && field.data_type.nullable)
            .map(|((at, _), _)| at)
            .gather();
        (!columns.is_empty()).then_some(NotNullSpec {
            columns,
            drops: self.settings.drop_nulls_at_sinks,
        })
    }

    fn lengths(&self, table: &Table) -> Option<LengthSpec> {
        let fails = match self.settings.sink_lengths {
            SinkLengths::Ignore => return None,
            SinkLengths::TrimPad => false,
            SinkLengths::Error => true,
        };
        let columns: Vec<u32> = (0_u32..)
            .zip(sink_types(table))
            .filter(|(_, declared)| has_length(declared))
            .map(|(at, _)| at)
            .gather();
        (!columns.is_empty()).then_some(LengthSpec { columns, fails })
    }
}

/// Types of the columns that an INSERT writes, in order.
fn sink_types(table: &Table) -> impl Iterator<Item = &DataType> {
    table
        .sink_columns()
        .into_iter()
        .filter_map(|column| table.columns.get(column as usize))
        .map(|column| &column.field.data_type)
}

/// Columns that are event-time attributes.
fn rowtime_columns(fields: &[Field]) -> Vec<u32> {
    (0_u32..)
        .zip(fields)
        .filter(|(_, field)| field.data_type.is_rowtime())
        .map(|(at, _)| at)
        .gather()
}

/// A row of a stream has one event time.
fn two_rowtimes(
    span: Span,
    input: &PhysicalNode,
    rowtimes: &[u32],
    (name, path): (&str, &str),
) -> Diagnostic {
    let names: Vec<String> = rowtimes
        .iter()
        .filter_map(|column| input.schema.get(*column as usize))
        .map(|field| field.name.to_string())
        .gather();
    let flink = format!(
        "TableException: The query contains more than one rowtime attribute column [{}] for writing into table '{path}'.\n\
         Please select the column that should be used as the event-time timestamp for the table sink by casting all \
         other columns to regular TIMESTAMP or TIMESTAMP_LTZ.",
        names.join(", "),
    );
    Diagnostic::new(Code::TwoRowtimesIntoSink, span)
        .arg_list("columns", names)
        .arg("sink", name)
        .flink(flink)
}

/// The sink of a bare query's result, which takes everything.
pub(in crate::physical) fn collect(
    root: &Rc<PhysicalNode>,
    diags: &mut Diagnostics,
) -> Option<Rc<PhysicalNode>> {
    let rowtimes = rowtime_columns(&root.schema);
    if rowtimes.len() > 1 {
        let into = ("*query*", "*query*");
        diags.push(two_rowtimes(root.span, root, &rowtimes, into));
        return None;
    }
    let spec = SinkSpec {
        table: None,
        target_columns: None,
        rowtime: rowtimes.first().copied(),
        not_null: None,
        lengths: None,
        materialize: None,
        on_conflict: None,
    };
    let schema = Rc::clone(&root.schema);
    Some(Rc::new(PhysicalNode::bare(
        PhysicalOp::Sink(spec),
        vec![Rc::clone(root)],
        schema,
        root.span,
    )))
}

const fn has_length(data_type: &DataType) -> bool {
    match data_type.kind {
        TypeKind::Char(_) | TypeKind::Binary(_) => true,
        TypeKind::Varchar(length) | TypeKind::Varbinary(length) => length < sg_value::data_type::MAX_LENGTH,
        _ => false,
    }
}
