//! Base64 with padding, as Jackson reads and writes it.

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Decodes a text; blanks may stand between groups of four characters. The error is what Jackson says.
pub(super) fn decode(text: &str) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let mut units = text.chars();
    while let Some(first) = units.by_ref().find(|unit| *unit > ' ') {
        let group = [Some(first), units.next(), units.next(), units.next()];
        let (mut number, mut count) = (0_u32, 0);
        for (at, unit) in group.iter().enumerate() {
            let digit = match unit {
                None => return Err(format!("Unexpected end of base64-encoded String: {PADDING}")),
                Some('=') if at >= 2 => 0,
                Some(unit) => {
                    if count < at {
                        return Err(format!("expected padding character '='{}", character(*unit)));
                    }
                    count += 1;
                    digit(*unit).ok_or_else(|| illegal(*unit, at))?
                }
            };
            number = number << 6 | digit;
        }
        let [_, high, middle, low] = number.to_be_bytes();
        bytes.extend([high, middle, low].into_iter().take(count - 1));
    }
    Ok(bytes)
}

const PADDING: &str = "base64 variant 'MIME-NO-LINEFEEDS' expects padding (one or more '=' characters) at the end. \
                       This Base64Variant might have been incorrectly configured";

fn digit(unit: char) -> Option<u32> {
    let position = ALPHABET.iter().position(|own| char::from(*own) == unit)?;
    u32::try_from(position).ok()
}

fn character(unit: char) -> String {
    format!(" (code 0x{:x})", u32::from(unit))
}

fn illegal(unit: char, at: usize) -> String {
    let code = character(unit);
    if unit <= ' ' {
        let place = format!("as character #{} of 4-char base64 unit", at + 1);
        format!("Illegal white space character{code} {place}: can only used between units")
    } else {
        format!("Illegal character '{unit}'{code} in base64 content")
    }
}

/// Encodes bytes.
pub(super) fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let number = (0..3).fold(0_usize, |number, at| {
            number << 8 | usize::from(group.get(at).copied().unwrap_or(0))
        });
        for at in 0..4 {
            let digit = ALPHABET
                .get(number >> (18 - 6 * at) & 63)
                .copied()
                .unwrap_or(b'=');
            text.push(if at <= group.len() { char::from(digit) } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_come_back() {
        for (bytes, text) in [
            (&b""[..], ""),
            (b"\x01\x02", "AQI="),
            (b"\xff\x00", "/wA="),
            (b"abc", "YWJj"),
            (b"a", "YQ=="),
        ] {
            assert_eq!(encode(bytes), text);
            assert_eq!(decode(text).unwrap(), bytes);
        }
        assert_eq!(decode("AQI= /wA=").unwrap(), b"\x01\x02\xff\x00");
        for text in ["AQI", "A", "A===", "é===", "AQ=I", "====", "AQ I="] {
            assert!(decode(text).is_err(), "{text}");
        }
        assert_eq!(
            decode("**").unwrap_err(),
            "Illegal character '*' (code 0x2a) in base64 content"
        );
    }
}
