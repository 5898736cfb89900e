//! WATERMARK FOR … AS … of a table.

use sg_diag::{Code, Diagnostic};
use sg_expr::Expr;
use sg_sql::{ast as ddl, query as ast};
use sg_value::{DataType, Gather as _, TypeKind};

use super::{
    Binder,
    call::call_name,
    table::{Parts, declared_scope},
};
use crate::{catalog::Watermark, logical::rowtime};

impl Binder<'_> {
    pub(super) fn bind_watermark(&mut self, syntax: Option<&ddl::Watermark>, parts: &mut Parts) {
        let Some(syntax) = syntax else { return };
        let [column] = syntax.column.as_slice() else {
            let name: Vec<&str> = syntax.column.iter().map(|part| part.name.as_str()).gather();
            let known: Vec<&str> = parts.columns.iter().map(|column| &*column.field.name).gather();
            let flink = format!(
                "ValidationException: Invalid column name '{}' for rowtime attribute in watermark declaration. Available \
                 columns are: [{}]",
                name.join("."),
                known.join(", ")
            );
            return self.report(
                Diagnostic::new(Code::UnknownRowtimeColumn, syntax.span)
                    .arg("column", name.join("."))
                    .flink(flink),
            );
        };
        let at = parts
            .columns
            .iter()
            .position(|known| *known.field.name == *column.name);
        let Some(at) = at else {
            return self.unknown_rowtime(column, parts);
        };
        let Some(declared) = parts.columns.get(at) else {
            return;
        };
        let expression = if is_source_watermark(&syntax.expr.expr) {
            None
        } else {
            let (scope, numbers) = declared_scope(&parts.columns, true);
            Some(self.bind_declared(&scope, &numbers, &syntax.expr))
        };
        if expression.as_ref().is_some_and(Expr::is_invalid)
            || !self.check_rowtime_type(&declared.field.data_type, column)
            || expression
                .as_ref()
                .is_some_and(|bound| !self.check_watermark_type(bound))
        {
            return;
        }
        let number = u32::try_from(at).unwrap_or(u32::MAX);
        if let Some(declared) = parts.columns.get_mut(at) {
            declared.field.data_type = rowtime(&declared.field.data_type);
        }
        parts.watermark = Some(Watermark {
            column: number,
            expression,
            text: self.declared_text(&syntax.expr),
            span: syntax.span,
        });
    }

    fn unknown_rowtime(&mut self, column: &ddl::Ident, parts: &Parts) {
        let names: Vec<&str> = parts.columns.iter().map(|known| &*known.field.name).gather();
        let position = self.position(column.span);
        let place = position.split(" to ").next().unwrap_or(&position);
        let place = place.trim_start_matches("From ").trim_start_matches("At ");
        let available = names
            .iter()
            .map(|name| format!("'{name}'"))
            .gather::<Vec<_>>()
            .join(", ");
        let flink = format!(
            "ValidationException: The rowtime attribute field '{}' is not defined in the table schema, at {place}\n\
             Available fields: [{available}]",
            column.name
        );
        self.report(
            Diagnostic::new(Code::UnknownRowtimeColumn, column.span)
                .arg("column", &column.name)
                .flink(flink)
                .suggest_similar(&column.name, names),
        );
    }

    fn check_rowtime_type(&mut self, data_type: &DataType, column: &ddl::Ident) -> bool {
        if data_type.is_proctime() {
            let flink =
                "ValidationException: A watermark can not be defined for a processing-time attribute.";
            let diagnostic = Diagnostic::new(Code::WatermarkOnProctime, column.span);
            self.report(diagnostic.arg("column", &column.name).flink(flink));
            return false;
        }
        if data_type.kind == TypeKind::Null {
            // its declaration is broken, which was reported
            return false;
        }
        if fits_watermark(&data_type.kind) {
            return true;
        }
        let flink = format!(
            "ValidationException: Invalid data type of time field for watermark definition. The field must be of type \
             TIMESTAMP(p) or TIMESTAMP_LTZ(p), the supported precision 'p' is from 0 to 3, but the time field type is \
             {data_type}"
        );
        self.report(
            Diagnostic::new(Code::WatermarkColumnType, column.span)
                .arg("column", &column.name)
                .arg("type", data_type)
                .flink(flink),
        );
        false
    }

    fn check_watermark_type(&mut self, expression: &Expr) -> bool {
        if fits_watermark(&expression.data_type.kind) {
            return true;
        }
        let flink = format!(
            "ValidationException: Invalid data type of expression for watermark definition. The field must be of type \
             TIMESTAMP(p) or TIMESTAMP_LTZ(p), the supported precision 'p' is from 0 to 3, but the watermark \
             expression type is {}",
            expression.data_type
        );
        self.report(
            Diagnostic::new(Code::WatermarkExpressionType, expression.span)
                .arg("type", &expression.data_type)
                .flink(flink),
        );
        false
    }
}

/// TIMESTAMP or `TIMESTAMP_LTZ` with at most three digits.
const fn fits_watermark(kind: &TypeKind) -> bool {
    matches!(
        kind,
        TypeKind::Timestamp { precision: 0..=3, .. } | TypeKind::TimestampLtz { precision: 0..=3, .. }
    )
}

fn is_source_watermark(expr: &ast::Expr) -> bool {
    matches!(expr, ast::Expr::Function(function) if call_name(function).as_deref() == Some("SOURCE_WATERMARK"))
}
