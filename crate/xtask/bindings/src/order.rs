//! Which functions of a module are alike.
//!
//! A page's download is compressed, and brotli names a repetition the cheaper the nearer it is. A compiler lays
//! functions down by crate and size; like neighbours take two hundredths off. Of two modules each is compressed alone:
//! functions that are alike belong into the same one.

use std::collections::{HashMap, HashSet};

/// So many bytes in a row are compared.
const SHINGLE: usize = 5;
/// Shingles that stand in more functions than this say nothing about two of them.
const COMMON: usize = 3000;
/// So many functions at the end of the order choose the next one, the last the most.
const BEHIND: usize = 16;
/// A function goes where its likest is if they have so much in common,
const ALIKE: f64 = 0.3;
/// and so many times as much as it has with any function on its own side.
const NEARER: f64 = 1.3;

/// Greedily, from the longest on: the next one shares the most shingles with those before it, for its length.
pub(crate) fn order(bodies: &[&[u8]]) -> Vec<usize> {
    let shingles: Vec<Vec<u32>> = bodies.iter().map(|body| shingles(body)).collect();
    let holders = holders(&shingles);
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

/// The different runs of [`SHINGLE`] bytes in a body, hashed.
fn shingles(body: &[u8]) -> Vec<u32> {
    let mut all: Vec<u32> = body
        .windows(SHINGLE)
        .map(|bytes| {
            let hash = bytes.iter().fold(0_u32, |hash, byte| {
                hash.wrapping_mul(0x0100_0193) ^ u32::from(*byte)
            });
            (hash ^ (hash >> 15)).wrapping_mul(0x2c1b_3c6d)
        })
        .collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// The functions in which a shingle stands, of those that stand in several.
fn holders(shingles: &[Vec<u32>]) -> HashMap<u32, Vec<usize>> {
    let mut holders: HashMap<u32, Vec<usize>> = HashMap::new();
    for (function, set) in shingles.iter().enumerate() {
        for shingle in set {
            holders.entry(*shingle).or_default().push(function);
        }
    }
    holders.retain(|_, functions| (2..=COMMON).contains(&functions.len()));
    holders
}

/// Functions that are not `chosen` but each alike to a chosen one, and less so to any that is not.
pub(crate) fn attracted(bodies: &[&[u8]], chosen: &HashSet<usize>) -> HashSet<usize> {
    let shingles: Vec<Vec<u32>> = bodies.iter().map(|body| shingles(body)).collect();
    let holders = holders(&shingles);
    let mut attracted = HashSet::new();
    let mut common = vec![0_u32; bodies.len()];
    for (function, set) in shingles.iter().enumerate() {
        if chosen.contains(&function) {
            continue;
        }
        common.fill(0);
        for other in set.iter().filter_map(|shingle| holders.get(shingle)).flatten() {
            common[*other] += 1;
        }
        common[function] = 0;
        let likest = |is_chosen: bool| {
            let others = common.iter().enumerate();
            let most = others
                .filter(|(other, _)| chosen.contains(other) == is_chosen)
                .map(|(_, common)| *common)
                .max();
            f64::from(most.unwrap_or(0))
        };
        let near = likest(true);
        if near >= ALIKE * set.len() as f64 && near >= NEARER * likest(false) {
            attracted.insert(function);
        }
    }
    attracted
}
