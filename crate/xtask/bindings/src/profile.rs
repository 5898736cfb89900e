//! A module that notes which of its functions were called.
//!
//! Each function sets a global of its own, which is exported as `called.` and the function's number among those with
//! bodies. Functions keep their numbers, so that what was called can be told of the module that was given.

use std::error::Error;

use wasm_encoder::reencode::{Reencode, RoundtripReencoder, utils};
use wasm_encoder::{CodeSection, ConstExpr, ExportKind, ExportSection, GlobalSection, GlobalType, ValType};
use wasmparser::{ExportSectionReader, FunctionBody, GlobalSectionReader, Parser};

use crate::module::Module;

/// The name of the global that says whether a function was called begins with this.
const CALLED: &str = "called.";

pub(crate) fn profiling(bytes: &[u8]) -> Result<Vec<u8>, Box<dyn Error>> {
    let module = Module::read(bytes)?;
    let mut profiling = Profiling {
        bodies: module.bodies.len() as u32,
        globals: module.globals.len() as u32,
        at: 0,
    };
    let mut out = wasm_encoder::Module::new();
    utils::parse_core_module(&mut profiling, &mut out, Parser::new(0), bytes)
        .map_err(|error| error.to_string())?;
    Ok(out.finish())
}

struct Profiling {
    bodies: u32,
    globals: u32,
    /// The body that is written next.
    at: u32,
}

type Encoded<T> = Result<T, wasm_encoder::reencode::Error>;

impl Reencode for Profiling {
    type Error = std::convert::Infallible;

    fn parse_global_section(
        &mut self,
        globals: &mut GlobalSection,
        section: GlobalSectionReader<'_>,
    ) -> Encoded<()> {
        RoundtripReencoder.parse_global_section(globals, section)?;
        for _ in 0..self.bodies {
            let ty = GlobalType {
                val_type: ValType::I32,
                mutable: true,
                shared: false,
            };
            globals.global(ty, &ConstExpr::i32_const(0));
        }
        Ok(())
    }

    fn parse_export_section(
        &mut self,
        exports: &mut ExportSection,
        section: ExportSectionReader<'_>,
    ) -> Encoded<()> {
        RoundtripReencoder.parse_export_section(exports, section)?;
        for function in 0..self.bodies {
            exports.export(
                &format!("{CALLED}{function}"),
                ExportKind::Global,
                self.globals + function,
            );
        }
        Ok(())
    }

    fn parse_function_body(
        &mut self,
        code: &mut CodeSection,
        body: FunctionBody<'_>,
    ) -> Encoded<()> {
        let mut function = self.new_function_with_parsed_locals(&body)?;
        function
            .instructions()
            .i32_const(1)
            .global_set(self.globals + self.at);
        self.at += 1;
        let mut operators = body.get_operators_reader()?;
        while !operators.eof() {
            function.instruction(&RoundtripReencoder.parse_instruction(&mut operators)?);
        }
        code.function(&function);
        Ok(())
    }
}
