//! Scans and watermarks.

use std::rc::Rc;

use sg_diag::{Code, Diagnostic};
use sg_value::{Gather as _, RowKind};

use super::{Lowering, make};
use crate::{
    catalog::Table,
    logical::{LogicalNode, LogicalOp, ScanNode, WatermarkNode},
    physical::{
        connector::{pushes_watermarks, source_mode},
        expression::{call, substitute},
        node::{
            ChangelogNormalizeSpec, PhysicalNode, PhysicalOp, PushedWatermarkSpec, ScanSpec, SourceWatermark,
            WatermarkAssignerSpec,
        },
        program::Program,
    },
    settings::parse_duration_ms,
};

impl Lowering<'_> {
    /// An operator behind the scan, or the source itself where the connector can.
    #[inline(never)]
    pub(super) fn watermark(
        &mut self,
        node: &LogicalNode,
        watermark: &WatermarkNode,
    ) -> Option<Rc<PhysicalNode>> {
        let input = node.inputs.first()?;
        if self.settings.batch {
            return self.without_watermark(node, watermark);
        }
        let (program, base) = Program::of_chain(input);
        if let LogicalOp::Scan(scan) = &base.op
            && (watermark.expression.is_none() || pushes_watermarks(&scan.table))
        {
            return self.push_watermark(node, watermark, program, (base, scan));
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

    /// Batch mode: nothing is late, and everything that waits for a time ends with the input.
    fn without_watermark(
        &mut self,
        node: &LogicalNode,
        watermark: &WatermarkNode,
    ) -> Option<Rc<PhysicalNode>> {
        let input = self.lower(node.inputs.first()?)?;
        let mut fields = input.schema.to_vec();
        let rowtime = watermark.rowtime as usize;
        if let (Some(field), Some(own)) = (fields.get_mut(rowtime), node.schema.get(rowtime)) {
            field.data_type = own.data_type.clone();
        }
        Some(Rc::new(PhysicalNode {
            schema: fields.into(),
            ..PhysicalNode::clone(&input)
        }))
    }

    /// A computed rowtime stays in the Calc above the scan, as `Reinterpret(…)`, and is written out in the pushed
    /// expression.
    fn push_watermark(
        &mut self,
        node: &LogicalNode,
        watermark: &WatermarkNode,
        mut program: Program,
        (base, scan): (&LogicalNode, &ScanNode),
    ) -> Option<Rc<PhysicalNode>> {
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
        let source = self.normalized(&source)?;
        Some(program.over(&source, Some(node.id)))
    }

    /// A scan without a watermark declaration, or with `SOURCE_WATERMARK()`.
    #[inline(never)]
    pub(super) fn scan(&mut self, node: &LogicalNode, scan: &ScanNode) -> Option<Rc<PhysicalNode>> {
        let source = scan_node(
            node,
            scan,
            (scan.source_watermark && !self.settings.batch).then_some(SourceWatermark::FromSource),
        );
        self.normalized(&source)
    }

    /// A source that upserts, or repeats events, below the node that makes a complete changelog of it.
    ///
    /// Flink: `StreamPhysicalTableSourceScanRule`.
    fn normalized(&mut self, source: &Rc<PhysicalNode>) -> Option<Rc<PhysicalNode>> {
        let PhysicalOp::Scan(spec) = &source.op else {
            return Some(Rc::clone(source));
        };
        let table = &spec.table;
        let mode = source_mode(table);
        if self.settings.batch && !mode.is_insert_only() {
            let flink = format!(
                "TableException: Querying a table in batch mode is currently only possible for INSERT-only table sources. But \
                 the source for table '{}' produces other changelog messages than just INSERT.",
                table.full_name()
            );
            self.diags.push(
                Diagnostic::new(Code::BatchChangelogSource, source.span)
                    .arg("table", &table.name)
                    .flink(flink),
            );
            return None;
        }
        let duplicates = self.settings.duplicate_cdc_events && !mode.is_insert_only();
        let upserts = mode.contains(RowKind::UpdateAfter) && !mode.contains(RowKind::UpdateBefore);
        if !duplicates && !upserts {
            return Some(Rc::clone(source));
        }
        let Some(key) = &table.primary_key else {
            self.refuse_without_key(source, table, upserts);
            return None;
        };
        let position = |wanted: &u32| {
            let found = (0_u32..).zip(&spec.columns).find(|(_, column)| *column == wanted);
            found.map(|(at, _)| at)
        };
        let normalize = ChangelogNormalizeSpec {
            keys: key.iter().filter_map(position).gather(),
            condition: None,
            update_before: false,
            duplicates,
            ttl_ms: self.settings.state_ttl_ms,
            mini_batch: self.bundle(),
        };
        Some(Rc::new(PhysicalNode {
            logical: source.logical,
            ..PhysicalNode::bare(
                PhysicalOp::ChangelogNormalize(normalize),
                vec![Rc::clone(source)],
                Rc::clone(&source.schema),
                source.span,
            )
        }))
    }

    #[inline(never)]
    fn refuse_without_key(&mut self, source: &PhysicalNode, table: &Table, upserts: bool) {
        let name = table.full_name();
        let (code, flink) = if upserts {
            (
                Code::UpsertSourceNeedsKey,
                format!(
                    "TableException: Table '{name}' produces a changelog stream that contains UPDATE_AFTER but no UPDATE_BEFORE. \
                     This requires defining a primary key constraint on the table."
                ),
            )
        } else {
            (
                Code::RepeatingSourceNeedsKey,
                format!(
                    "TableException: Configuration 'table.exec.source.cdc-events-duplicate' is enabled which requires the changelog \
                     sources to define a PRIMARY KEY. However, table '{name}' doesn't have a primary key."
                ),
            )
        };
        self.diags.push(
            Diagnostic::new(code, source.span)
                .arg("table", &table.name)
                .flink(flink),
        );
    }
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
