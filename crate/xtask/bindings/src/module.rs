//! A module, read: what the other parts of this program look at.

use std::collections::BTreeMap;
use std::error::Error;

use wasmparser::{
    CompositeInnerType, DataKind, ElementItems, ElementKind, Export, ExternalKind, FuncType, FunctionBody, Global,
    Import, MemoryType, Operator, Parser, Payload, Table, TypeRef,
};

/// A module as Rust's compiler and `wasm-bindgen` make it: it imports functions only, and its data and elements lie at
/// numbers.
#[derive(Default)]
pub(crate) struct Module<'a> {
    pub(crate) types: Vec<FuncType>,
    /// The section of types as it is.
    pub(crate) type_section: &'a [u8],
    pub(crate) imports: Vec<Import<'a>>,
    /// The types of the imported functions, which have the first numbers.
    pub(crate) imported: Vec<u32>,
    /// The types of the functions with bodies.
    pub(crate) functions: Vec<u32>,
    pub(crate) bodies: Vec<FunctionBody<'a>>,
    pub(crate) globals: Vec<Global<'a>>,
    pub(crate) tables: Vec<Table<'a>>,
    pub(crate) memories: Vec<MemoryType>,
    pub(crate) exports: Vec<Export<'a>>,
    pub(crate) start: Option<u32>,
    /// The first table: a place's function.
    pub(crate) table: BTreeMap<u32, u32>,
    /// Offset and bytes of the data.
    pub(crate) data: Vec<(i32, &'a [u8])>,
}

impl<'a> Module<'a> {
    pub(crate) fn read(bytes: &'a [u8]) -> Result<Self, Box<dyn Error>> {
        let mut module = Self::default();
        for payload in Parser::new(0).parse_all(bytes) {
            module.take(bytes, payload?)?;
        }
        Ok(module)
    }

    fn take(&mut self, bytes: &'a [u8], payload: Payload<'a>) -> Result<(), Box<dyn Error>> {
        match payload {
            Payload::TypeSection(section) => {
                self.type_section = &bytes[section.range()];
                for group in section {
                    for ty in group?.into_types() {
                        match ty.composite_type.inner {
                            CompositeInnerType::Func(ty) => self.types.push(ty),
                            _ => return Err("a type that is no function".into()),
                        }
                    }
                }
            }
            Payload::ImportSection(section) => {
                for import in section.into_imports() {
                    let import = import?;
                    match import.ty {
                        TypeRef::Func(ty) => self.imported.push(ty),
                        _ => return Err("an import that is no function".into()),
                    }
                    self.imports.push(import);
                }
            }
            Payload::FunctionSection(section) => self.functions = read_all(section)?,
            Payload::TableSection(section) => self.tables = read_all(section)?,
            Payload::MemorySection(section) => self.memories = read_all(section)?,
            Payload::GlobalSection(section) => self.globals = read_all(section)?,
            Payload::ExportSection(section) => self.exports = read_all(section)?,
            Payload::StartSection { func, .. } => self.start = Some(func),
            Payload::ElementSection(section) => {
                for element in section {
                    let element = element?;
                    let (from, functions) = match (element.kind, element.items) {
                        (
                            ElementKind::Active {
                                table_index: None | Some(0),
                                offset_expr,
                            },
                            ElementItems::Functions(functions),
                        ) => (number(&offset_expr)? as u32, functions),
                        _ => return Err("elements that are no functions of the first table".into()),
                    };
                    for (place, function) in (from..).zip(functions) {
                        self.table.insert(place, function?);
                    }
                }
            }
            Payload::CodeSectionEntry(body) => self.bodies.push(body),
            Payload::DataSection(section) => {
                for data in section {
                    let data = data?;
                    match data.kind {
                        DataKind::Active { offset_expr, .. } => {
                            self.data.push((number(&offset_expr)?, data.data));
                        }
                        DataKind::Passive => return Err("data that lies nowhere".into()),
                    }
                }
            }
            Payload::Version { .. }
            | Payload::CustomSection(_)
            | Payload::CodeSectionStart { .. }
            | Payload::DataCountSection { .. }
            | Payload::End(_) => {}
            _ => return Err("a section of an unknown kind".into()),
        }
        Ok(())
    }

    /// The number of the first function with a body.
    pub(crate) fn first_body(&self) -> u32 {
        self.imported.len() as u32
    }

    /// The type of a function.
    pub(crate) fn type_of(&self, function: u32) -> u32 {
        let index = function as usize;
        match self.imported.get(index) {
            Some(ty) => *ty,
            None => self.functions[index - self.imported.len()],
        }
    }

    /// Exported functions with their names.
    pub(crate) fn exported(&self) -> impl Iterator<Item = (&'a str, u32)> {
        self.exports
            .iter()
            .filter(|export| export.kind == ExternalKind::Func)
            .map(|export| (export.name, export.index))
    }
}

fn read_all<'a, T: wasmparser::FromReader<'a>>(
    section: wasmparser::SectionLimited<'a, T>,
) -> Result<Vec<T>, wasmparser::BinaryReaderError> {
    section.into_iter().collect()
}

/// The number that an offset is.
fn number(expression: &wasmparser::ConstExpr<'_>) -> Result<i32, Box<dyn Error>> {
    match expression.get_operators_reader().read()? {
        Operator::I32Const { value } => Ok(value),
        _ => Err("an offset that is no number".into()),
    }
}
