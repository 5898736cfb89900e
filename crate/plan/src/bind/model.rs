//! Models: what is declared of them is kept and shown; nothing here asks one.
//!
//! Cases: statements/*-model, statements/show-models.

use std::rc::Rc;

use sg_diag::{Code, Diagnostic};
use sg_sql::ast::{CatalogAction, CatalogAlteration, CatalogStatement, ModelColumn};
use sg_value::{Field, Gather as _};

use super::{
    Binder,
    catalog::{CatalogChange, declaration, pairs},
    table::Target,
};
use crate::{
    catalog::{Model, ObjectPath},
    unparse::{quoted, quoted_text, serializable},
};

impl Binder<'_> {
    /// A statement about a model.
    pub(super) fn bind_model_statement(&mut self, statement: &CatalogStatement) -> Option<CatalogChange> {
        let path = self.object_path(&statement.name)?;
        match statement.action {
            CatalogAction::CreateModel => self.create_model(statement),
            CatalogAction::DropModel => {
                let known = self.model_of_kind(&path, statement.temporary).is_some();
                if known || statement.conditional {
                    return Some(CatalogChange::NoModel(path, statement.temporary));
                }
                let kind = if statement.temporary {
                    "Temporary model"
                } else {
                    "Model"
                };
                let flink = format!(
                    "ValidationException: {kind} with identifier '{}' does not exist.",
                    path.dotted()
                );
                self.no_model(statement, flink)
            }
            CatalogAction::AlterModel => self.alter_model(statement, path),
            CatalogAction::DescribeModel => {
                let head = format!("Model with the identifier '{}' doesn't exist.", path.dotted());
                self.shown_model(statement, &path, described, &head)
            }
            _ => {
                let head = format!(
                    "Could not execute SHOW CREATE MODEL. Model with identifier {} does not exist.",
                    path.quoted()
                );
                self.shown_model(statement, &path, created, &head)
            }
        }
    }

    fn shown_model(
        &mut self,
        statement: &CatalogStatement,
        path: &ObjectPath,
        show: fn(&Model) -> String,
        missing: &str,
    ) -> Option<CatalogChange> {
        if let Some(model) = self.catalog.model(path) {
            return Some(CatalogChange::Shown(show(model)));
        }
        self.no_model(statement, format!("ValidationException: {missing}"))
    }

    fn model_of_kind(&self, path: &ObjectPath, temporary: bool) -> Option<&Model> {
        let mut models = self.catalog.models.iter();
        models.find(|model| model.path == *path && model.temporary == temporary)
    }

    fn no_model(&mut self, statement: &CatalogStatement, flink: String) -> Option<CatalogChange> {
        self.report(
            Diagnostic::new(Code::UnknownModel, statement.name.span)
                .arg("model", statement.name.object())
                .flink(flink),
        );
        None
    }

    fn model_exists(&mut self, statement: &CatalogStatement, path: &ObjectPath, head: &str) {
        let flink = format!(
            "ValidationException: {head}\nModelAlreadyExistException: Model {} already exists in Catalog {}.",
            path.in_catalog(),
            path.place.catalog
        );
        self.report(
            Diagnostic::new(Code::ModelExists, statement.name.span)
                .arg("model", &path.object)
                .flink(flink),
        );
    }

    fn create_model(&mut self, statement: &CatalogStatement) -> Option<CatalogChange> {
        let [inputs, outputs] = &statement.columns;
        let wrong = if statement.options.is_empty() {
            "Model property list can not be empty."
        } else if outputs.is_empty() && !inputs.is_empty() {
            "Output column list can not be empty with non-empty input column list."
        } else if inputs.is_empty() && !outputs.is_empty() {
            "Input column list can not be empty with non-empty output column list."
        } else {
            ""
        };
        if !wrong.is_empty() {
            let diagnostic = Diagnostic::new(Code::ModelIncomplete, statement.name.span);
            self.report(diagnostic.flink(format!("SqlValidateException: {wrong}")));
            return None;
        }
        let path = self.target_path(&statement.name, Target::Model, statement.temporary)?;
        if self.model_of_kind(&path, statement.temporary).is_some() {
            if !statement.conditional {
                let head = format!("Could not execute CreateModel in path {}", path.quoted());
                self.model_exists(statement, &path, &head);
            }
            return None;
        }
        self.declared_only("MODEL", statement.name.span);
        let columns = [self.model_columns(inputs)?, self.model_columns(outputs)?];
        let model = Model {
            path: path.clone(),
            temporary: statement.temporary,
            columns,
            comment: statement
                .comment
                .as_ref()
                .map(|text| Rc::from(text.value.as_str())),
            options: pairs(&statement.options),
        };
        Some(CatalogChange::Model(path, model))
    }

    fn model_columns(&mut self, columns: &[ModelColumn]) -> Option<Vec<(Field, Option<Rc<str>>)>> {
        columns
            .iter()
            .map(|column| {
                let data_type = self.bind_type(&column.data_type)?;
                let name = Rc::from(column.name.name.as_str());
                let comment = column.comment.as_ref().map(|text| Rc::from(text.value.as_str()));
                Some((Field { name, data_type }, comment))
            })
            .collect()
    }

    fn alter_model(&mut self, statement: &CatalogStatement, path: ObjectPath) -> Option<CatalogChange> {
        let Some(known) = self.model_of_kind(&path, false) else {
            if statement.conditional {
                return None;
            }
            let flink = format!("ValidationException: Model {} doesn't exist.", path.quoted());
            return self.no_model(statement, flink);
        };
        let mut model = known.clone();
        match statement.change.as_ref()? {
            CatalogAlteration::Rename(name) => {
                let to = self.object_path(name)?;
                if to.place.catalog != path.place.catalog {
                    let flink = format!(
                        "ValidationException: The catalog name of the new model name '{}' must be the same as the old model \
                         name '{}'.",
                        to.dotted(),
                        path.dotted()
                    );
                    let diagnostic = Diagnostic::new(Code::UnknownCatalog, name.span);
                    self.report(diagnostic.arg("catalog", &to.place.catalog).flink(flink));
                    return None;
                }
                if self.model_of_kind(&to, false).is_some() {
                    let head = format!(
                        "Could not execute ALTER MODEL {} RENAME TO {}",
                        path.dotted(),
                        to.dotted()
                    );
                    self.model_exists(statement, &to, &head);
                    return None;
                }
                model.path = to;
            }
            CatalogAlteration::Reset(keys) => {
                for key in keys {
                    model.options.remove(&key.value);
                }
            }
            _ if statement.options.is_empty() => {
                let diagnostic = Diagnostic::new(Code::ModelIncomplete, statement.name.span);
                let flink = "ValidationException: ALTER MODEL SET does not support empty option.";
                self.report(diagnostic.flink(flink));
                return None;
            }
            _ => {
                for option in &statement.options {
                    model
                        .options
                        .insert(option.key.value.clone(), option.value.value.clone());
                }
            }
        }
        Some(CatalogChange::Model(path, model))
    }
}

/// Name, type, nullability, whether it goes in, comment.
fn described(model: &Model) -> String {
    let [inputs, outputs] = &model.columns;
    let inputs = inputs.iter().map(|column| (column, true));
    let all = inputs.chain(outputs.iter().map(|column| (column, false)));
    let rows = all.map(|((field, comment), goes_in)| {
        let nullable = field.data_type.nullable;
        let data_type = field.data_type.with_nullable(true);
        let comment = comment.as_deref().unwrap_or("null");
        format!(
            "+I[{}, {data_type}, {nullable}, {goes_in}, {comment}]\n",
            field.name
        )
    });
    rows.gather::<Vec<_>>().concat()
}

/// `CREATE MODEL …`
fn created(model: &Model) -> String {
    let temporary = if model.temporary { "TEMPORARY " } else { "" };
    let mut text = format!("CREATE {temporary}MODEL {}\n", model.path.quoted());
    for (word, columns) in ["INPUT", "OUTPUT"].into_iter().zip(&model.columns) {
        let shown: Vec<String> = columns
            .iter()
            .map(|(field, comment)| {
                let comment = comment.as_ref().map_or_else(String::new, |comment| {
                    format!(" COMMENT {}", quoted_text(comment))
                });
                format!(
                    "{} {}{comment}",
                    quoted(&field.name),
                    serializable(&field.data_type)
                )
            })
            .gather();
        if !shown.is_empty() {
            put!(text, "{word} ({})\n", shown.join(", "));
        }
    }
    declaration(text, model.comment.as_ref(), &model.options)
}
