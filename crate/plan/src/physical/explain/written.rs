//! The tree of the AST section: sub-queries stand inside of expressions, what reads the row around names it `$cor0`.
//!
//! Calcite: `RexSubQuery`, `LogicalCorrelate`, `Uncollect`. A variable has the number of its first use; each use counts.
//! Cases: statements/explain-in, statements/explain-exists, statements/explain-unnest.

use std::rc::Rc;

use sg_expr::{
    Expr, ExprKind,
    function::subquery::{EXISTS_QUERY, IN_QUERY, SCALAR_QUERY, SOME_QUERY},
};
use sg_value::{
    Field, Gather as _, TypeKind, Value,
    sorted::{SortedMap, SortedSet},
};

use super::{
    ast::{expression_with, line},
    correlated,
    tree::Drawing,
};
use crate::logical::{
    CorrelateNode, JoinKind, JoinNode, LogicalNode, LogicalOp, TableFunction, as_outer_column, expressions,
};

/// The tree as the section shows it.
pub(super) fn written(root: &LogicalNode) -> Rc<Drawing> {
    let mut names = Names::default();
    names.number(root);
    names.node(root)
}

/// Writes expressions, with the names of what is around.
#[derive(Default)]
pub(super) struct Names {
    /// Uses of variables so far.
    uses: u32,
    /// By the number of a query around: its variable, and the columns that are read.
    variables: SortedMap<u32, (u32, SortedSet<u32>)>,
    /// The first of the sub-queries of the same node, whose variable all of them have.
    first: SortedMap<u32, u32>,
    /// By the number of a query around: its columns.
    columns: SortedMap<u32, Rc<[Field]>>,
    /// Variables of table functions, by node.
    calls: SortedMap<*const LogicalNode, u32>,
}

impl Names {
    /// Gives variables their numbers, in the order in which queries are bound.
    fn number(&mut self, node: &LogicalNode) {
        let queries = queries_of(node);
        if let LogicalOp::Join(JoinNode {
            lateral: Some(outer), ..
        }) = &node.op
            && let Some(left) = node.inputs.first()
        {
            self.columns.insert(*outer, Rc::clone(&left.schema));
        }
        let inner: Vec<usize> = queries.iter().map(|query| query.input).gather();
        for (at, input) in node.inputs.iter().enumerate() {
            if !inner.contains(&at) {
                self.number(input);
            }
        }
        if let LogicalOp::Correlate(correlate) = &node.op
            && correlate.lookups > 0
        {
            self.calls.insert(std::ptr::from_ref(node), self.uses);
            self.uses += correlate.lookups;
        }
        if correlated::has_version(node) {
            self.calls.insert(std::ptr::from_ref(node), self.uses);
            self.uses += 1;
        }
        for query in &queries {
            if let Some(first) = queries.first() {
                self.first.insert(query.outer, first.outer);
            }
        }
        for query in queries {
            let (Some(around), Some(plan)) = (node.inputs.first(), node.inputs.get(query.input)) else {
                continue;
            };
            self.columns.insert(query.outer, Rc::clone(&around.schema));
            self.number(plan);
        }
        for expr in expressions(node) {
            self.uses_in(expr);
        }
    }

    fn uses_in(&mut self, expr: &Expr) {
        if let Some((outer, column)) = as_outer_column(expr) {
            let next = self.uses;
            let variable = self.first.get(&outer).copied().unwrap_or(outer);
            let (_, columns) = self
                .variables
                .get_or_insert(variable, (next, SortedSet::default()));
            columns.insert(column, ());
            self.uses += 1;
        } else if let ExprKind::Call { args, .. } = &expr.kind {
            for arg in args {
                self.uses_in(arg);
            }
        }
    }

    fn node(&self, node: &LogicalNode) -> Rc<Drawing> {
        let queries = queries_of(node);
        let inner: Vec<usize> = queries.iter().map(|query| query.input).gather();
        let mut inputs: Vec<Rc<Drawing>> = node
            .inputs
            .iter()
            .enumerate()
            .filter(|(at, _)| !inner.contains(at))
            .map(|(_, input)| self.node(input))
            .gather();
        if let Some(variable) = self.calls.get(&std::ptr::from_ref(node))
            && let Some(version) = correlated::version(node, &inputs, *variable)
        {
            return version;
        }
        // `TABLE t` is a query of all columns
        if let (LogicalOp::WindowTvf(_), [input]) = (&node.op, node.inputs.as_slice())
            && matches!(input.op, LogicalOp::Watermark(_) | LogicalOp::Scan(_))
        {
            let columns = input.schema.iter().enumerate();
            let columns: Vec<String> = columns
                .map(|(at, field)| format!("{}=[${at}]", field.name))
                .gather();
            let text = format!("LogicalProject({})", columns.join(", "));
            inputs = vec![Rc::new(Drawing { text, inputs })];
        }
        let line = match &node.op {
            LogicalOp::Correlate(correlate) => {
                let (line, called) = self.call(node, correlate);
                inputs.push(called);
                line
            }
            LogicalOp::Join(join) => self
                .lateral(join)
                .unwrap_or_else(|| line(node, &|expr| self.expression(expr, node))),
            _ => {
                let text = line(node, &|expr| self.expression(expr, node));
                self.with_variables(text, node, &queries)
            }
        };
        Rc::new(Drawing { text: line, inputs })
    }

    /// `variablesSet=[[$cor0]]` of the queries that read the row here.
    fn with_variables(&self, text: String, node: &LogicalNode, queries: &[Query]) -> String {
        let variable = queries.first().and_then(|query| self.variables.get(&query.outer));
        let Some((number, _)) = variable else {
            return text;
        };
        let set = format!("variablesSet=[[$cor{number}]]");
        if let LogicalOp::Project(_) = &node.op {
            text.replacen('(', &format!("({set}, "), 1)
        } else {
            let mut text = text;
            text.pop();
            format!("{text}, {set})")
        }
    }

    fn lateral(&self, join: &JoinNode) -> Option<String> {
        let (number, columns) = self.variables.get(&join.lateral?)?;
        let word = if join.kind == JoinKind::Left {
            "left"
        } else {
            "inner"
        };
        let columns: Vec<String> = columns.keys().map(u32::to_string).gather();
        Some(format!(
            "LogicalCorrelate(correlation=[$cor{number}], joinType=[{word}], requiredColumns=[{{{}}}])",
            columns.join(", ")
        ))
    }

    /// UNNEST: `LogicalCorrelate` over an `Uncollect`.
    fn call(&self, node: &LogicalNode, correlate: &CorrelateNode) -> (String, Rc<Drawing>) {
        let row: &[Field] = node
            .inputs
            .first()
            .map(|input| &*input.schema)
            .unwrap_or_default();
        let word = if correlate.left { "left" } else { "inner" };
        let leaf = Rc::new(Drawing {
            text: "LogicalValues(tuples=[[{ 0 }]])".to_owned(),
            inputs: Vec::new(),
        });
        let over = |line: String, input: Rc<Drawing>| {
            Rc::new(Drawing {
                text: line,
                inputs: vec![input],
            })
        };
        let variable = self.calls.get(&std::ptr::from_ref(node)).copied();
        let mut read = SortedSet::default();
        for arg in &correlate.args {
            arg.for_each_column(&mut |column| {
                read.insert(column, ());
            });
        }
        let arg = correlate.args.first();
        let collection = arg.and_then(Expr::as_column).and_then(|at| row.get(at as usize));
        let name = collection.map_or("EXPR$0", |field| &*field.name);
        let text = arg.map_or_else(String::new, |arg| {
            let named = |column: u32| {
                let field = row.get(column as usize).map_or("?", |field| &*field.name);
                format!("$cor{}.{field}", variable.unwrap_or(0))
            };
            expression_with(arg, &named)
        });
        let project = over(format!("LogicalProject({name}=[{text}])"), leaf);
        let ordinality = correlate.function == TableFunction::UnnestWithOrdinality;
        let uncollect = if ordinality {
            "Uncollect(withOrdinality=[true])"
        } else {
            "Uncollect"
        };
        let (mut called, own) = if correlate.function == TableFunction::Script {
            let own = correlate.columns.iter().map(|field| Rc::clone(&field.name));
            (function_scan(correlate, row, variable), own.gather())
        } else {
            (over(uncollect.to_owned(), project), own_names(arg, ordinality))
        };
        if own.iter().ne(correlate.names.iter()) {
            let items: Vec<String> = correlate
                .names
                .iter()
                .enumerate()
                .map(|(at, name)| format!("{name}=[${at}]"))
                .gather();
            called = over(format!("LogicalProject({})", items.join(", ")), called);
        }
        let line = match variable {
            Some(number) => {
                let columns: Vec<String> = read.keys().map(u32::to_string).gather();
                format!(
                    "LogicalCorrelate(correlation=[$cor{number}], joinType=[{word}], requiredColumns=[{{{}}}])",
                    columns.join(", ")
                )
            }
            None => format!("LogicalJoin(condition=[true], joinType=[{word}])"),
        };
        (line, called)
    }

    /// An expression in which sub-queries are plans.
    fn expression(&self, expr: &Expr, node: &LogicalNode) -> String {
        let mut texts: Vec<String> = Vec::new();
        let first = u32::MAX / 2;
        let replaced = self.replaced(expr, node, (first, &mut texts));
        expression_with(&replaced, &|column| match column.checked_sub(first) {
            Some(at) => texts.get(at as usize).cloned().unwrap_or_default(),
            None => format!("${column}"),
        })
    }

    /// Columns in place of what has a text of its own.
    fn replaced(&self, expr: &Expr, node: &LogicalNode, (first, texts): (u32, &mut Vec<String>)) -> Expr {
        let text = if let Some((outer, column)) = as_outer_column(expr) {
            let first = self.first.get(&outer).unwrap_or(&outer);
            let number = self.variables.get(first).map_or(0, |(number, _)| *number);
            let columns = self.columns.get(&outer);
            let name = columns
                .and_then(|columns| columns.get(column as usize))
                .map_or("?", |field| &*field.name);
            format!("$cor{number}.{name}")
        } else if let Some(query) = Query::of(expr) {
            self.query(&query, node)
        } else if let ExprKind::Call { function, args } = &expr.kind {
            let args = args
                .iter()
                .map(|arg| self.replaced(arg, node, (first, texts)))
                .gather();
            return Expr {
                kind: ExprKind::Call { function, args },
                ..expr.clone()
            };
        } else {
            return expr.clone();
        };
        let at = first + u32::try_from(texts.len()).unwrap_or(0);
        texts.push(text);
        Expr::column(at, expr.data_type.clone(), expr.span)
    }

    /// A node of a sub-query; where rows are only counted, nothing is selected of them.
    fn counted(&self, node: &LogicalNode) -> Rc<Drawing> {
        let written = self.node(node);
        let below = match (&node.op, node.inputs.as_slice(), written.inputs.as_slice()) {
            (LogicalOp::Aggregate(aggregate), [input], [project])
                if aggregate.keys.is_empty()
                    && aggregate.calls.iter().all(|call| call.args.is_empty())
                    && matches!(input.op, LogicalOp::Project(_)) =>
            {
                project.inputs.clone()
            }
            _ => return written,
        };
        Rc::new(Drawing {
            text: written.text.clone(),
            inputs: below,
        })
    }

    /// `IN($0, {…})`: the plan indented by twos, from the first column.
    fn query(&self, query: &Query, node: &LogicalNode) -> String {
        let mut plan = String::new();
        if let Some(mut input) = node.inputs.get(query.input) {
            // whether there are rows does not depend on what is selected of them
            while let (LogicalOp::Project(_), "EXISTS", Some(below)) =
                (&input.op, query.word.as_str(), input.inputs.first())
            {
                input = below;
            }
            indent(&self.counted(input), 0, &mut plan);
        }
        let mut operands = String::new();
        for operand in &query.operands {
            operands.push_str(&self.expression(operand, node));
            operands.push_str(", ");
        }
        format!("{}({operands}{{\n{plan}}})", query.word)
    }
}

fn indent(node: &Drawing, depth: usize, text: &mut String) {
    text.push_str(&"  ".repeat(depth));
    text.push_str(&node.text);
    text.push('\n');
    for input in &node.inputs {
        indent(input, depth + 1, text);
    }
}

/// A call of a function of the script over a row.
fn function_scan(correlate: &CorrelateNode, row: &[Field], variable: Option<u32>) -> Rc<Drawing> {
    let (name, args) = correlate.function.shown(&correlate.args);
    let named = |column: u32| {
        let field = row.get(column as usize).map_or("?", |field| &*field.name);
        format!("$cor{}.{field}", variable.unwrap_or(0))
    };
    let args: Vec<String> = args.iter().map(|arg| expression_with(arg, &named)).gather();
    let record = super::ast::record_type(&correlate.columns);
    Rc::new(Drawing {
        text: format!(
            "LogicalTableFunctionScan(invocation=[{name}({})], rowType=[{record}])",
            args.join(", ")
        ),
        inputs: Vec::new(),
    })
}

/// The names that an `Uncollect` gives.
fn own_names(arg: Option<&Expr>, ordinality: bool) -> Vec<Rc<str>> {
    let mut names: Vec<Rc<str>> = match arg.map(|arg| &arg.data_type.kind) {
        Some(TypeKind::Array(element) | TypeKind::Multiset(element)) => match &element.kind {
            TypeKind::Row(fields) => fields.iter().map(|field| Rc::clone(&field.name)).gather(),
            _ => vec!["EXPR$0".into()],
        },
        Some(TypeKind::Map(..)) => vec!["KEY".into(), "VALUE".into()],
        _ => Vec::new(),
    };
    if ordinality {
        names.push("ORDINALITY".into());
    }
    names
}

/// A sub-query where it stands.
struct Query {
    word: String,
    input: usize,
    outer: u32,
    operands: Vec<Expr>,
}

impl Query {
    fn of(expr: &Expr) -> Option<Self> {
        let ExprKind::Call { function, args } = &expr.kind else {
            return None;
        };
        let word = match function.name {
            IN_QUERY => "IN",
            EXISTS_QUERY => "EXISTS",
            SCALAR_QUERY => "$SCALAR_QUERY",
            SOME_QUERY => "SOME",
            _ => return None,
        };
        let [input, outer, operands @ ..] = args.as_slice() else {
            return None;
        };
        let number = |expr: &Expr| expr.as_literal().and_then(Value::as_int);
        let (word, operands) = match operands {
            [operator, operands @ ..] if function.name == SOME_QUERY => {
                let operator = match &operator.kind {
                    ExprKind::Literal(Value::Str(operator)) => &**operator,
                    _ => "?",
                };
                (format!("{operator} SOME"), operands)
            }
            _ => (word.to_owned(), operands),
        };
        Some(Self {
            word,
            input: usize::try_from(number(input)?).ok()?,
            outer: u32::try_from(number(outer)?).ok()?,
            operands: operands.to_vec(),
        })
    }
}

/// The sub-queries of a node's expressions, in order.
fn queries_of(node: &LogicalNode) -> Vec<Query> {
    fn collect(expr: &Expr, queries: &mut Vec<Query>) {
        if let Some(query) = Query::of(expr) {
            queries.push(query);
        }
        if let ExprKind::Call { args, .. } = &expr.kind {
            for arg in args {
                collect(arg, queries);
            }
        }
    }
    let mut queries = Vec::new();
    if node.inputs.len() > 1 && matches!(node.op, LogicalOp::Filter(_) | LogicalOp::Project(_)) {
        for expr in expressions(node) {
            collect(expr, &mut queries);
        }
    }
    queries
}
