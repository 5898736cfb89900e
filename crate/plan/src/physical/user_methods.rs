//! Methods that aggregate functions of the script need where they are called.
//!
//! Flink finds out while it generates the code of an operator: `UserDefinedFunctionHelper`.

use sg_diag::{Code, Diagnostic, Diagnostics};
use sg_expr::{AggregateCall, FrameBound};
use sg_value::{DataType, Gather as _};

use super::node::{PhysicalNode, PhysicalOp, WindowKind, WindowSpec};

/// Why a method is needed, in English and Chinese.
type Why = (&'static str, &'static str);

const TAKEN_BACK: Why = ("rows of its input are taken back", "其输入的行会被撤回");
const LEAVES: Why = ("rows leave the frame of OVER", "有行离开 OVER 的范围");
const JOINED: Why = ("accumulators of windows are joined", "窗口的累加器会合并");

/// Reports each call whose function lacks a method; `None` where there is one.
pub(super) fn check(node: &PhysicalNode, diags: &mut Diagnostics) -> Option<()> {
    let before = diags.len();
    visit(node, diags);
    (diags.len() == before).then_some(())
}

fn visit(node: &PhysicalNode, diags: &mut Diagnostics) {
    match &node.op {
        PhysicalOp::GroupAggregate(spec) => calls(&spec.calls, None, diags),
        PhysicalOp::WindowAggregate(spec) => calls(&spec.calls, Some(&spec.window), diags),
        PhysicalOp::GroupWindowAggregate(spec) => calls(&spec.calls, Some(&spec.window), diags),
        PhysicalOp::OverAggregate(spec) => {
            let leaves = matches!(spec.frame.start, FrameBound::Preceding(_));
            for call in spec.calls.iter().filter(|_| leaves) {
                needs(call, "retract", LEAVES, diags);
            }
        }
        _ => {}
    }
    node.inputs.iter().for_each(|input| visit(input, diags));
}

fn calls(calls: &[AggregateCall], window: Option<&WindowSpec>, diags: &mut Diagnostics) {
    let joins = window.is_some_and(|window| !matches!(window.kind, WindowKind::Tumble { .. }));
    for call in calls {
        if call.retract {
            needs(call, "retract", TAKEN_BACK, diags);
        }
        if joins {
            needs(call, "merge", JOINED, diags);
        }
    }
}

fn needs(call: &AggregateCall, method: &'static str, (en, zh): Why, diags: &mut Diagnostics) {
    let Some(user) = &call.user else { return };
    let has = if method == "merge" {
        user.merges
    } else {
        user.retracts
    };
    if has {
        return;
    }
    let name = &user.script.name;
    let own = user
        .accumulator
        .as_ref()
        .map_or("STRING".to_owned(), DataType::to_string);
    let types: Vec<String> = if method == "merge" {
        vec![own, "java.lang.Iterable".to_owned()]
    } else {
        std::iter::once(own)
            .chain(call.arg_types.iter().map(ToString::to_string))
            .gather()
    };
    diags.push(
        Diagnostic::new(Code::FunctionNeeds, call.span)
            .arg("function", name)
            .arg("method", method)
            .arg_words("why", en, zh)
            .flink(format!(
                "ValidationException: Could not find an implementation method '{method}' in class '{name}' for function \
                 '{name}' that matches the following signature:\nvoid {method}({})",
                types.join(", ")
            )),
    );
}
