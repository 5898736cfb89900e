use super::*;

/// What the method gives, or the failure.
fn given(source: &str, method: &str, arguments: &str) -> String {
    let host = QuickJs::new().unwrap();
    let defined = host.define(source);
    assert!(defined.starts_with("{\"id\":0"), "{defined}");
    host.call(0, method, arguments)
}

fn value(body: &str) -> String {
    let answer = given(&format!("{{ eval(a) {{ return {body} }} }}"), "eval", "[1]");
    answer
        .strip_prefix("{\"value\":")
        .and_then(|rest| rest.strip_suffix('}'))
        .map_or(answer.clone(), str::to_owned)
}

#[test]
fn a_function_declares_what_it_is() {
    let host = QuickJs::new().unwrap();
    let object = "{ input: ['INT'], result: 'INT', eval(a) { return a + 1 } }";
    let shape = host.define(object);
    assert_eq!(
        shape,
        "{\"id\":0,\"input\":[\"INT\"],\"result\":\"INT\",\"methods\":[\"eval\"]}"
    );
    assert_eq!(host.define(object), shape, "the same text is the same function");
    let module = "function twice(x) { return 2 * x }\nexport default { input: 'INT', rows: 'INT', *eval(a) { yield twice(a) } }";
    assert!(host.define(module).contains("\"id\":1"));
    assert_eq!(host.call(1, "rows", "[4]"), "{\"value\":[8]}");
}

#[test]
fn nothing_outlives_a_call() {
    let host = QuickJs::new().unwrap();
    host.define("let count = 0;\nexport default { eval() { count += 1; return count } }");
    for _ in 0..3 {
        assert_eq!(host.call(0, "eval", "[]"), "{\"value\":1}");
    }
    for body in [
        "(globalThis.x = 1)",
        "(Array.prototype.x = 1)",
        "(Math.x = 1)",
        "(x = 1)",
    ] {
        assert!(value(body).contains("failed"), "{body}");
    }
}

#[test]
fn there_is_no_clock_and_no_chance() {
    for body in [
        "Math.random()",
        "Date.now()",
        "new Date()",
        "performance.now()",
        "setTimeout(() => 1)",
    ] {
        assert!(value(body).contains("failed"), "{body}");
    }
    assert_eq!(value("new Date('2024-01-02 03:04:05').getHours()"), "3");
    assert_eq!(
        value("new Date(2024, 0, 1).toString()"),
        "\"2024-01-01T00:00:00.000Z\""
    );
    assert_eq!(value("new Date(0)"), "\"1970-01-01T00:00:00.000Z\"");
}

#[test]
fn values_that_json_has_not_are_marked() {
    assert_eq!(
        value("[NaN, -0, 1n, new Map([['a', 1]])]"),
        "[{\"$n\":\"NaN\"},{\"$n\":\"-0.0\"},{\"$n\":\"1\"},{\"a\":1}]"
    );
    assert!(value("new Promise(() => 1)").contains("promise"));
    assert!(value("() => 1").contains("failed"));
}

#[test]
fn limits_stop_a_call() {
    let host = QuickJs::new().unwrap();
    host.define("{ eval() { for (;;) { try { for (;;); } catch {} } } }");
    host.define("{ eval() { const all = []; for (;;) all.push('x'.repeat(1000)) } }");
    host.define("{ eval() { return this.eval() } }");
    host.define("{ eval() { return 1 } }");
    assert!(host.call(0, "eval", "[]").contains("steps"));
    let large = host.call(1, "eval", "[]");
    assert!(large.contains("memory"), "{large}");
    let deep = host.call(2, "eval", "[]");
    assert!(deep.contains("stack"), "{deep}");
    assert_eq!(
        host.call(3, "eval", "[]"),
        "{\"value\":1}",
        "the others still run"
    );
}

#[test]
fn failures_have_a_place() {
    let host = QuickJs::new().unwrap();
    let broken = host.define("{ input: ['INT'],\n  eval(a) { return a + ; } }");
    assert!(
        broken.contains("\"name\":\"SyntaxError\"") && broken.contains("\"line\":2"),
        "{broken}"
    );
    let thrown = given(
        "{\n  eval(a) { throw new RangeError('no ' + a) } }",
        "eval",
        "[7]",
    );
    assert!(
        thrown.contains("RangeError") && thrown.contains("no 7") && thrown.contains("\"line\":2"),
        "{thrown}"
    );
}
