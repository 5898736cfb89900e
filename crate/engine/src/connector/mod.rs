//! Connectors that make their rows themselves: `datagen`, `faker`, `nexmark`.
//!
//! Flink's generators draw from an unseeded random source and the wall clock; these draw from a seed (the table's
//! name, or the option `seed` of faker and nexmark) and the clock of the replay, so that a replay is always the same.

mod datagen;
mod fake_words;
mod faker;
mod fakes;
mod metadata;
mod nexmark;

use std::rc::Rc;

use sg_diag::{Code, Diagnostic, Span};
use sg_plan::catalog::Table;
use sg_runtime::ArrivalKind;
use sg_value::{Field, Gather as _, Row, RowKind, Value};

pub(crate) use metadata::{Place, metadata, metadata_columns};

/// Rows of a generator that sets no end itself: enough to see, few enough for a page.
const DEFAULT_ROWS: u32 = 300;
/// The most rows that a generator makes.
const MOST_ROWS: u32 = 100_000;

/// Numbers from a seed (splitmix64).
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    /// The sequence of a text, such as a table's name.
    fn of_text(text: &str) -> Self {
        let seed = text.bytes().fold(0xCBF2_9CE4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
        });
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number from `low` to `high`, both included.
    pub(crate) fn between(&mut self, low: i64, high: i64) -> i64 {
        if high <= low {
            return low;
        }
        let width = i128::from(high) - i128::from(low) + 1;
        let drawn = i128::from(self.next()) % width;
        i64::try_from(i128::from(low) + drawn).unwrap_or(low)
    }

    /// A number from 0 to just below 1.
    #[expect(clippy::cast_precision_loss, reason = "53 bits fit a double")]
    pub(crate) fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// One of several.
    pub(crate) fn pick<'t, T: ?Sized>(&mut self, of: &[&'t T]) -> Option<&'t T> {
        let last = i64::try_from(of.len()).ok()?.checked_sub(1)?;
        of.get(usize::try_from(self.between(0, last)).ok()?).copied()
    }
}

/// A row and when it arrives, in milliseconds behind the beginning of the replay.
pub(crate) struct Made {
    pub(crate) at_ms: i64,
    pub(crate) row: Row,
}

impl Made {
    /// What arrives.
    pub(crate) fn arrival(&self) -> ArrivalKind {
        ArrivalKind::Row {
            kind: RowKind::Insert,
            row: Rc::clone(&self.row),
        }
    }
}

/// What makes the values of one column.
pub(crate) trait Column {
    /// The next value; `None` where there are no more.
    fn next(&mut self, random: &mut Random, now_ms: i64) -> Option<Value>;
}

/// Whether a table's connector makes its rows.
pub(crate) fn makes_rows(table: &Table) -> bool {
    matches!(table.connector(), Some("datagen" | "faker" | "nexmark"))
}

/// The rows of a table whose connector makes them, or what is wrong with its options.
pub(crate) fn made_rows(
    table: &Table,
    columns: &[Field],
    start_ms: i64,
) -> Result<Vec<Made>, Box<Diagnostic>> {
    let options = Options { table };
    match table.connector() {
        Some("nexmark") => nexmark::rows(&options, columns, start_ms),
        Some("faker") => {
            let makers = columns
                .iter()
                .map(|field| faker::column(&options, field))
                .gather::<Result<Vec<_>, _>>()?;
            Ok(rows(&options, makers, start_ms))
        }
        _ => {
            let makers = columns
                .iter()
                .map(|field| datagen::column(&options, &format!("fields.{}", field.name), &field.data_type))
                .gather::<Result<Vec<_>, _>>()?;
            Ok(rows(&options, makers, start_ms))
        }
    }
}

fn rows(options: &Options<'_>, mut makers: Vec<Box<dyn Column>>, start_ms: i64) -> Vec<Made> {
    let mut random = options.random();
    let count = options.number("number-of-rows").map_or(DEFAULT_ROWS, clamped);
    let per_second = options.number("rows-per-second").unwrap_or(10_000).max(1);
    let mut made = Vec::new();
    for number in 0..count {
        let at_ms = i64::from(number).saturating_mul(1000) / per_second;
        let cells: Option<Vec<Value>> = makers
            .iter_mut()
            .map(|maker| maker.next(&mut random, start_ms.saturating_add(at_ms)))
            .gather();
        // the shortest sequence ends the table
        let Some(cells) = cells else { break };
        made.push(Made {
            at_ms,
            row: Rc::from(cells),
        });
    }
    made
}

fn clamped(number: i64) -> u32 {
    u32::try_from(number.clamp(0, i64::from(MOST_ROWS))).unwrap_or(MOST_ROWS)
}

/// The options of a table.
pub(crate) struct Options<'t> {
    table: &'t Table,
}

impl Options<'_> {
    fn text(&self, key: &str) -> Option<&str> {
        self.table.options.get(key).map(String::as_str)
    }

    fn number(&self, key: &str) -> Option<i64> {
        self.text(key)?.trim().parse().ok()
    }

    fn float(&self, key: &str) -> Option<f64> {
        sg_value::number::parse_double(self.text(key)?).ok()
    }

    fn random(&self) -> Random {
        Random::of_text(self.text("seed").unwrap_or(&self.table.name))
    }

    /// Something wrong with an option, at its value where that is in the script.
    fn refuse(&self, code: Code, key: &str) -> Diagnostic {
        let written = self.table.option_spans.get(key).map(|spans| spans.value);
        let span = written.filter(|span| !span.is_empty()).unwrap_or(self.table.span);
        debug_assert!(
            span != Span::default() || self.table.span == Span::default(),
            "a table has a place"
        );
        Diagnostic::new(code, span).arg("option", key)
    }
}

/// NULL now and then.
struct Sometimes {
    of: Box<dyn Column>,
    null_rate: f64,
}

impl Column for Sometimes {
    fn next(&mut self, random: &mut Random, now_ms: i64) -> Option<Value> {
        let value = self.of.next(random, now_ms)?;
        Some(if random.unit() < self.null_rate {
            Value::Null
        } else {
            value
        })
    }
}

/// A column that is NULL at this rate.
fn sometimes_null(of: Box<dyn Column>, null_rate: Option<f64>) -> Box<dyn Column> {
    match null_rate {
        Some(null_rate) if null_rate > 0.0 => Box::new(Sometimes { of, null_rate }),
        _ => of,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rows of the only table of a script, as text.
    fn rows_of(sql: &str) -> Result<Vec<String>, String> {
        let prepared = crate::prepare::prepare(sql);
        let table = prepared.catalog.objects().next();
        let Some(sg_plan::catalog::CatalogObject::Table(table)) = table else {
            return Err("no table".to_owned());
        };
        let source = crate::arrivals::SourceTable::new(table, 1);
        let types: Vec<sg_value::DataType> = source
            .columns
            .iter()
            .map(|field| field.data_type.clone())
            .collect();
        let made = made_rows(table, &source.columns, 0).map_err(|wrong| wrong.message(sg_diag::Lang::En))?;
        Ok(made
            .iter()
            .map(|made| sg_value::format::row_text(RowKind::Insert, &made.row, &types))
            .collect())
    }

    #[test]
    fn a_table_has_the_same_rows_each_time() {
        let sql =
            "CREATE TABLE s (id INT, name STRING) WITH ('connector' = 'datagen', 'number-of-rows' = '20')";
        let rows = rows_of(sql).unwrap();
        assert_eq!(rows.len(), 20);
        assert_eq!(rows, rows_of(sql).unwrap());
    }

    #[test]
    fn sequences_end_the_table() {
        let rows = rows_of(
            "CREATE TABLE s (id INT, d DECIMAL(4, 1)) WITH ('connector' = 'datagen', 'fields.id.kind' = 'sequence',
             'fields.id.start' = '3', 'fields.id.end' = '5', 'fields.d.min' = '1.5', 'fields.d.max' = '1.5')",
        );
        assert_eq!(rows.unwrap(), ["+I[3, 1.5]", "+I[4, 1.5]", "+I[5, 1.5]"]);
    }

    #[test]
    fn fakes_follow_their_expressions() {
        let rows = rows_of(
            "CREATE TABLE s (n INT, w STRING, r STRING, b BOOLEAN) WITH ('connector' = 'faker', 'number-of-rows' = '5',
             'fields.n.expression' = '#{number.numberBetween ''3'',''4''}',
             'fields.w.expression' = '#{Options.option ''A'',''A''}-#{Name.firstName}',
             'fields.r.expression' = '#{regexify ''(GET|GET){1} [x-x]{2}''}',
             'fields.b.expression' = '#{bool.bool}')",
        )
        .unwrap();
        assert!(
            rows.iter()
                .all(|row| row.starts_with("+I[3, A-") && row.contains(", GET xx, ")),
            "{rows:?}"
        );
        let wrong = rows_of(
            "CREATE TABLE s (n STRING) WITH ('connector' = 'faker', 'fields.n.expression' = '#{Name.frstName}')",
        );
        assert!(wrong.unwrap_err().contains("Name.frstName"));
    }

    #[test]
    fn auctions_have_three_streams() {
        let rows = rows_of(
            "CREATE TABLE n (event_type INT, person ROW<id BIGINT, name STRING>, auction ROW<id BIGINT, seller BIGINT>,
             bid ROW<auction BIGINT, bidder BIGINT, price BIGINT, `dateTime` TIMESTAMP(3)>) WITH ('connector' = 'nexmark',
             'events.num' = '100')",
        )
        .unwrap();
        let of = |kind: &str| rows.iter().filter(|row| row.starts_with(kind)).count();
        assert_eq!((of("+I[0,"), of("+I[1,"), of("+I[2,")), (2, 6, 92));
    }
}
