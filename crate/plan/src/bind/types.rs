//! Types as written become types.

use std::rc::Rc;

use sg_diag::{Code, Diagnostic, Span};
use sg_sql::ast::{IntervalSyntax, RowField, TimeUnit, TypeKind as Syntax, TypeSyntax};
use sg_value::{
    DataType, Field, Gather as _, IntervalFields, IntervalUnit, TimeKind, TypeKind, data_type::MAX_LENGTH,
};

use super::Binder;

impl Binder<'_> {
    /// The type, or `None` where a diagnostic says why there is none.
    pub(super) fn bind_type(&mut self, syntax: &TypeSyntax) -> Option<DataType> {
        let kind = self.bind_type_kind(syntax)?;
        Some(DataType {
            kind,
            nullable: syntax.nullable,
        })
    }

    fn bind_type_kind(&mut self, syntax: &TypeSyntax) -> Option<TypeKind> {
        let fraction = |precision: &Option<u32>, default| narrow(precision.unwrap_or(default).min(9));
        Some(match &syntax.kind {
            Syntax::Char(length) => TypeKind::Char(length.unwrap_or(1)),
            Syntax::Varchar(length) => TypeKind::Varchar(length.unwrap_or(1)),
            Syntax::String => TypeKind::Varchar(MAX_LENGTH),
            Syntax::Boolean => TypeKind::Boolean,
            Syntax::Binary(length) => TypeKind::Binary(length.unwrap_or(1)),
            Syntax::Varbinary(length) => TypeKind::Varbinary(length.unwrap_or(1)),
            Syntax::Bytes => TypeKind::Varbinary(MAX_LENGTH),
            Syntax::Decimal { precision, scale } => {
                let (precision, scale) = (precision.unwrap_or(10), scale.unwrap_or(0));
                let wrong = if precision == 0 {
                    "Decimal precision must be between 1 and 38 (both inclusive).".to_owned()
                } else if scale > precision {
                    format!("Decimal scale must be between 0 and the precision {precision} (both inclusive).")
                } else {
                    String::new()
                };
                if !wrong.is_empty() {
                    let diagnostic = Diagnostic::new(Code::DecimalDigits, syntax.span);
                    self.report(diagnostic.flink(format!("ValidationException: {wrong}")));
                    return None;
                }
                TypeKind::Decimal {
                    precision: narrow(precision.min(38)),
                    scale: narrow(scale.min(38)),
                }
            }
            Syntax::TinyInt => TypeKind::TinyInt,
            Syntax::SmallInt => TypeKind::SmallInt,
            Syntax::Int => TypeKind::Int,
            Syntax::BigInt => TypeKind::BigInt,
            Syntax::Float => TypeKind::Float,
            Syntax::Double => TypeKind::Double,
            Syntax::Date => TypeKind::Date,
            Syntax::Time(precision) => TypeKind::Time(fraction(precision, 0)),
            Syntax::Timestamp(precision) => TypeKind::Timestamp {
                precision: fraction(precision, 6),
                time: TimeKind::Regular,
            },
            Syntax::TimestampLtz(precision) => TypeKind::TimestampLtz {
                precision: fraction(precision, 6),
                time: TimeKind::Regular,
            },
            Syntax::Interval(units) => interval_kind(units),
            Syntax::Array(element) => TypeKind::Array(Rc::new(self.bind_type(element)?)),
            Syntax::Multiset(element) => TypeKind::Multiset(Rc::new(self.bind_type(element)?)),
            Syntax::Map(key, value) => {
                let (key, value) = (self.bind_type(key), self.bind_type(value));
                TypeKind::Map(Rc::new(key?), Rc::new(value?))
            }
            Syntax::Row(fields) => TypeKind::Row(self.bind_fields(fields)?),
            Syntax::Null => TypeKind::Null,
            Syntax::Structured { class, fields } => {
                TypeKind::Structured(Rc::from(class.value.as_str()), self.bind_fields(fields)?)
            }
            Syntax::Raw { .. } => return self.type_not_supported("RAW", syntax.span),
            Syntax::Variant => TypeKind::Variant,
            Syntax::Bitmap => TypeKind::Bitmap,
            Syntax::Named(name) => {
                self.unknown_type(name.object(), name.span);
                return None;
            }
        })
    }

    fn bind_fields(&mut self, fields: &[RowField]) -> Option<Rc<[Field]>> {
        let bound: Vec<Option<Field>> = fields
            .iter()
            .map(|field| {
                let data_type = self.bind_type(&field.data_type)?;
                Some(Field {
                    name: Rc::from(field.name.name.as_str()),
                    data_type,
                })
            })
            .gather();
        bound.into_iter().gather::<Option<Vec<_>>>().map(Rc::from)
    }

    fn type_not_supported(&mut self, name: &str, span: Span) -> Option<TypeKind> {
        self.report(Diagnostic::new(Code::TypeNotSupported, span).arg("type", name));
        None
    }

    #[inline(never)]
    fn unknown_type(&mut self, name: &str, span: Span) {
        const KNOWN: [&str; 20] = [
            "STRING",
            "BOOLEAN",
            "INT",
            "BIGINT",
            "DOUBLE",
            "FLOAT",
            "DECIMAL",
            "DATE",
            "TIME",
            "TIMESTAMP",
            "TIMESTAMP_LTZ",
            "VARCHAR",
            "CHAR",
            "BYTES",
            "TINYINT",
            "SMALLINT",
            "ARRAY",
            "MAP",
            "ROW",
            "MULTISET",
        ];
        let flink = format!(
            "ValidationException: SQL validation failed. {}: Unknown identifier '{name}'",
            self.position(span)
        );
        let diagnostic = Diagnostic::new(Code::UnknownType, span)
            .arg("type", name)
            .flink(flink);
        let other = match name.to_ascii_uppercase().as_str() {
            "TEXT" | "NVARCHAR" | "VARCHAR2" | "CLOB" => Some("STRING"),
            "DATETIME" | "DATETIME2" => Some("TIMESTAMP(3)"),
            "TIMESTAMPTZ" => Some("TIMESTAMP_LTZ(3)"),
            "INT4" | "INT32" => Some("INT"),
            "INT8" | "LONG" | "INT64" => Some("BIGINT"),
            "BOOL" => Some("BOOLEAN"),
            "FLOAT8" | "FLOAT64" | "REAL" => Some("DOUBLE"),
            "UUID" | "JSON" => Some("STRING"),
            "BLOB" | "BYTEA" => Some("BYTES"),
            _ => None,
        };
        let diagnostic = match other {
            Some(meant) => {
                let mut diagnostic = diagnostic.fix(sg_diag::Fix::replace(span, meant));
                diagnostic.suggestion = Some(meant.to_owned());
                diagnostic
            }
            None => diagnostic.suggest_similar(name, KNOWN),
        };
        self.report(diagnostic);
    }
}

/// Numbers of digits are small.
fn narrow(number: u32) -> u8 {
    u8::try_from(number).unwrap_or(u8::MAX)
}

/// The interval type of these units: `DAY(2) TO SECOND(6)` and the like, as literals have it.
pub(super) fn interval_kind(units: &IntervalSyntax) -> TypeKind {
    let (first, last) = (unit(units.from), unit(units.to.unwrap_or(units.from)));
    let fields = IntervalFields {
        first,
        last,
        leading: narrow(units.precision.unwrap_or(2)),
        fraction: narrow(units.fraction.unwrap_or(6)),
    };
    if first <= IntervalUnit::Month {
        TypeKind::IntervalYearMonth(fields)
    } else {
        TypeKind::IntervalDayTime(fields)
    }
}

/// Weeks are counted in days, quarters in months, less than a second in seconds.
const fn unit(unit: TimeUnit) -> IntervalUnit {
    match unit {
        TimeUnit::Year => IntervalUnit::Year,
        TimeUnit::Quarter | TimeUnit::Month => IntervalUnit::Month,
        TimeUnit::Week | TimeUnit::Day => IntervalUnit::Day,
        TimeUnit::Hour => IntervalUnit::Hour,
        TimeUnit::Minute => IntervalUnit::Minute,
        TimeUnit::Second | TimeUnit::Millisecond | TimeUnit::Microsecond | TimeUnit::Nanosecond => {
            IntervalUnit::Second
        }
    }
}
