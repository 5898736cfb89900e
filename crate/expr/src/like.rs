//! LIKE: `%` is any text, `_` any one character. Backtracks only to the last `%`.

/// A compiled pattern.
#[derive(Clone, Debug)]
pub(crate) enum Like {
    /// No wildcard.
    Equal(String),
    /// `text%`
    Prefix(String),
    /// `%text`
    Suffix(String),
    /// `%text%`
    Contains(String),
    /// Anything else.
    General(Vec<Part>),
}

/// One element of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Letter(char),
    AnyLetter,
    AnyText,
}

impl Like {
    /// Compiles a pattern; there is no escape character unless one is given.
    pub(crate) fn new(pattern: &str, escape: Option<char>) -> Self {
        let mut parts = Vec::with_capacity(pattern.len());
        let mut letters = pattern.chars();
        while let Some(letter) = letters.next() {
            parts.push(match letter {
                letter if Some(letter) == escape => Part::Letter(letters.next().unwrap_or(letter)),
                '%' => Part::AnyText,
                '_' => Part::AnyLetter,
                letter => Part::Letter(letter),
            });
        }
        Self::simple(&parts).unwrap_or(Self::General(parts))
    }

    fn simple(parts: &[Part]) -> Option<Self> {
        let (starts, rest) = match parts {
            [Part::AnyText, rest @ ..] => (true, rest),
            all => (false, all),
        };
        let (ends, middle) = match rest {
            [middle @ .., Part::AnyText] => (true, middle),
            all => (false, all),
        };
        let letters: Option<String> = middle
            .iter()
            .map(|part| match part {
                Part::Letter(letter) => Some(*letter),
                Part::AnyLetter | Part::AnyText => None,
            })
            .collect();
        let letters = letters?;
        Some(match (starts, ends) {
            (false, false) => Self::Equal(letters),
            (false, true) => Self::Prefix(letters),
            (true, false) => Self::Suffix(letters),
            (true, true) => Self::Contains(letters),
        })
    }

    /// Whether the whole text follows the pattern.
    pub(crate) fn matches(&self, text: &str) -> bool {
        match self {
            Self::Equal(letters) => text == letters,
            Self::Prefix(letters) => text.starts_with(letters.as_str()),
            Self::Suffix(letters) => text.ends_with(letters.as_str()),
            Self::Contains(letters) => text.contains(letters.as_str()),
            Self::General(parts) => general(parts, text),
        }
    }
}

fn general(parts: &[Part], text: &str) -> bool {
    let mut parts = parts;
    let mut rest = text.chars();
    // Where to go on after the last `%` took one more character.
    let mut retry: Option<(&[Part], std::str::Chars<'_>)> = None;
    loop {
        let step = match (parts.split_first(), rest.clone().next()) {
            (Some((Part::AnyText, after)), _) => {
                retry = Some((after, rest.clone()));
                parts = after;
                continue;
            }
            (Some((Part::AnyLetter, after)), Some(_)) => Some(after),
            (Some((Part::Letter(letter), after)), Some(next)) if *letter == next => Some(after),
            (None, None) => return true,
            _ => None,
        };
        match (step, &mut retry) {
            (Some(after), _) => {
                parts = after;
                rest.next();
            }
            (None, Some((after, from))) => {
                if from.next().is_none() {
                    return false;
                }
                parts = after;
                rest = from.clone();
            }
            (None, None) => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wildcards_and_escapes() {
        let like = |text: &str, pattern: &str, escape| Like::new(pattern, escape).matches(text);
        assert!(like("abc", "a%", None));
        assert!(!like("abc", "a_", None));
        assert!(like("a%c", "a!%c", Some('!')));
        assert!(!like("abc", "a!%c", Some('!')));
        assert!(like("B_y", "%!_%", Some('!')));
        assert!(!like("Bay", "%!_%", Some('!')));
        assert!(like("Bay", "B_y%", None));
        assert!(!like("a%c", "a\\%c", None));
        assert!(like("aXbXc", "%X_X%", None));
        assert!(like("mississippi", "m%iss%p_", None));
        assert!(!like("mississippi", "m%iss%x_", None));
        assert!(like("", "%", None));
        assert!(!like("", "_", None));
    }
}
