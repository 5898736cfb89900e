//! Base64 with padding, as Jackson reads and writes it.

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Decodes a text, blanks between the characters ignored; `None` for anything that is not Base64 with its padding.
pub(super) fn decode(text: &str) -> Option<Vec<u8>> {
    let units: Vec<u8> = text.bytes().filter(|byte| *byte > b' ').collect();
    if units.len() % 4 != 0 {
        return None;
    }
    let padding = units.iter().rev().take_while(|unit| **unit == b'=').count();
    if padding > 2 {
        return None;
    }
    let digits: &[u8] = units.get(..units.len() - padding)?;
    let mut bytes = Vec::with_capacity(units.len() / 4 * 3);
    for group in digits.chunks(4) {
        let mut number = 0_u32;
        for at in 0..4 {
            let digit = match group.get(at) {
                Some(unit) => ALPHABET.iter().position(|own| own == unit)?,
                None => 0,
            };
            number = number << 6 | u32::try_from(digit).ok()?;
        }
        let [_, high, middle, low] = number.to_be_bytes();
        bytes.extend([high, middle, low].into_iter().take(group.len() - 1));
    }
    Some(bytes)
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
        assert_eq!(decode("AQ I=").unwrap(), b"\x01\x02");
        for text in ["AQI", "A", "A===", "é===", "AQ=I", "===="] {
            assert_eq!(decode(text), None, "{text}");
        }
    }
}
