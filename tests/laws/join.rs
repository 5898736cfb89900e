//! Laws of joins and set operations: what they add up to is what nested loops over the remaining rows give.

use std::collections::BTreeMap;
use std::fmt::Write;

use proptest::collection::vec;
use proptest::prelude::{
    Just, ProptestConfig, Strategy, any, prop_assert, prop_assert_eq, prop_oneof, proptest,
};
use proptest::{option, sample::select};

use crate::changelog::{emitted_by, materialise};
use crate::naive::Result;

/// A row of a table `(id INT, k INT, v INT)`; the identifier is never NULL.
type Row = [Option<i64>; 3];

/// Names of the columns of a row.
const COLUMNS: [&str; 3] = ["id", "k", "v"];

/// A change of `l` or `r`.
#[derive(Clone, Debug)]
struct Step {
    left: bool,
    row: Row,
    /// Takes a row away that is there, where there is one.
    delete: bool,
}

fn steps(most: usize) -> impl Strategy<Value = Vec<Step>> {
    let step = (
        any::<bool>(),
        0_i64..5,
        option::weighted(0.85, 0_i64..3),
        option::weighted(0.85, 0_i64..4),
        any::<u8>(),
    );
    let step = step.prop_map(|(left, id, k, v, chance)| Step {
        left,
        row: [Some(id), k, v],
        delete: chance % 3 == 0,
    });
    vec(step, 1..most)
}

/// How the two sides meet.
#[derive(Clone, Debug)]
struct Join {
    /// `INNER`, `LEFT`, `RIGHT`, `FULL`; `SEMI`, `ANTI` by EXISTS; `IN`, `NOT IN`.
    kind: &'static str,
    /// Columns that are equal.
    equal: (usize, usize),
    /// `l.v < r.v` too.
    less: bool,
    /// Sides with a primary key on `id`.
    keyed: (bool, bool),
}

fn join() -> impl Strategy<Value = Join> {
    let kind = select(&["INNER", "LEFT", "RIGHT", "FULL", "SEMI", "ANTI", "IN", "NOT IN"][..]);
    let equal = prop_oneof![
        Just((0, 0)),
        Just((1, 0)),
        Just((0, 1)),
        Just((1, 1)),
        Just((1, 2))
    ];
    (kind, equal, any::<bool>(), any::<(bool, bool)>()).prop_map(|(kind, equal, less, keyed)| Join {
        kind,
        equal,
        less,
        keyed,
    })
}

impl Join {
    fn sql(&self) -> String {
        let (x, y) = (COLUMNS[self.equal.0], COLUMNS[self.equal.1]);
        let less = if self.less { " AND l.v < r.v" } else { "" };
        match self.kind {
            "SEMI" => format!("SELECT * FROM l WHERE EXISTS (SELECT * FROM r WHERE l.{x} = r.{y}{less});"),
            "ANTI" => {
                format!("SELECT * FROM l WHERE NOT EXISTS (SELECT * FROM r WHERE l.{x} = r.{y}{less});")
            }
            "IN" | "NOT IN" => format!("SELECT * FROM l WHERE {x} {} (SELECT {y} FROM r);", self.kind),
            kind => format!("SELECT * FROM l {kind} JOIN r ON l.{x} = r.{y}{less};"),
        }
    }

    /// Whether two rows meet; `None` for UNKNOWN.
    fn meets(&self, l: &Row, r: &Row) -> Option<bool> {
        let equal = l[self.equal.0].zip(r[self.equal.1]).map(|(x, y)| x == y);
        if !self.less || self.kind.ends_with("IN") {
            return equal;
        }
        let less = l[2].zip(r[2]).map(|(x, y)| x < y);
        match (equal, less) {
            (Some(false), _) | (_, Some(false)) => Some(false),
            (Some(true), Some(true)) => Some(true),
            _ => None,
        }
    }

    fn evaluate(&self, left: &[Row], right: &[Row]) -> Result {
        let mut result = Result::new();
        let mut found = vec![false; right.len()];
        for l in left {
            let answers: Vec<Option<bool>> = right.iter().map(|r| self.meets(l, r)).collect();
            let matched = answers.contains(&Some(true));
            let passes = match self.kind {
                "SEMI" | "IN" => matched,
                "ANTI" => !matched,
                // what is not known does not pass
                "NOT IN" => answers.iter().all(|answer| *answer == Some(false)),
                _ => {
                    for ((r, answer), found) in right.iter().zip(&answers).zip(&mut found) {
                        if *answer == Some(true) {
                            *found = true;
                            add(&mut result, &[&l[..], &r[..]].concat());
                        }
                    }
                    if !matched && ["LEFT", "FULL"].contains(&self.kind) {
                        add(&mut result, &[&l[..], &[None; 3]].concat());
                    }
                    continue;
                }
            };
            if passes {
                add(&mut result, l);
            }
        }
        if ["RIGHT", "FULL"].contains(&self.kind) {
            for (r, _) in right.iter().zip(&found).filter(|(_, found)| !**found) {
                add(&mut result, &[&[None; 3], &r[..]].concat());
            }
        }
        result
    }
}

fn add(result: &mut Result, cells: &[Option<i64>]) {
    let cells: Vec<String> = cells
        .iter()
        .map(|cell| cell.map_or_else(|| "null".to_owned(), |cell| cell.to_string()))
        .collect();
    *result.entry(format!("[{}]", cells.join(", "))).or_default() += 1;
}

/// The case's text, and the rows that remain of the left and of the right table.
fn case(sql: &str, steps: &[Step], keyed: (bool, bool)) -> (String, Vec<Row>, Vec<Row>) {
    let mut text = "# generated\n==== sql\n".to_owned();
    for (name, keyed) in [("l", keyed.0), ("r", keyed.1)] {
        let key = if keyed {
            ", PRIMARY KEY (id) NOT ENFORCED"
        } else {
            ""
        };
        writeln!(
            text,
            "CREATE TABLE {name} (id INT, k INT, v INT{key}) WITH ('connector' = 'replay', 'changelog-mode' = 'I,UB,UA,D');"
        )
        .unwrap();
    }
    writeln!(text, "{sql}\n==== events").unwrap();
    let mut sides = (Vec::new(), Vec::new());
    for step in steps {
        let (name, rows, keyed) = if step.left {
            ("l", &mut sides.0, keyed.0)
        } else {
            ("r", &mut sides.1, keyed.1)
        };
        let same = |row: &Row| row[0] == step.row[0];
        if step.delete {
            if let Some(at) = rows.iter().position(same) {
                event(&mut text, (name, "-D "), &rows.remove(at));
            }
            continue;
        }
        match rows.iter().position(same).filter(|_| keyed) {
            Some(at) => {
                event(&mut text, (name, "-U "), &rows.remove(at));
                event(&mut text, (name, "+U "), &step.row);
            }
            None => event(&mut text, (name, ""), &step.row),
        }
        rows.push(step.row);
    }
    (text, sides.0, sides.1)
}

fn event(text: &mut String, (table, kind): (&str, &str), row: &Row) {
    let cells: Vec<String> = COLUMNS
        .iter()
        .zip(row)
        .map(|(name, cell)| {
            let cell = cell.map_or_else(|| "null".to_owned(), |cell| cell.to_string());
            format!("\"{name}\": {cell}")
        })
        .collect();
    writeln!(text, "{table} {kind}{{{}}}", cells.join(", ")).unwrap();
}

/// Set operations over the columns `k` and `v`.
const OPERATIONS: [&str; 6] = [
    "UNION",
    "UNION ALL",
    "INTERSECT",
    "INTERSECT ALL",
    "EXCEPT",
    "EXCEPT ALL",
];

fn combine(operation: &str, left: &[Row], right: &[Row]) -> Result {
    let counts = |rows: &[Row]| {
        let mut counts = Result::new();
        for row in rows {
            add(&mut counts, &row[1..]);
        }
        counts
    };
    let (left, right) = (counts(left), counts(right));
    let mut result: Result = BTreeMap::new();
    for key in left.keys().chain(right.keys()) {
        let (l, r) = (
            left.get(key).copied().unwrap_or(0),
            right.get(key).copied().unwrap_or(0),
        );
        let count = match operation {
            "UNION" => 1,
            "UNION ALL" => l + r,
            "INTERSECT" => l.min(r).min(1),
            "INTERSECT ALL" => l.min(r),
            "EXCEPT" => i64::from(l > 0 && r == 0),
            _ => (l - r).max(0),
        };
        if count > 0 {
            result.insert(key.clone(), count);
        }
    }
    result
}

/// Kinds of two joins in a row.
const KINDS: [(&str, &str); 4] = [
    ("INNER", "INNER"),
    ("INNER", "LEFT"),
    ("LEFT", "INNER"),
    ("LEFT", "LEFT"),
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]

    /// Finds: a wrong count of matches, padding that is not taken back or comes twice, a layout that loses or mixes up rows,
    /// a NULL that is equal to a NULL, a plan rule that changes the meaning.
    #[test]
    fn a_join_adds_up_to_nested_loops(join in join(), steps in steps(30)) {
        let sql = join.sql();
        let (text, left, right) = case(&sql, &steps, join.keyed);
        let table = materialise(&emitted_by(&text));
        prop_assert!(table.is_ok(), "{}: takes back what is not there: {:?}", text, table);
        prop_assert_eq!(table.unwrap_or_default(), join.evaluate(&left, &right), "{}", text);
    }

    /// Finds: a branch counted with the wrong sign, a row that is repeated too often, a NULL that is no value.
    #[test]
    fn a_set_operation_adds_up_to_counts(operation in select(&OPERATIONS[..]), steps in steps(30)) {
        let sql = format!("SELECT k, v FROM l {operation} SELECT k, v FROM r;");
        let (text, left, right) = case(&sql, &steps, (false, false));
        let table = materialise(&emitted_by(&text));
        prop_assert!(table.is_ok(), "{}: takes back what is not there: {:?}", text, table);
        prop_assert_eq!(table.unwrap_or_default(), combine(operation, &left, &right), "{}", text);
    }

    /// Finds: a scalar sub-query that is not NULL where nothing is found, or that keeps what was taken back.
    #[test]
    fn a_scalar_sub_query_is_looked_up_per_row(equal in 0_usize..2, steps in steps(24)) {
        let column = COLUMNS[equal];
        let sql = format!("SELECT id, (SELECT SUM(v) FROM r WHERE r.{column} = l.{column}) FROM l;");
        let (text, left, right) = case(&sql, &steps, (false, false));
        let mut expected = Result::new();
        for l in &left {
            let found = right.iter().filter(|r| r[equal].is_some() && r[equal] == l[equal]);
            let sum = found.filter_map(|r| r[2]).fold(None, |sum, v| Some(sum.unwrap_or(0) + v));
            add(&mut expected, &[l[0], sum]);
        }
        let table = materialise(&emitted_by(&text));
        prop_assert!(table.is_ok(), "{}: takes back what is not there: {:?}", text, table);
        prop_assert_eq!(table.unwrap_or_default(), expected, "{}", text);
    }

    /// Finds: a combination that one operator for all joins forgets or repeats, padding that it leaves behind.
    #[test]
    fn joins_at_once_give_what_joins_of_two_give(kinds in select(&KINDS[..]), less in any::<bool>(), keyed in any::<bool>(), steps in steps(30)) {
        let (first, second) = kinds;
        let less = if less { " AND l.v < r.v" } else { "" };
        let sql = format!(
            "SELECT l.v AS a, r.v AS b, o.v AS c FROM l {first} JOIN r ON l.id = r.id{less} {second} JOIN r AS o ON l.id = o.id;"
        );
        let (alone, _, _) = case(&sql, &steps, (keyed, keyed));
        let (merged, _, _) =
            case(&format!("SET 'table.optimizer.multi-join.enabled' = 'true';\n{sql}"), &steps, (keyed, keyed));
        let expected = materialise(&emitted_by(&alone));
        let table = materialise(&emitted_by(&merged));
        prop_assert!(table.is_ok(), "{}: takes back what is not there: {:?}", merged, table);
        prop_assert_eq!(table, expected, "{}", merged);
    }
}
