//! Recorded cases: what the logical plan decides (scans, projections, filters, unions, result types, messages of
//! refused statements), compared with Flink's records without the operators above it.

use std::{fs, path::Path};

use sg_diag::Diagnostics;
use sg_expr::{Expr, PlanStyle, display};
use sg_plan::{
    Analyzed, PlannedKind, analyze_script,
    catalog::Catalog,
    logical::{LogicalNode, LogicalOp, display::tree_text, window_columns},
    optimize,
    physical::node::WindowSource,
};
use sg_value::Field;

/// The parts of a case that are compared here.
struct Case {
    sql: String,
    types: Option<String>,
    plan: Option<String>,
    error: Option<String>,
}

fn read_case(text: &str) -> Case {
    let section = |name: &str| {
        let head = format!("==== {name}\n");
        let start = text.find(&head)? + head.len();
        let rest = &text[start..];
        let end = rest.find("\n==== ").map_or(rest.len(), |at| at + 1);
        Some(rest[..end].to_owned())
    };
    Case {
        sql: section("sql").unwrap_or_default(),
        types: section("types"),
        plan: section("plan"),
        error: section("error"),
    }
}

fn analyzed(sql: &str) -> (Analyzed, Diagnostics) {
    let script = sg_sql::parse_script(sql);
    let mut diags = script.diagnostics.clone();
    let analyzed = analyze_script(sql, &script, Catalog::default(), &mut diags);
    (analyzed, diags)
}

fn text(expr: &Expr, input: &[Field]) -> String {
    display(
        expr,
        &|at| input.get(at as usize).map_or("?", |field| &field.name),
        PlanStyle::Physical,
    )
}

/// `a, b AS x`
fn select(exprs: &[Expr], schema: &[Field], input: &[Field]) -> String {
    exprs
        .iter()
        .zip(schema)
        .map(|(expr, field)| {
            let shown = text(expr, input);
            if shown == *field.name {
                shown
            } else {
                format!("{shown} AS {}", field.name)
            }
        })
        .collect::<Vec<_>>()
        .join(", ")
}

fn lines(node: &LogicalNode, out: &mut Vec<String>) {
    let input = node.inputs.first();
    let fields: &[Field] = input.map_or(&[], |input| &input.schema);
    match &node.op {
        LogicalOp::Project(project) => {
            let below = node.inputs.first().expect("a projection has an input");
            let (condition, fields) = match &below.op {
                LogicalOp::Filter(filter) => (Some(&filter.condition), &below.inputs[0].schema),
                _ => (None, &below.schema),
            };
            let list = select(&project.expressions, &node.schema, fields);
            let filter = condition.map_or_else(String::new, |filter| {
                format!(", where=[{}]", text(filter, fields))
            });
            out.push(format!("Calc(select=[{list}]{filter})"));
            let rest = if condition.is_some() {
                &below.inputs[0]
            } else {
                below
            };
            return lines(rest, out);
        }
        LogicalOp::Filter(filter) => {
            let names: Vec<&str> = node.schema.iter().map(|field| &*field.name).collect();
            out.push(format!(
                "Calc(select=[{}], where=[{}])",
                names.join(", "),
                text(&filter.condition, fields)
            ));
        }
        LogicalOp::Scan(scan) => {
            let names: Vec<&str> = node.schema.iter().map(|field| &*field.name).collect();
            let watermark = if scan.source_watermark {
                ", watermark=[SOURCE_WATERMARK()]"
            } else {
                ""
            };
            out.push(format!(
                "TableSourceScan(table=[[default_catalog, default_database, {}{watermark}]], fields=[{}])",
                scan.table.name,
                names.join(", ")
            ));
        }
        LogicalOp::Watermark(watermark) => {
            let expression = watermark
                .expression
                .as_ref()
                .map_or(String::new(), |expr| text(expr, fields));
            let rowtime = &node.schema[watermark.rowtime as usize].name;
            out.push(format!(
                "WatermarkAssigner(rowtime=[{rowtime}], watermark=[{expression}])"
            ));
        }
        LogicalOp::Aggregate(aggregate) => {
            // a window that is not read in between is folded into the aggregation
            let window = input.and_then(|input| window_columns(input));
            if let (Some(window), Some(below)) = (window, input)
                && window.is_grouped_by(&aggregate.keys)
                && let LogicalOp::Project(project) = &below.op
                && let LogicalOp::WindowTvf(tvf) = &below.inputs[0].op
            {
                let source = &below.inputs[0].inputs[0];
                let own = source.schema.len();
                let mut exprs = Vec::new();
                let mut schema = Vec::new();
                for (expr, field) in project.expressions.iter().zip(below.schema.iter()) {
                    if expr.as_column().is_none_or(|at| (at as usize) < own) {
                        exprs.push(expr.clone());
                        schema.push(field.clone());
                    }
                }
                if let WindowSource::TimeColumn(at) = tvf.window.source {
                    let field = source.schema[at as usize].clone();
                    exprs.push(Expr::column(at, field.data_type.clone(), node.span));
                    schema.push(field);
                }
                if !sg_plan::logical::is_identity(&exprs, source) {
                    let list = select(&exprs, &schema, &source.schema);
                    out.push(format!("Calc(select=[{list}])"));
                    if let LogicalOp::Project(_) = source.op {
                        return lines(&source.inputs[0], out);
                    }
                }
                return lines(source, out);
            }
        }
        LogicalOp::Union(_) => {
            let names: Vec<&str> = node.schema.iter().map(|field| &*field.name).collect();
            out.push(format!("Union(all=[true], union=[{}])", names.join(", ")));
        }
        _ => {}
    }
    for input in &node.inputs {
        lines(input, out);
    }
}

/// The recorded lines of the same kinds, without tree marks and changelog modes.
fn recorded(plan: &str) -> Vec<String> {
    plan.lines()
        .map(|line| line.trim_start_matches([' ', ':', '+', '-', '|']))
        .filter(|line| {
            ["Calc(", "TableSourceScan(", "WatermarkAssigner(", "Union("]
                .iter()
                .any(|kind| line.starts_with(kind))
        })
        .map(|line| match line.rfind(", changelogMode=") {
            Some(at) => format!("{})", &line[..at]),
            None => line.to_owned(),
        })
        .map(|line| match line.find(", hints=") {
            Some(at) => format!("{})", &line[..at]),
            None => line,
        })
        .collect()
}

/// What differs from the record; `None` where the case needs something that is not supported.
fn judge(case: &Case) -> Option<Vec<String>> {
    let (analyzed, diags) = analyzed(&case.sql);
    let mut wrong = Vec::new();
    if let Some(error) = &case.error {
        let recorded = error.trim_end();
        let said: Vec<String> = diags
            .iter()
            .filter_map(|diagnostic| diagnostic.flink.clone())
            .collect();
        if said.first().is_none_or(|said| said.trim_end() != recorded) {
            let codes: Vec<&str> = diags.iter().map(|diagnostic| diagnostic.code.id()).collect();
            wrong.push(format!(
                "error\n  recorded: {recorded}\n  said:     {} {codes:?}",
                said.join("\n            ")
            ));
        }
        return Some(wrong);
    }
    if diags
        .iter()
        .any(|diagnostic| diagnostic.severity() == sg_diag::Severity::Unsupported)
    {
        return None;
    }
    for diagnostic in &diags {
        wrong.push(sg_diag::render(diagnostic, &case.sql, sg_diag::Lang::En));
    }
    let mut found = Vec::new();
    let mut trees = String::new();
    for planned in &analyzed.statements {
        let (roots, columns) = match &planned.kind {
            PlannedKind::Query(query) => (vec![query.logical.clone()], Some(&query.columns)),
            PlannedKind::Inserts(sinks) => (sinks.clone(), None),
            _ => continue,
        };
        for root in roots {
            trees += &tree_text(&root);
            let optimized = optimize(&root, &planned.settings);
            trees += "--\n";
            trees += &tree_text(&optimized);
            lines(&optimized, &mut found);
        }
        if let (Some(columns), Some(types)) = (columns, &case.types) {
            let shown = sg_value::schema_text(columns);
            if shown.trim() != types.trim() {
                wrong.push(format!("types\n{shown}\nrecorded\n{types}"));
            }
        }
    }
    if let Some(plan) = &case.plan {
        let recorded = recorded(plan);
        if recorded != found {
            wrong.push(format!(
                "plan\n  {}\nrecorded\n  {}\n{trees}",
                found.join("\n  "),
                recorded.join("\n  ")
            ));
        }
    }
    Some(wrong)
}

#[test]
fn logical_shapes_are_as_recorded() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases");
    let only = std::env::var("CASE").unwrap_or_default();
    let mut areas: Vec<_> = fs::read_dir(&folder)
        .expect("cases")
        .filter_map(Result::ok)
        .map(|e| e.path())
        .collect();
    areas.sort();
    let (mut passed, mut skipped, mut failed) = (0, 0, 0);
    for area in areas.iter().filter(|path| path.is_dir()) {
        let mut files: Vec<_> = fs::read_dir(area)
            .expect("area")
            .filter_map(Result::ok)
            .map(|e| e.path())
            .collect();
        files.sort();
        for file in files
            .iter()
            .filter(|file| file.extension().is_some_and(|e| e == "case"))
        {
            let name = file.strip_prefix(&folder).expect("below").display().to_string();
            if !name.contains(&only) {
                continue;
            }
            let case = read_case(&fs::read_to_string(file).expect("case"));
            let result = std::panic::catch_unwind(|| judge(&case));
            match result {
                Ok(None) => skipped += 1,
                Ok(Some(wrong)) if wrong.is_empty() => passed += 1,
                Ok(Some(wrong)) => {
                    failed += 1;
                    println!("#### {name}\n{}", wrong.join("\n"));
                }
                Err(_) => {
                    failed += 1;
                    println!("#### {name}\npanicked");
                }
            }
        }
    }
    println!("{passed} as recorded, {skipped} not supported, {failed} differ");
}
