//! Trees as indented text.

use std::rc::Rc;

/// Anything with inputs.
pub(super) trait Branches: Sized {
    /// The inputs in order.
    fn branches(&self) -> &[Rc<Self>];
}

impl Branches for crate::physical::node::PhysicalNode {
    fn branches(&self) -> &[Rc<Self>] {
        &self.inputs
    }
}

impl Branches for crate::logical::LogicalNode {
    fn branches(&self) -> &[Rc<Self>] {
        &self.inputs
    }
}

/// A line and the trees below it.
pub(super) struct Drawing {
    /// The line.
    pub(super) text: String,
    /// What stands below it.
    pub(super) inputs: Vec<Rc<Self>>,
}

impl Branches for Drawing {
    fn branches(&self) -> &[Rc<Self>] {
        &self.inputs
    }
}

/// The text of one node.
pub(super) enum Drawn {
    /// Its inputs follow.
    Inner(String),
    /// Nothing follows.
    Leaf(String),
}

/// A tree, one node a line: the last input behind `+- `, others behind `:- `. No newline at the end.
pub(super) fn draw<N: Branches>(root: &Rc<N>, line: &mut dyn FnMut(&Rc<N>) -> Drawn) -> String {
    let mut text = String::new();
    draw_below(root, line, ("", ""), &mut text);
    text.pop();
    text
}

fn draw_below<N: Branches>(
    node: &Rc<N>,
    line: &mut dyn FnMut(&Rc<N>) -> Drawn,
    (first, rest): (&str, &str),
    text: &mut String,
) {
    let (own, inputs) = match line(node) {
        Drawn::Inner(own) => (own, node.branches()),
        Drawn::Leaf(own) => (own, &[][..]),
    };
    text.push_str(first);
    text.push_str(&own);
    text.push('\n');
    for (at, input) in inputs.iter().enumerate() {
        let (mark, below) = if at + 1 == inputs.len() {
            ("+- ", "   ")
        } else {
            (":- ", ":  ")
        };
        draw_below(
            input,
            line,
            (&format!("{rest}{mark}"), &format!("{rest}{below}")),
            text,
        );
    }
}
