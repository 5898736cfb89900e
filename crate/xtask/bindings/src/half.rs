//! Writes the two modules of a cut.

use std::collections::HashMap;
use std::error::Error;

use wasm_encoder::reencode::{self, Reencode, RoundtripReencoder};
use wasm_encoder::{
    CodeSection, ConstExpr, DataSection, ElementSection, Elements, EntityType, ExportKind, ExportSection, Function,
    FunctionSection, GlobalSection, ImportSection, Instruction, MemorySection, Module, RawSection, SectionId,
    StartSection, TableSection, TableType, TypeSection, ValType,
};
use wasmparser::{ExternalKind, Operator};

use crate::split::Cut;

type Written<T> = Result<T, Box<dyn Error>>;

/// The module from which the rest imports.
const FIRST: &str = "f";
/// The memory, as the first exports it for the rest; functions have numbers for names, globals and tables `g` and `t`
/// with a number.
const MEMORY: &str = "m";

/// The half with memory, tables and data.
pub(crate) fn first(cut: &Cut<'_, '_>) -> Written<Vec<u8>> {
    let module = cut.module;
    let mut out = Module::new();
    let mut types = types(cut)?;
    let holes = module.types.len() as u32;
    types.ty().function(no_parameters_of_any(cut), []);
    out.section(&types);

    let mut imports = ImportSection::new();
    for import in &module.imports {
        RoundtripReencoder
            .parse_import(&mut imports, *import)
            .map_err(told)?;
    }
    out.section(&imports);

    let mut functions = FunctionSection::new();
    let mut numbers: HashMap<u32, u32> = (0..module.first_body()).map(|number| (number, number)).collect();
    for (number, function) in (module.first_body()..).zip(cut.first.iter().chain(&cut.doors)) {
        functions.function(module.type_of(*function));
        numbers.insert(*function, number);
    }
    let hole = module.first_body() + functions.len();
    functions.function(holes);
    out.section(&functions);

    let mut tables = TableSection::new();
    for at in 0..module.tables.len() {
        tables.table(table(cut, at)?);
    }
    out.section(&tables);
    let mut memories = MemorySection::new();
    for memory in &module.memories {
        memories.memory(RoundtripReencoder.memory_type(*memory).map_err(told)?);
    }
    out.section(&memories);
    let mut globals = GlobalSection::new();
    for global in &module.globals {
        RoundtripReencoder
            .parse_global(&mut globals, global.clone())
            .map_err(told)?;
    }
    out.section(&globals);
    out.section(&exports(cut, &numbers)?);
    if let Some(start) = module.start {
        out.section(&StartSection {
            function_index: numbers[&start],
        });
    }

    // One run of all places is shorter than many without the holes.
    let mut elements = ElementSection::new();
    if let (Some(from), Some(last)) = (cut.table.keys().next(), cut.table.keys().next_back()) {
        let number_at = |place: u32| match cut.table.get(&place) {
            Some(function) if cut.is_first(*function) => numbers[function],
            _ => hole,
        };
        let run: Vec<u32> = (*from..=*last).map(number_at).collect();
        elements.active(None, &ConstExpr::i32_const(*from as i32), Elements::Functions(run.into()));
    }
    out.section(&elements);

    let mut code = CodeSection::new();
    for function in &cut.first {
        code.function(&body(cut, *function, &numbers)?);
    }
    for function in &cut.doors {
        code.function(&door(cut, *function));
    }
    let mut trap = Function::new([]);
    trap.instructions().unreachable().end();
    code.function(&trap);
    out.section(&code);

    let mut data = DataSection::new();
    for (offset, bytes) in &module.data {
        data.active(0, &ConstExpr::i32_const(*offset), bytes.iter().copied());
    }
    out.section(&data);
    Ok(out.finish())
}

/// The half that imports from the first.
pub(crate) fn rest(cut: &Cut<'_, '_>) -> Written<Vec<u8>> {
    let module = cut.module;
    let mut out = Module::new();
    out.section(&RawSection {
        id: SectionId::Type.into(),
        data: module.type_section,
    });

    let mut imports = ImportSection::new();
    let mut numbers = HashMap::new();
    for (number, function) in (0..).zip(&cut.lent) {
        imports.import(FIRST, &name(number), EntityType::Function(module.type_of(*function)));
        numbers.insert(*function, number);
    }
    for (at, global) in module.globals.iter().enumerate() {
        let ty = RoundtripReencoder.global_type(global.ty).map_err(told)?;
        imports.import(FIRST, &format!("g{at}"), ty);
    }
    for at in 0..module.tables.len() {
        imports.import(FIRST, &format!("t{at}"), table(cut, at)?);
    }
    for memory in &module.memories {
        imports.import(FIRST, MEMORY, RoundtripReencoder.memory_type(*memory).map_err(told)?);
    }
    out.section(&imports);

    let mut functions = FunctionSection::new();
    for (number, function) in (cut.lent.len() as u32..).zip(&cut.rest) {
        functions.function(module.type_of(*function));
        numbers.insert(*function, number);
    }
    out.section(&functions);

    let mut elements = ElementSection::new();
    let own: Vec<(u32, u32)> = cut
        .table
        .iter()
        .filter(|(_, function)| !cut.is_first(**function))
        .map(|(place, function)| (*place, numbers[function]))
        .collect();
    for run in own.chunk_by(|(place, _), (next, _)| place + 1 == *next) {
        let from = run.first().map_or(0, |(place, _)| *place as i32);
        let run: Vec<u32> = run.iter().map(|(_, number)| *number).collect();
        elements.active(None, &ConstExpr::i32_const(from), Elements::Functions(run.into()));
    }
    out.section(&elements);

    let mut code = CodeSection::new();
    for function in &cut.rest {
        code.function(&body(cut, *function, &numbers)?);
    }
    out.section(&code);
    Ok(out.finish())
}

/// What the module exported, and what the rest imports.
fn exports(cut: &Cut<'_, '_>, numbers: &HashMap<u32, u32>) -> Written<ExportSection> {
    let module = cut.module;
    let mut exports = ExportSection::new();
    for export in &module.exports {
        let (kind, index) = match export.kind {
            ExternalKind::Func => (ExportKind::Func, numbers[&export.index]),
            ExternalKind::Table => (ExportKind::Table, export.index),
            ExternalKind::Memory => (ExportKind::Memory, export.index),
            ExternalKind::Global => (ExportKind::Global, export.index),
            _ => return Err("an export of an unknown kind".into()),
        };
        exports.export(export.name, kind, index);
    }
    for (number, function) in (0..).zip(&cut.lent) {
        exports.export(&name(number), ExportKind::Func, numbers[function]);
    }
    for at in 0..module.globals.len() {
        exports.export(&format!("g{at}"), ExportKind::Global, at as u32);
    }
    for at in 0..module.tables.len() {
        exports.export(&format!("t{at}"), ExportKind::Table, at as u32);
    }
    exports.export(MEMORY, ExportKind::Memory, 0);
    Ok(exports)
}

fn name(number: u32) -> String {
    number.to_string()
}

/// A table; the first has room for what the halves call of each other.
fn table(cut: &Cut<'_, '_>, at: usize) -> Written<TableType> {
    let mut ty: TableType = RoundtripReencoder
        .table_type(cut.module.tables[at].ty)
        .map_err(told)?;
    if at == 0 {
        let places = cut.table.keys().next_back().map_or(0, |last| u64::from(*last) + 1);
        ty.minimum = ty.minimum.max(places);
        ty.maximum = None;
    }
    Ok(ty)
}

fn types(cut: &Cut<'_, '_>) -> Written<TypeSection> {
    let mut types = TypeSection::new();
    for ty in &cut.module.types {
        let converted = |list: &[wasmparser::ValType]| {
            list.iter()
                .map(|ty| RoundtripReencoder.val_type(*ty).map_err(told))
                .collect::<Result<Vec<ValType>, _>>()
        };
        types.ty().function(converted(ty.params())?, converted(ty.results())?);
    }
    Ok(types)
}

/// Parameters that no function has, so that a call through the table never fits.
fn no_parameters_of_any(cut: &Cut<'_, '_>) -> Vec<ValType> {
    let most = cut.module.types.iter().map(|ty| ty.params().len()).max();
    vec![ValType::F32; most.unwrap_or(0) + 1]
}

/// A function of the first that calls one of the rest.
fn door(cut: &Cut<'_, '_>, function: u32) -> Function {
    let ty = &cut.module.types[cut.module.type_of(function) as usize];
    let mut door = Function::new([]);
    for at in 0..ty.params().len() as u32 {
        door.instruction(&Instruction::LocalGet(at));
    }
    call_through_table(cut, &mut door, function);
    door.instruction(&Instruction::End);
    door
}

fn call_through_table(cut: &Cut<'_, '_>, body: &mut Function, function: u32) {
    body.instruction(&Instruction::I32Const(cut.places[&function] as i32));
    body.instruction(&Instruction::CallIndirect {
        type_index: cut.module.type_of(function),
        table_index: 0,
    });
}

/// A function's body with the numbers of its half.
fn body(cut: &Cut<'_, '_>, function: u32, numbers: &HashMap<u32, u32>) -> Written<Function> {
    let body = &cut.module.bodies[(function - cut.module.first_body()) as usize];
    let caller_is_first = cut.is_first(function);
    let mut renumbered = Renumbered { numbers };
    let mut out = renumbered.new_function_with_parsed_locals(body).map_err(told)?;
    for operator in body.get_operators_reader()? {
        match operator? {
            Operator::Call { function_index } if caller_is_first && !cut.is_first(function_index) => {
                call_through_table(cut, &mut out, function_index);
            }
            operator => {
                out.instruction(&renumbered.instruction(operator).map_err(told)?);
            }
        }
    }
    Ok(out)
}

struct Renumbered<'n> {
    numbers: &'n HashMap<u32, u32>,
}

impl Reencode for Renumbered<'_> {
    type Error = String;

    fn function_index(&mut self, function: u32) -> Result<u32, reencode::Error<String>> {
        self.numbers
            .get(&function)
            .copied()
            .ok_or_else(|| reencode::Error::UserError(format!("function {function} is in no half")))
    }
}

fn told(error: impl std::fmt::Display) -> String {
    error.to_string()
}
