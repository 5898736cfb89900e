//! Contents of string literals.

/// The text between the quotes, where a doubled quote is one. A missing closing quote is no matter.
pub(crate) fn undouble(quoted: &str, quote: char) -> String {
    let inner = quoted.strip_prefix(quote).unwrap_or(quoted);
    let inner = inner.strip_suffix(quote).unwrap_or(inner);
    inner.replace(&String::from_iter([quote, quote]), &String::from(quote))
}

/// Decodes `U&'\00e9'`: four hexadecimal digits after the escape character, or six after it and a plus sign.
/// The error is the sequence that means nothing.
pub(crate) fn decode_unicode(text: &str, escape: char) -> Result<String, String> {
    let mut decoded = String::with_capacity(text.len());
    let mut rest = text.chars();
    let mut high: Option<u32> = None;
    while let Some(character) = rest.next() {
        if character != escape {
            decoded.push(character);
            continue;
        }
        let mut ahead = rest.clone();
        if ahead.next() == Some(escape) {
            decoded.push(escape);
            rest = ahead;
            continue;
        }
        let long = rest.clone().next() == Some('+');
        let digits: String = rest
            .by_ref()
            .skip(usize::from(long))
            .take(if long { 6 } else { 4 })
            .collect();
        let bad = || format!("{escape}{}{digits}", if long { "+" } else { "" });
        let value = hexadecimal(&digits, if long { 6 } else { 4 }).ok_or_else(bad)?;
        match (high.take(), value) {
            (None, 0xD800..=0xDBFF) => high = Some(value),
            (Some(first), 0xDC00..=0xDFFF) => {
                let point = 0x1_0000 + ((first - 0xD800) << 10) + (value - 0xDC00);
                decoded.push(char::from_u32(point).ok_or_else(bad)?);
            }
            (_, value) => decoded.push(char::from_u32(value).ok_or_else(bad)?),
        }
    }
    Ok(decoded)
}

/// Decodes `E'a\tb'` as C does: `\n`, `\101`, `\x41`, `\u00e9`, `\U0001F600`.
/// The error is the sequence that means nothing.
#[inline(never)]
pub(crate) fn decode_c_escapes(text: &str) -> Result<String, String> {
    let mut decoded = String::with_capacity(text.len());
    let mut rest = text.chars();
    while let Some(character) = rest.next() {
        if character != '\\' {
            decoded.push(character);
            continue;
        }
        let Some(kind) = rest.next() else {
            return Err("\\".to_owned());
        };
        let plain = match kind {
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'x' => digits(&mut rest, kind, 2)?,
            'u' => digits(&mut rest, kind, 4)?,
            'U' => digits(&mut rest, kind, 8)?,
            '0'..='7' => octal(&mut rest, kind)?,
            other => other,
        };
        decoded.push(plain);
    }
    Ok(decoded)
}

fn digits(rest: &mut std::str::Chars<'_>, kind: char, most: usize) -> Result<char, String> {
    let taken: String = rest
        .clone()
        .take(most)
        .take_while(char::is_ascii_hexdigit)
        .collect();
    for _ in taken.chars() {
        rest.next();
    }
    let least = if kind == 'x' { 1 } else { most };
    let value = if taken.len() < least {
        None
    } else {
        u32::from_str_radix(&taken, 16).ok()
    };
    value
        .and_then(char::from_u32)
        .ok_or_else(|| format!("\\{kind}{taken}"))
}

fn octal(rest: &mut std::str::Chars<'_>, first: char) -> Result<char, String> {
    let more: String = rest
        .clone()
        .take(2)
        .take_while(|c| ('0'..='7').contains(c))
        .collect();
    for _ in more.chars() {
        rest.next();
    }
    let taken = format!("{first}{more}");
    u32::from_str_radix(&taken, 8)
        .ok()
        .and_then(char::from_u32)
        .ok_or_else(|| format!("\\{taken}"))
}

fn hexadecimal(digits: &str, length: usize) -> Option<u32> {
    if digits.len() != length || !digits.chars().all(|c| c.is_ascii_hexdigit()) {
        return None;
    }
    u32::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubled_quotes_are_one() {
        assert_eq!(undouble("'it''s'", '\''), "it's");
        assert_eq!(undouble("''", '\''), "");
        assert_eq!(undouble("`a``b`", '`'), "a`b");
        assert_eq!(undouble("'open", '\''), "open");
    }

    #[test]
    fn unicode_escapes() {
        assert_eq!(
            decode_unicode(r"caf\00e9 \\ \+01F600", '\\').as_deref(),
            Ok("café \\ 😀")
        );
        assert_eq!(decode_unicode(r"#0041", '#').as_deref(), Ok("A"));
        assert_eq!(decode_unicode(r"\d83d\de00", '\\').as_deref(), Ok("😀"));
        assert_eq!(decode_unicode(r"\00g9", '\\'), Err(r"\00g9".to_owned()));
    }

    #[test]
    fn c_escapes() {
        assert_eq!(
            decode_c_escapes(r"a\tb\n\x41\u00e9\101\\").as_deref(),
            Ok("a\tb\nAéA\\")
        );
        assert_eq!(decode_c_escapes(r"\u00"), Err(r"\u00".to_owned()));
        assert_eq!(decode_c_escapes("\\"), Err("\\".to_owned()));
    }
}
