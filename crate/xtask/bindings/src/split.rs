//! Cuts a module in two: what a page needs for its first results, and the rest.
//!
//! The first module has the memory, the tables and the data, and what was called in a profile. What it calls of the rest
//! goes through the table, where a function that fits no call lies until the rest is there: such a call traps, and whoever
//! called has to begin anew with both. The rest imports all that it needs from the first, under names that the first
//! exports, and puts its own functions into the table.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::error::Error;

use wasmparser::{FunctionBody, Operator};

use crate::module::Module;
use crate::{half, order};

/// Cuts `bytes`; `called` are the places of functions among those with bodies. Gives one file, so that the halves compress
/// together: the first module, which begins with a custom section `first` that has its length (4 bytes, the lowest first),
/// and behind it the other in a custom section `rest`. Whoever takes it whole has a valid module, too.
pub(crate) fn split(bytes: &[u8], called: &HashSet<usize>) -> Result<Vec<u8>, Box<dyn Error>> {
    let module = Module::read(bytes)?;
    let cut = Cut::new(&module, called)?;
    let (first, rest) = (half::first(&cut)?, half::rest(&cut)?);
    let (preamble, sections) = first.split_at(PREAMBLE);
    let mut out = preamble.to_vec();
    out.extend(custom("first", &[0; 4]));
    let length = out.len() + sections.len();
    let at = out.len() - 4;
    out[at..].copy_from_slice(&u32::try_from(length)?.to_le_bytes());
    out.extend(sections);
    out.extend(custom("rest", &rest));
    Ok(out)
}

/// A module begins with its magic number and its version.
const PREAMBLE: usize = 8;

/// A custom section, its length always in five bytes.
fn custom(name: &str, content: &[u8]) -> Vec<u8> {
    let length = 1 + name.len() + content.len();
    let mut section = vec![0];
    for shift in [0, 7, 14, 21, 28] {
        let more = if shift == 28 { 0 } else { 0x80 };
        section.push((length >> shift & 0x7f) as u8 | more);
    }
    section.push(name.len() as u8);
    section.extend(name.as_bytes());
    section.extend(content);
    section
}

/// What lies where. Functions have their numbers in the module that is cut.
pub(crate) struct Cut<'m, 'a> {
    pub(crate) module: &'m Module<'a>,
    /// Functions with bodies of the first half, in its order, and those of the rest.
    pub(crate) first: Vec<u32>,
    pub(crate) rest: Vec<u32>,
    /// Functions of the rest that are exported: the first has a door for each.
    pub(crate) doors: Vec<u32>,
    /// Functions of the first, and its imports, that the rest calls.
    pub(crate) lent: Vec<u32>,
    /// The table: a place's function.
    pub(crate) table: BTreeMap<u32, u32>,
    /// Where a function of the rest lies in the table.
    pub(crate) places: HashMap<u32, u32>,
    is_first: Vec<bool>,
}

impl<'m, 'a> Cut<'m, 'a> {
    fn new(module: &'m Module<'a>, called: &HashSet<usize>) -> Result<Self, Box<dyn Error>> {
        let first_body = module.first_body();
        let body_of = |function: u32| &module.bodies[(function - first_body) as usize];
        let bodies: Vec<&[u8]> = module.bodies.iter().map(FunctionBody::as_bytes).collect();
        let attracted = order::attracted(&bodies, called);
        let mut is_first = vec![true; module.imported.len()];
        is_first.extend((0..bodies.len()).map(|body| called.contains(&body) || attracted.contains(&body)));
        if let Some(start) = module.start {
            is_first[start as usize] = true;
        }
        let half = |of_first: bool| -> Vec<u32> {
            let functions: Vec<u32> = (first_body..is_first.len() as u32)
                .filter(|function| is_first[*function as usize] == of_first)
                .collect();
            let bodies: Vec<&[u8]> = functions.iter().map(|f| body_of(*f).as_bytes()).collect();
            order::order(&bodies).into_iter().map(|at| functions[at]).collect()
        };
        let (first, rest) = (half(true), half(false));

        let mut doors: Vec<u32> = module
            .exported()
            .map(|(_, function)| function)
            .filter(|function| !is_first[*function as usize])
            .collect();
        doors.sort_unstable();
        doors.dedup();
        let mut wanted: HashSet<u32> = doors.iter().copied().collect();
        for function in &first {
            wanted.extend(callees(body_of(*function))?);
        }
        let mut lent = HashSet::new();
        for function in &rest {
            lent.extend(callees(body_of(*function))?);
        }
        // in the order of the halves: numbers and names then rise together
        let imports = 0..first_body;
        let lent = imports
            .chain(first.iter().copied())
            .filter(|function| lent.contains(function))
            .collect();

        let mut table = module.table.clone();
        let mut places: HashMap<u32, u32> = table.iter().map(|(place, function)| (*function, *place)).collect();
        let mut end = table.keys().next_back().map_or(1, |last| last + 1);
        for function in rest.iter().filter(|function| wanted.contains(function)) {
            places.entry(*function).or_insert_with(|| {
                table.insert(end, *function);
                end += 1;
                end - 1
            });
        }
        Ok(Self {
            module,
            first,
            rest,
            doors,
            lent,
            table,
            places,
            is_first,
        })
    }

    pub(crate) fn is_first(&self, function: u32) -> bool {
        self.is_first[function as usize]
    }
}

fn callees(body: &FunctionBody<'_>) -> Result<Vec<u32>, Box<dyn Error>> {
    let mut callees = Vec::new();
    for operator in body.get_operators_reader()? {
        match operator? {
            Operator::Call { function_index } => callees.push(function_index),
            Operator::RefFunc { .. } | Operator::ReturnCall { .. } => {
                return Err("a function is used in a way that cannot be cut".into());
            }
            _ => {}
        }
    }
    Ok(callees)
}
