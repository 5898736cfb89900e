//! Writes what `src/case.rs` knows about letters, taken from the standard library of the compiler at hand as far as Java
//! knows it.
//!
//! Most letters beside each other are as far from their other form as their neighbours, so runs of them take a
//! fraction of the standard library's own tables.
#![expect(clippy::disallowed_methods, reason = "what the tables are taken from")]

use std::{env, fs, io, path::Path};

fn main() -> io::Result<()> {
    println!("cargo:rerun-if-changed=build.rs");
    let folder = env::var_os("OUT_DIR").ok_or_else(|| io::Error::other("cargo sets OUT_DIR"))?;
    let write = |name: &str, bytes: &[u8]| fs::write(Path::new(&folder).join(name), bytes);
    let letters = || ('\u{80}'..=char::MAX).filter(|letter| is_known(*letter));
    write("upper.bin", &runs(letters().map(|c| (c, c.to_uppercase()))))?;
    write("lower.bin", &runs(letters().map(|c| (c, c.to_lowercase()))))?;
    let mut special = String::new();
    for letter in letters() {
        let upper: Vec<char> = letter.to_uppercase().collect();
        if upper.len() > 1 {
            special.push(letter);
            special.extend(upper);
            special.push('\n');
        }
    }
    write("special.txt", special.as_bytes())?;
    write("sigma.bin", &classes())
}

/// Whether Java 17, on which Flink runs, knows the other form of a letter: Unicode 13. Case: types/letters-of-other-scripts.
fn is_known(letter: char) -> bool {
    let newer = [
        '\u{1c89}'..='\u{1c8a}',
        '\u{a7c0}'..='\u{a7c1}',
        '\u{a7cb}'..='\u{a7dc}',
        '\u{10570}'..='\u{105bc}',
        '\u{10d50}'..='\u{10d85}',
        '\u{16ea0}'..='\u{16ed3}',
    ];
    let pairs = ['\u{19b}', '\u{264}', '\u{2c2f}', '\u{2c5f}'];
    !newer.iter().any(|letters| letters.contains(&letter)) && !pairs.contains(&letter)
}

/// Letters of which each second one or each one is as far from its other form: the gap before them, one less than their
/// number and whether it is each second, the distance.
fn runs(letters: impl Iterator<Item = (char, impl ExactSizeIterator<Item = char>)>) -> Vec<u8> {
    let mapped: Vec<(i32, i32)> = letters
        .filter_map(|(from, mut to)| {
            let to = (to.len() == 1).then(|| to.next()).flatten()?;
            let (from, to) = (number(from), number(to));
            (from != to).then_some((from, to - from))
        })
        .collect();
    let mut out = Vec::new();
    let (mut rest, mut end) = (&*mapped, 0);
    while let Some(&(first, distance)) = rest.first() {
        let each_second = rest.get(1) == Some(&(first + 2, distance));
        let step = if each_second { 2 } else { 1 };
        let like = (first..).step_by(if each_second { 2 } else { 1 });
        let count = rest
            .iter()
            .zip(like)
            .take_while(|(letter, like)| **letter == (*like, distance))
            .count();
        let more = i32::try_from(count).unwrap_or(1) - 1;
        put(&mut out, first - end);
        put(&mut out, more * 2 + i32::from(each_second));
        put(&mut out, distance << 1 ^ distance >> 31);
        end = first + more * step;
        rest = rest.get(count..).unwrap_or_default();
    }
    out
}

/// Where the class of a character for the rule of the final sigma changes; found by asking for small letters.
fn classes() -> Vec<u8> {
    let mut out = Vec::new();
    let (mut last, mut start) = (0, 0);
    for letter in '\0'..=char::MAX {
        let class = if letter == 'Σ' || format!("{letter}Σ").to_lowercase().ends_with('ς') {
            2
        } else {
            i32::from(format!("a{letter}Σ").to_lowercase().ends_with('ς'))
        };
        if class != last {
            // One of the two others.
            let next = i32::from((last + 2) % 3 == class);
            put(&mut out, (number(letter) - start) * 2 + next);
            (last, start) = (class, number(letter));
        }
    }
    out
}

/// Seven bits a byte, the low ones first.
fn put(out: &mut Vec<u8>, mut number: i32) {
    while number >= 128 {
        out.push((number & 127 | 128).to_le_bytes()[0]);
        number >>= 7;
    }
    out.push(number.to_le_bytes()[0]);
}

fn number(letter: char) -> i32 {
    i32::try_from(u32::from(letter)).unwrap_or(0)
}
