//! Texts in capital and in small letters, as Java 17 has them: letters that came after Unicode 13 stay as they are.
//!
//! The tables of the standard library were 25 kB of the engine, those here (`build.rs` takes them from it) are 4. Nothing in the
//! engine may call `to_uppercase` and `to_lowercase` (`.clippy.toml`); where only ASCII can occur their ASCII forms will do.

static UPPER: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/upper.bin"));
static LOWER: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/lower.bin"));
/// Lines of a letter and its several capital ones.
static SPECIAL: &str = include_str!(concat!(env!("OUT_DIR"), "/special.txt"));
static SIGMA: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/sigma.bin"));

/// The text in capital letters: `ß` becomes `SS`.
pub fn upper(text: &str) -> String {
    let mut out = text.to_ascii_uppercase();
    if !out.is_ascii() {
        let ascii = std::mem::take(&mut out);
        for letter in ascii.chars() {
            match other_form(letter, UPPER) {
                Some(upper) => out.push(upper),
                None => match several(letter) {
                    Some(several) => out.push_str(several),
                    None => out.push(letter),
                },
            }
        }
    }
    out
}

/// The text in small letters: a sigma at the end of a word becomes the final one.
pub fn lower(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let mut out = String::with_capacity(text.len());
    for (at, letter) in text.char_indices() {
        match letter {
            'Σ' => {
                let (before, after) = text.split_at_checked(at).unwrap_or_default();
                let ends = in_word(before.chars().rev()) && !in_word(after.chars().skip(1));
                out.push(if ends { 'ς' } else { 'σ' });
            }
            // The only letter with two small ones.
            'İ' => out.push_str("i\u{307}"),
            _ => out.push(other_form(letter, LOWER).unwrap_or_else(|| letter.to_ascii_lowercase())),
        }
    }
    out
}

/// Whether a letter comes before anything else but marks, so that a word goes on.
fn in_word(letters: impl Iterator<Item = char>) -> bool {
    letters.map(class).find(|class| *class != 1) == Some(2)
}

/// 2 for a letter with case, 1 for what is passed over in search of one, 0 for all other characters.
fn class(letter: char) -> u32 {
    let (mut class, mut start) = (0, 0);
    for change in Numbers(SIGMA) {
        start += change >> 1;
        if start > u32::from(letter) {
            break;
        }
        class = (class + 1 + (change & 1)) % 3;
    }
    class
}

fn other_form(letter: char, runs: &'static [u8]) -> Option<char> {
    let letter = u32::from(letter);
    // Quick for ASCII, Chinese and Japanese.
    if letter < 0x80 || (0x2e00..0xa640).contains(&letter) {
        return None;
    }
    let mut numbers = Numbers(runs);
    let mut end = 0;
    loop {
        let start = end + numbers.next()?;
        let (count, distance) = (numbers.next()?, numbers.next()?);
        let each_second = count & 1;
        end = start + (count >> 1 << each_second);
        if letter < start {
            return None;
        }
        if letter <= end {
            let other = letter.wrapping_add(distance >> 1 ^ (distance & 1).wrapping_neg());
            return char::from_u32(other).filter(|_| (letter - start) & each_second == 0);
        }
    }
}

fn several(letter: char) -> Option<&'static str> {
    let mut lines = SPECIAL.split('\n');
    lines.find_map(|line| line.strip_prefix(letter))
}

/// Numbers of seven bits a byte, the low ones first.
struct Numbers(&'static [u8]);

impl Iterator for Numbers {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        let (mut number, mut shift) = (0, 0);
        loop {
            let (byte, rest) = self.0.split_first()?;
            self.0 = rest;
            number |= u32::from(byte & 127) << shift;
            shift += 7;
            if byte & 128 == 0 {
                return Some(number);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::disallowed_methods, reason = "what this has to be equal to")]

    use proptest::prelude::*;

    use super::*;

    /// All of the planes that have letters with case, and some of the others.
    fn letters() -> impl Iterator<Item = char> {
        ('\0'..='\u{1ffff}').chain(('\u{20000}'..=char::MAX).step_by(131))
    }

    /// What Java 17 makes of a letter: those after Unicode 13 stay as they are.
    fn kept(letter: char, made: String) -> String {
        let stays = matches!(
            letter,
            '\u{19b}' | '\u{264}' | '\u{1c89}'..='\u{1c8a}' | '\u{2c2f}' | '\u{2c5f}'
        ) || matches!(letter, '\u{a7c0}'..='\u{a7c1}' | '\u{a7cb}'..='\u{a7dc}' | '\u{10570}'..='\u{105bc}')
            || matches!(letter, '\u{10d50}'..='\u{10d85}' | '\u{16ea0}'..='\u{16ed3}');
        if stays { letter.to_string() } else { made }
    }

    #[test]
    fn every_letter_is_as_in_the_standard_library_of_java() {
        for letter in letters() {
            let text = letter.to_string();
            assert_eq!(upper(&text), kept(letter, text.to_uppercase()), "{letter:?}");
            assert_eq!(lower(&text), kept(letter, text.to_lowercase()), "{letter:?}");
        }
    }

    #[test]
    fn every_letter_beside_a_sigma() {
        let common = '\0'..='\u{2fff}';
        for letter in common.chain(('\u{3000}'..=char::MAX).step_by(17)) {
            let text = format!("{letter}Σ a{letter}Σ aΣ{letter}b");
            if kept(letter, String::new()).is_empty() {
                assert_eq!(lower(&text), text.to_lowercase(), "{letter:?}");
            }
        }
    }

    proptest! {
        #[test]
        fn texts_are_as_in_the_standard_library(text in any::<String>(), greek in "[ΣσςΑα.' \u{301}Aa]{0,8}") {
            let known = text.chars().filter(|letter| kept(*letter, String::new()).is_empty());
            for text in [known.collect(), greek] {
                prop_assert_eq!(upper(&text), text.to_uppercase());
                prop_assert_eq!(lower(&text), text.to_lowercase());
            }
        }
    }
}
