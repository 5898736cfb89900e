//! An order of a module's functions in which those with like bodies are neighbours.
//!
//! A page's download is compressed, and brotli names a repetition the cheaper the nearer it is. A compiler lays
//! functions down by crate and size; like neighbours take two hundredths off.

use std::collections::{HashMap, HashSet};
use std::error::Error;

use wasm_encoder::{Encode as _, NameMap, NameSection, Section as _};
use wasmparser::{Parser, Payload, TypeRef};

/// So many bytes in a row are compared.
const SHINGLE: usize = 4;
/// Shingles that stand in more functions than this say nothing about two of them.
const COMMON: usize = 400;
/// So many functions at the end of the order choose the next one, the last the most.
const BEHIND: usize = 8;

/// The module with names that are in order when the functions are: `wasm-opt --reorder-functions-by-name` does the rest.
pub(crate) fn with_names_in_order(module: &[u8]) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut imported = 0;
    let mut bodies = Vec::new();
    for payload in Parser::new(0).parse_all(module) {
        match payload? {
            Payload::ImportSection(section) => {
                for import in section.into_imports() {
                    imported += u32::from(matches!(import?.ty, TypeRef::Func(_)));
                }
            }
            Payload::CodeSectionEntry(body) => bodies.push(body.as_bytes()),
            _ => {}
        }
    }
    let mut place = vec![0; bodies.len()];
    for (at, function) in order(&bodies).into_iter().enumerate() {
        place[function] = at;
    }
    let mut names = NameMap::new();
    for index in 0..imported {
        names.append(index, &format!("a{index:06}"));
    }
    for (index, at) in (imported..).zip(place) {
        names.append(index, &format!("f{at:06}"));
    }
    let mut section = NameSection::new();
    section.functions(&names);
    let mut out = module.to_vec();
    out.push(section.id());
    section.encode(&mut out);
    Ok(out)
}

/// Greedily, from the longest on: the next one shares the most shingles with those before it, for its length.
fn order(bodies: &[&[u8]]) -> Vec<usize> {
    let shingles: Vec<HashSet<u32>> = bodies.iter().map(|body| shingles(body)).collect();
    let mut holders: HashMap<u32, Vec<usize>> = HashMap::new();
    for (function, set) in shingles.iter().enumerate() {
        for shingle in set {
            holders.entry(*shingle).or_default().push(function);
        }
    }
    holders.retain(|_, functions| (2..=COMMON).contains(&functions.len()));
    let mut longest: Vec<usize> = (0..bodies.len()).collect();
    longest.sort_by_key(|function| bodies[*function].len());
    let mut order: Vec<usize> = Vec::with_capacity(bodies.len());
    let mut placed = vec![false; bodies.len()];
    let mut score = vec![0.0; bodies.len()];
    while order.len() < bodies.len() {
        let mut touched = Vec::new();
        for (behind, function) in order.iter().rev().take(BEHIND).enumerate() {
            let weight = 1.0 / (behind + 1) as f64;
            for other in shingles[*function]
                .iter()
                .filter_map(|shingle| holders.get(shingle))
                .flatten()
            {
                if !placed[*other] {
                    if score[*other] == 0.0 {
                        touched.push(*other);
                    }
                    score[*other] += weight;
                }
            }
        }
        // an order of its own, so that the same module always gives the same bytes
        touched.sort_unstable();
        let mut best = None;
        for function in touched {
            let likeness = score[function] / ((shingles[function].len() + 4) as f64).sqrt();
            score[function] = 0.0;
            if best.is_none_or(|(_, most)| likeness > most) {
                best = Some((function, likeness));
            }
        }
        let next = match best {
            Some((function, _)) => function,
            None => loop {
                match longest.pop() {
                    Some(function) if placed[function] => {}
                    Some(function) => break function,
                    None => return order,
                }
            },
        };
        placed[next] = true;
        order.push(next);
    }
    order
}

/// All runs of [`SHINGLE`] bytes in a body, hashed.
fn shingles(body: &[u8]) -> HashSet<u32> {
    body.windows(SHINGLE)
        .map(|bytes| {
            let hash = bytes.iter().fold(0_u32, |hash, byte| {
                hash.wrapping_mul(0x0100_0193) ^ u32::from(*byte)
            });
            (hash ^ (hash >> 15)).wrapping_mul(0x2c1b_3c6d)
        })
        .collect()
}
