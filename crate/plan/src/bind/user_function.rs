//! CREATE, ALTER, DROP and DESCRIBE FUNCTION: the interpreter reads the text, and what it declares becomes types.

use std::rc::Rc;

use sg_diag::{Code, Diagnostic, LabelText, Span};
use sg_expr::script::{Script, Shape, passes};
use sg_sql::ast::{self as ddl, FunctionAction, FunctionScope};
use sg_value::{DataType, Field, Gather as _, TypeKind};

use super::Binder;
use crate::{
    catalog::ObjectPath,
    user_function::{UserFunction, UserFunctionKind, function_path},
};

/// What a statement does to the functions of the catalog.
pub(crate) enum FunctionChange {
    /// A new one, or another at its place.
    Put(FunctionScope, ObjectPath, Rc<UserFunction>),
    /// One that goes.
    Gone(FunctionScope, ObjectPath),
}

impl Binder<'_> {
    /// CREATE, ALTER, DROP FUNCTION.
    #[inline(never)]
    pub(crate) fn bind_function_statement(
        &mut self,
        statement: &ddl::FunctionStatement,
    ) -> Option<FunctionChange> {
        let scope = statement.scope;
        let parts: Vec<&str> = statement
            .name
            .parts
            .iter()
            .map(|part| part.name.as_str())
            .gather();
        let path = function_path(&self.home, scope, &parts)?;
        if scope == FunctionScope::Catalog && !self.function_place_is_known(statement, &path) {
            return None;
        }
        let known = self.catalog.functions.get(scope, &path).map(Rc::clone);
        match (statement.action, known) {
            (FunctionAction::Create, Some(known)) => {
                if !statement.if_exists {
                    self.function_exists(statement, &path, known.span);
                }
                None
            }
            (FunctionAction::Alter, _) if scope != FunctionScope::Catalog => {
                let diagnostic = Diagnostic::new(Code::AlterTemporaryFunction, statement.name.span);
                let word = if scope == FunctionScope::System {
                    "system"
                } else {
                    "catalog"
                };
                self.report(diagnostic.flink(format!(
                    "ValidationException: Alter temporary {word} function is not supported"
                )));
                None
            }
            (FunctionAction::Alter | FunctionAction::Drop, None) => {
                if !statement.if_exists {
                    self.function_unknown(statement, &path);
                }
                None
            }
            (FunctionAction::Drop, Some(_)) => Some(FunctionChange::Gone(scope, path)),
            (FunctionAction::Create | FunctionAction::Alter, _) => {
                let function = self.declared_function(statement, &path);
                Some(FunctionChange::Put(scope, path, Rc::new(function)))
            }
        }
    }

    /// Whether a function's catalog is there, and its database, where something is to be put into it.
    #[inline(never)]
    fn function_place_is_known(&mut self, statement: &ddl::FunctionStatement, path: &ObjectPath) -> bool {
        let (catalog, span) = (&path.place.catalog, statement.name.span);
        if self.catalog.databases(catalog).is_none() {
            self.no_catalog(
                catalog,
                span,
                format!("ValidationException: Catalog {catalog} does not exist"),
            );
            return false;
        }
        let known = statement.action != FunctionAction::Create || self.catalog.has(&path.place);
        if !known {
            let flink = format!(
                "TableException: Could not execute CREATE CATALOG FUNCTION: (catalogFunction: [Optional[This is a user-defined \
                 function]], identifier: [{}], ignoreIfExists: [{}], isTemporary: [false])\nDatabaseNotExistException: Database \
                 {} does not exist in Catalog {catalog}.",
                path.quoted(),
                statement.if_exists,
                path.place.database
            );
            self.unknown_database(&path.place, span, flink);
        }
        known
    }

    #[inline(never)]
    fn function_exists(&mut self, statement: &ddl::FunctionStatement, path: &ObjectPath, first: Span) {
        let name = &path.object;
        let flink = match statement.scope {
            FunctionScope::Catalog => format!(
                "ValidationException: Function {} already exists in Catalog {}.",
                path.in_catalog(),
                path.place.catalog
            ),
            FunctionScope::Temporary => format!(
                "ValidationException: Could not register temporary catalog function. A function '{}' does already exist.",
                path.dotted()
            ),
            FunctionScope::System => format!(
                "ValidationException: Could not register temporary system function. A function named '{name}' does \
                 already exist."
            ),
        };
        self.report(
            Diagnostic::new(Code::FunctionExists, statement.name.span)
                .arg("function", name)
                .label(first, LabelText::FirstHere)
                .flink(flink),
        );
    }

    #[inline(never)]
    fn function_unknown(&mut self, statement: &ddl::FunctionStatement, path: &ObjectPath) {
        let name = &path.object;
        let (scope, flink) = match statement.scope {
            FunctionScope::Catalog => (
                ["", ""],
                format!(
                    "ValidationException: Function {} does not exist in Catalog {}.",
                    path.in_catalog(),
                    path.place.catalog
                ),
            ),
            FunctionScope::Temporary => (
                ["temporary ", "临时"],
                format!(
                    "ValidationException: Temporary catalog function {} doesn't exist",
                    path.quoted()
                ),
            ),
            FunctionScope::System => (
                ["temporary system ", "临时系统"],
                format!(
                    "ValidationException: Could not drop temporary system function. A function named '{name}' doesn't exist."
                ),
            ),
        };
        let names = self.catalog.functions.names(&path.place);
        let [en, zh] = scope;
        self.report(
            Diagnostic::new(Code::FunctionUnknown, statement.name.span)
                .arg("function", name)
                .arg_words("scope", en, zh)
                .suggest_similar(name, names.iter().map(|name| &**name))
                .flink(flink),
        );
    }

    #[inline(never)]
    fn declared_function(&mut self, statement: &ddl::FunctionStatement, path: &ObjectPath) -> UserFunction {
        let text = statement.source.as_ref();
        let mut function = UserFunction {
            name: Rc::clone(&path.object),
            source: Rc::from(text.map_or("", |text| text.value.as_str())),
            span: text.map_or(statement.name.span, |text| text.span),
            input: Vec::new(),
            kind: UserFunctionKind::Broken,
        };
        let language = statement.language.as_ref();
        let written = language.map_or("JAVA", |language| language.name.as_str());
        if !written.eq_ignore_ascii_case("JAVASCRIPT") {
            self.declared_in_other(statement, path, &mut function);
            return function;
        }
        let script = function.script(&function.name);
        match script.shape() {
            Ok(shape) => {
                let declared = self.declared_types(&script, &shape);
                if let Some((input, kind)) = declared {
                    function.input = input;
                    function.kind = kind;
                }
            }
            Err(diagnostic) => self.report(*diagnostic),
        }
        function
    }

    /// A function of a class: Flink looks for the class when the function is called, or at once where it is temporary.
    #[inline(never)]
    fn declared_in_other(
        &mut self,
        statement: &ddl::FunctionStatement,
        path: &ObjectPath,
        function: &mut UserFunction,
    ) {
        let language = statement.language.as_ref();
        let span = language.map_or(function.span, |language| language.span);
        let word = sg_value::case::upper(language.map_or("JAVA", |language| language.name.as_str()));
        let (class, name) = (&function.source, &path.object);
        let missing = format!("due to implementation errors.\nClassNotFoundException: {class}");
        let flink = match statement.scope {
            _ if !["JAVA", "SCALA", "PYTHON", "SQL"].contains(&&*word) => {
                let place = self.position(span);
                let place = place.trim_start_matches("From ").trim_start_matches("At ");
                let place = place.split(" to ").next().unwrap_or(place);
                format!(
                    "SqlParserException: SQL parse failed. Encountered \"{}\" at {place}.\nWas expecting one of:\n    \"JAVA\" \
                     ...\n    \"SQL\" ...\n    \"PYTHON\" ...\n    \"SCALA\" ...",
                    span.text(self.text)
                )
            }
            FunctionScope::Catalog => {
                function.kind = UserFunctionKind::Foreign(Rc::from(word));
                return self.declared_only("FUNCTION", span);
            }
            FunctionScope::Temporary => format!(
                "ValidationException: Could not register temporary catalog function '{}' {missing}",
                path.dotted()
            ),
            FunctionScope::System => format!(
                "TableException: Could not execute CREATE TEMPORARY SYSTEM FUNCTION: (functionName: [{name}], catalogFunction: \
                 [CatalogFunctionImpl{{className='{class}', functionLanguage='{word}', functionResource='[]', options='{{}}'}}], \
                 ignoreIfExists: [{}], functionLanguage: [{word}])\nValidationException: Could not register temporary system \
                 function '{name}' {missing}",
                statement.if_exists
            ),
        };
        let diagnostic = Diagnostic::new(Code::FunctionLanguage, span).arg("language", word);
        self.report(diagnostic.flink(flink));
    }

    /// A call of a function that does not run here.
    pub(super) fn foreign_function(&mut self, language: &str, span: Span) {
        self.report(Diagnostic::new(Code::FunctionLanguage, span).arg("language", language));
    }

    fn declared_types(
        &mut self,
        script: &Script,
        shape: &Shape,
    ) -> Option<(Vec<DataType>, UserFunctionKind)> {
        let aggregates = shape.has("accumulate") || shape.has("createAccumulator");
        let tables = if aggregates {
            shape.has("emitValue")
        } else {
            shape.rows.is_some()
        };
        let methods: &[&str] = match (aggregates, tables) {
            (false, _) => &["eval"],
            (true, false) => &["createAccumulator", "accumulate", "getValue"],
            (true, true) => &["createAccumulator", "accumulate", "emitValue"],
        };
        for method in methods {
            if !shape.has(method) {
                self.function_lacks(script, method);
                return None;
            }
        }
        let given = if tables { &shape.rows } else { &shape.result };
        let Some(given) = given else {
            self.function_lacks(script, if tables { "rows" } else { "result" });
            return None;
        };
        let Some(input) = &shape.input else {
            self.function_lacks(script, "input");
            return None;
        };
        let input: Vec<Option<DataType>> = input
            .iter()
            .map(|text| self.declared_type(script, "input", text))
            .gather();
        let given = self.declared_type(script, if tables { "rows" } else { "result" }, given);
        let accumulator = match &shape.accumulator {
            Some(text) => Some(self.declared_type(script, "accumulator", text)?),
            None => None,
        };
        let input = input.into_iter().gather::<Option<Vec<_>>>()?;
        let given = given?;
        let kind = match (aggregates, tables) {
            (false, false) => UserFunctionKind::Scalar(given),
            (false, true) => UserFunctionKind::Table(columns_of(&given)),
            (true, false) => UserFunctionKind::Aggregate {
                result: given,
                accumulator,
                retracts: shape.has("retract"),
                merges: shape.has("merge"),
            },
            (true, true) => UserFunctionKind::TableAggregate,
        };
        Some((input, kind))
    }

    fn function_lacks(&mut self, script: &Script, part: &str) {
        self.report(
            Diagnostic::new(Code::FunctionLacks, script.span)
                .arg("function", &script.name)
                .arg("part", format!("`{part}`")),
        );
    }

    /// The type that a text names, read as a column's.
    fn declared_type(&mut self, script: &Script, part: &str, text: &str) -> Option<DataType> {
        let table = sg_sql::parse_script(&format!("CREATE TABLE f (c {}\n)", with_quoted_fields(text)));
        let syntax = match table.statements.as_slice() {
            [one] if !table.diagnostics.has_errors() => match &one.statement {
                Ok(ddl::Statement::CreateTable(table)) => match table.columns.as_slice() {
                    [only] => match &only.kind {
                        ddl::ColumnKind::Physical(syntax) => Some(syntax.clone()),
                        _ => None,
                    },
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        };
        let bound = syntax.and_then(|syntax| self.scratch(|binder| binder.bind_type(&syntax)).0);
        let fits = bound.filter(passes);
        if fits.is_none() {
            self.report(
                Diagnostic::new(Code::FunctionType, script.find(text))
                    .arg("function", &script.name)
                    .arg("part", format!("`{part}`"))
                    .arg("type", text),
            );
        }
        fits
    }

    /// DESCRIBE FUNCTION
    pub(super) fn describe_function(&mut self, describe: &ddl::Describe) -> Option<String> {
        let name = &describe.table;
        let parts: Vec<&str> = name.parts.iter().map(|part| part.name.as_str()).gather();
        let Some(function) = self.catalog.user_function(&self.home, &parts).map(Rc::clone) else {
            let quoted: Vec<String> = parts.iter().map(|part| format!("`{part}`")).gather();
            let names = self.catalog.functions.names(&self.home);
            let diagnostic = Diagnostic::new(Code::FunctionUnknown, name.span)
                .arg("function", name.object())
                .arg("scope", "")
                .suggest_similar(name.object(), names.iter().map(|name| &**name));
            self.report(diagnostic.flink(format!(
                "ValidationException: Function with the identifier '{}' doesn't exist.",
                quoted.join(".")
            )));
            return None;
        };
        let place = |scope| {
            let path = function_path(&self.home, scope, &parts)?;
            let known = self.catalog.functions.get(scope, &path)?;
            Rc::ptr_eq(known, &function).then_some(path)
        };
        let system = parts.len() == 1 && place(FunctionScope::System).is_some();
        let temporary = system || place(FunctionScope::Temporary).is_some();
        let mut rows = vec![
            ("is system function", system.to_string()),
            ("is temporary", temporary.to_string()),
        ];
        if !temporary {
            rows.push(("class name", function.source.to_string()));
            let language = match &function.kind {
                UserFunctionKind::Foreign(language) => language,
                _ => "JAVASCRIPT",
            };
            rows.push(("function language", language.to_owned()));
            rows.push(("resource uris", "[]".to_owned()));
        }
        if describe.extended {
            let written = match place(FunctionScope::Temporary).or_else(|| place(FunctionScope::Catalog)) {
                Some(path) if !system => path.dotted(),
                _ => function.name.to_string(),
            };
            rows.push(("kind", function.kind_name().to_owned()));
            rows.push(("requirements", "[]".to_owned()));
            rows.push(("is deterministic", "true".to_owned()));
            rows.push(("supports constant folding", "true".to_owned()));
            rows.push(("signature", function.signature(&written)));
        }
        Some(
            rows.iter()
                .flat_map(|(name, value)| ["+I[", name, ", ", value, "]\n"])
                .gather(),
        )
    }
}

/// A type with the names of ROW's fields in backquotes, as any word can be one there: `ROW<sum INT>`.
#[inline(never)]
fn with_quoted_fields(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    let mut word = String::new();
    // for each open bracket whether names of fields stand in it
    let mut open: Vec<bool> = Vec::new();
    let mut name_next = false;
    for letter in text.chars().chain(['\n']) {
        if letter.is_alphanumeric() || letter == '_' {
            word.push(letter);
            continue;
        }
        if name_next && !word.is_empty() {
            out.extend(["`", &word, "`"]);
            name_next = false;
        } else {
            out.push_str(&word);
        }
        match letter {
            '<' | '(' => {
                open.push(word.eq_ignore_ascii_case("ROW"));
                name_next = open.last() == Some(&true);
            }
            '>' | ')' => {
                open.pop();
            }
            ',' => name_next = open.last() == Some(&true),
            '`' => name_next = false,
            _ => {}
        }
        word.clear();
        out.push(letter);
    }
    out
}

/// The columns of a table function's rows: the fields of a ROW, or one for any other type.
fn columns_of(rows: &DataType) -> Vec<Field> {
    match &rows.kind {
        TypeKind::Row(fields) => fields.to_vec(),
        _ => vec![Field {
            name: Rc::from("EXPR$0"),
            data_type: rows.clone(),
        }],
    }
}
