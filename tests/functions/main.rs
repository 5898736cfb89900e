//! Functions of scripts, in `cases`. Flink has none in JavaScript: their results, types and plans are those that Flink 2.3
//! gave for the same functions in Java, by hand.

#![expect(clippy::unwrap_used, reason = "a test")]

use std::path::Path;

use sg_engine::case::{Case, compare, run};

#[test]
fn functions_behave_as_their_java_twins_on_flink() {
    sg_script::install().unwrap();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("functions/cases");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    assert!(!files.is_empty());
    let mut failed = Vec::new();
    for file in files {
        let case = Case::parse(&std::fs::read_to_string(&file).unwrap()).unwrap();
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        for difference in compare(&case, &run(&case)) {
            failed.push(format!("{name}: {} {}", difference.section, difference.detail));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// What a script is refused with, one diagnostic a line.
fn refused(sql: &str) -> String {
    sg_script::install().unwrap();
    sg_engine::explain(sql).err().unwrap_or_default()
}

/// What a function fails with when it runs over one row, in SQL and in its text.
fn fails(function: &str) -> String {
    sg_script::install().unwrap();
    let text = format!(
        "# a function that fails\n==== sql\nCREATE FUNCTION f AS '{function}' LANGUAGE JAVASCRIPT;\n\
         CREATE TABLE t (v BIGINT) WITH ('connector' = 'replay');\nSELECT f(v) FROM t;\n==== events\nt {{\"v\": 7}}\n"
    );
    let case = Case::parse(&text).unwrap();
    let result = run(&case);
    let rendered = result
        .diagnostics
        .iter()
        .map(|one| sg_engine::case::rendered(&case, one));
    rendered.collect::<Vec<_>>().join("\n")
}

#[test]
fn a_broken_text_is_shown_where_it_breaks() {
    let said = refused(
        "CREATE FUNCTION f AS '{\n  input: [\"INT\"], result: \"INT\",\n  eval(a) { return a + ; }\n}' LANGUAGE JAVASCRIPT",
    );
    assert!(said.contains("3:"), "{said}");
    assert!(said.contains("SyntaxError"), "{said}");
    let said = refused(
        "CREATE FUNCTION f AS '{ input: [\"INTEGR\"], result: \"INT\", eval: (a) => a }' LANGUAGE JAVASCRIPT",
    );
    assert!(said.contains("1:34") && said.contains("INTEGR"), "{said}");
    let said = refused("CREATE FUNCTION f AS '{ input: [], eval: () => 1 }' LANGUAGE JAVASCRIPT");
    assert!(said.contains("`result`"), "{said}");
    let said = refused("CREATE TEMPORARY FUNCTION f AS 'com.acme.F' LANGUAGE JAVA");
    assert!(said.contains("not in JAVA"), "{said}");
    let said = refused("CREATE FUNCTION f AS 'com.acme.F' LANGUAGE JAVA;\nSELECT f(1)");
    assert!(said.contains("not in JAVA"), "{said}");
}

#[test]
fn a_failure_is_shown_in_the_text() {
    let said = fails("{ input: [\"BIGINT\"], result: \"INT\",\n  eval(a) { throw new Error(\"no \" + a) } }");
    assert!(said.contains("`f` failed: no 7"), "{said}");
    assert!(said.contains("fails here"), "{said}");
    let said = fails("{ input: [\"BIGINT\"], result: \"INT\", eval: (a) => a / 2 }");
    assert!(said.contains("`f` gave 3.5, which is no INT"), "{said}");
    let said = fails("{ input: [\"BIGINT\"], result: \"INT NOT NULL\", eval: (a) => null }");
    assert!(said.contains("`f` gave null, which is no INT NOT NULL"), "{said}");
}

#[test]
fn a_call_has_limits() {
    let head = "input: [\"BIGINT\"], result: \"INT\"";
    let said = fails(&format!("{{ {head}, eval(a) {{ for (;;); }} }}"));
    assert!(said.contains("10 million steps"), "{said}");
    let said = fails(&format!(
        "{{ {head}, eval(a) {{ const x = []; for (;;) x.push(new Array(1000).fill(1)) }} }}"
    ));
    assert!(said.contains("64 MiB"), "{said}");
    let said = fails(&format!("{{ {head}, eval(a) {{ return this.eval(a) }} }}"));
    assert!(said.contains("256 KiB"), "{said}");
}
