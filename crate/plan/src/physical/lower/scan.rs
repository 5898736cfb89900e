//! Scans and watermarks.

use std::rc::Rc;

use super::{Lowering, make};
use crate::{
    catalog::Table,
    logical::{LogicalNode, LogicalOp, ScanNode, WatermarkNode},
    physical::{
        connector::pushes_watermarks,
        expression::{call, substitute},
        node::{
            PhysicalNode, PhysicalOp, PushedWatermarkSpec, ScanSpec, SourceWatermark, WatermarkAssignerSpec,
        },
        program::Program,
    },
    settings::parse_duration_ms,
};

impl Lowering<'_> {
    /// An operator behind the scan, or the source itself where the connector can.
    pub(super) fn watermark(
        &mut self,
        node: &LogicalNode,
        watermark: &WatermarkNode,
    ) -> Option<Rc<PhysicalNode>> {
        let input = node.inputs.first()?;
        let (program, base) = Program::of_chain(input);
        if let LogicalOp::Scan(scan) = &base.op
            && (watermark.expression.is_none() || pushes_watermarks(&scan.table))
        {
            return Some(self.push_watermark(node, watermark, program, (base, scan)));
        }
        let input = self.lower(input)?;
        let expression = watermark.expression.clone()?;
        let mut fields = input.schema.to_vec();
        let rowtime = watermark.rowtime as usize;
        if let (Some(field), Some(own)) = (fields.get_mut(rowtime), node.schema.get(rowtime)) {
            field.data_type = own.data_type.clone();
        }
        let spec = WatermarkAssignerSpec {
            rowtime: watermark.rowtime,
            expression,
            interval_ms: self.settings.watermark_interval_ms,
            idle_timeout_ms: self.settings.idle_timeout_ms,
        };
        Some(make(
            node,
            PhysicalOp::WatermarkAssigner(spec),
            vec![input],
            fields,
        ))
    }

    /// A computed rowtime stays in the Calc above the scan, as `Reinterpret(…)`, and is written out in the pushed
    /// expression.
    fn push_watermark(
        &self,
        node: &LogicalNode,
        watermark: &WatermarkNode,
        mut program: Program,
        (base, scan): (&LogicalNode, &ScanNode),
    ) -> Rc<PhysicalNode> {
        let pushed = match &watermark.expression {
            None => SourceWatermark::FromSource,
            Some(expression) => SourceWatermark::PerPartition(PushedWatermarkSpec {
                expression: substitute(expression, &program.projection),
                interval_ms: self.settings.watermark_interval_ms,
                idle_timeout_ms: idle_timeout_ms(&scan.table).unwrap_or(self.settings.idle_timeout_ms),
            }),
        };
        let source = scan_node(base, scan, Some(pushed));
        let rowtime = watermark.rowtime as usize;
        let own_type = node.schema.get(rowtime).map(|field| field.data_type.clone());
        let mut fields = source.schema.to_vec();
        if let (Some(expr), Some(data_type)) = (program.projection.get_mut(rowtime), own_type) {
            if let Some(column) = expr.as_column() {
                if let Some(field) = fields.get_mut(column as usize) {
                    field.data_type = data_type.clone();
                }
                expr.data_type = data_type.clone();
            } else {
                *expr = call("Reinterpret", vec![expr.clone()], data_type.clone(), expr.span);
            }
            if let Some(field) = program.fields.get_mut(rowtime) {
                field.data_type = data_type;
            }
        }
        let source = Rc::new(PhysicalNode {
            schema: Rc::from(fields),
            ..PhysicalNode::clone(&source)
        });
        program.over(&source, Some(node.id))
    }
}

/// A scan without a watermark declaration, or with `SOURCE_WATERMARK()`.
pub(super) fn scan(node: &LogicalNode, scan: &ScanNode) -> Rc<PhysicalNode> {
    scan_node(
        node,
        scan,
        scan.source_watermark.then_some(SourceWatermark::FromSource),
    )
}

fn scan_node(node: &LogicalNode, scan: &ScanNode, watermark: Option<SourceWatermark>) -> Rc<PhysicalNode> {
    let spec = ScanSpec {
        table: Rc::clone(&scan.table),
        columns: scan.columns.clone(),
        watermark,
        hints: scan.hints.clone(),
    };
    make(node, PhysicalOp::Scan(spec), Vec::new(), node.schema.to_vec())
}

/// `scan.watermark.idle-timeout` of the table.
fn idle_timeout_ms(table: &Table) -> Option<i64> {
    table
        .options
        .get("scan.watermark.idle-timeout")
        .and_then(|text| parse_duration_ms(text))
}
