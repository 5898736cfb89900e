//! Characters and bytes: codes, base64, character sets.

use sg_diag::Code;
use sg_value::{Gather as _, Value};

use super::{
    super::{
        Eval, FunctionDef, Outcome, Resolve,
        definition::Family::String as Strings,
        failure,
        signature::{Param, Returns, Signature, takes},
    },
    int, string, text,
};

use Param::{Bytes, Integer, Text};

static ASCII: &[Signature] = &[takes(&[Text], Returns::Int)];
static CHR: &[Signature] = &[takes(&[Integer], Returns::Text).nullable()];
static TEXT: &[Signature] = &[takes(&[Text], Returns::Text)];
static TEXT_OR_BYTES: &[Signature] = &[takes(&[Text], Returns::Text), takes(&[Bytes], Returns::Text)];
static DECODE: &[Signature] = &[takes(&[Bytes, Text], Returns::Text)];
static ENCODE: &[Signature] = &[takes(&[Text, Text], Returns::Bytes)];

const fn row(
    name: &'static str,
    of: &'static [Signature],
    eval: fn(&[Value]) -> Outcome,
    doc: [&'static str; 2],
) -> FunctionDef {
    FunctionDef::new(name, Strings, Resolve::Table(of), Eval::Values(eval), doc)
}

pub(super) static ROWS: &[FunctionDef] = &[
    row(
        "ASCII",
        ASCII,
        |values| Ok(Value::Int(first_byte(text(values, 0)))),
        [
            "The code of the first byte; 0 for an empty text.",
            "首字节的编码；空文本为 0。",
        ],
    ),
    row(
        "CHR",
        CHR,
        chr,
        [
            "The character of a code, modulo 256.",
            "编码（模 256）对应的字符。",
        ],
    ),
    row(
        "TO_BASE64",
        TEXT_OR_BYTES,
        to_base64,
        ["Base64 of a text or bytes.", "文本或字节的 Base64。"],
    ),
    row(
        "FROM_BASE64",
        TEXT,
        from_base64,
        ["The text behind Base64.", "由 Base64 还原文本。"],
    ),
    row(
        "DECODE",
        DECODE,
        decode,
        [
            "Text from bytes of a character set.",
            "按字符集把字节解码为文本。",
        ],
    ),
    row(
        "ENCODE",
        ENCODE,
        encode,
        [
            "Bytes of a text in a character set.",
            "按字符集把文本编码为字节。",
        ],
    ),
];

/// Java's signed byte.
fn first_byte(text: &str) -> i64 {
    text.as_bytes()
        .first()
        .map_or(0, |byte| i64::from(byte.cast_signed()))
}

fn chr(values: &[Value]) -> Outcome {
    let code = int(values, 0);
    if code < 0 {
        return Ok(Value::from(""));
    }
    let byte = u8::try_from(code & 0xff).unwrap_or(0);
    Ok(string(char::from(byte).to_string()))
}

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Base64 with padding.
pub(in super::super) fn base64(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let mut group = 0_u32;
        for at in 0..3 {
            group = group << 8 | u32::from(chunk.get(at).copied().unwrap_or(0));
        }
        for digit in 0..4 {
            let value = group >> (18 - 6 * digit) & 63;
            let letter = ALPHABET.get(value as usize).copied().unwrap_or(b'A');
            out.push(if digit <= chunk.len() as u32 {
                char::from(letter)
            } else {
                '='
            });
        }
    }
    out
}

fn to_base64(values: &[Value]) -> Outcome {
    Ok(match values.first() {
        Some(Value::Str(text)) => string(base64(text.as_bytes())),
        Some(Value::Bytes(bytes)) => string(base64(bytes)),
        _ => Value::Null,
    })
}

fn bytes_of_base64(text: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u32>> = text
        .trim_end_matches('=')
        .bytes()
        .map(|letter| {
            ALPHABET
                .iter()
                .position(|known| *known == letter)
                .and_then(|at| u32::try_from(at).ok())
        })
        .gather();
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    for chunk in digits?.chunks(4) {
        if chunk.len() == 1 {
            return None;
        }
        let group = chunk.iter().fold(0_u32, |group, digit| group << 6 | digit) << (6 * (4 - chunk.len()));
        let [_, a, b, c] = group.to_be_bytes();
        bytes.extend([a, b, c].into_iter().take(chunk.len() - 1));
    }
    Some(bytes)
}

fn from_base64(values: &[Value]) -> Outcome {
    let decoded = bytes_of_base64(text(values, 0));
    Ok(decoded.map_or(Value::Null, |bytes| {
        string(String::from_utf8_lossy(&bytes).into_owned())
    }))
}

/// A character set of Java's standard ones.
enum Charset {
    Utf8,
    Utf16 {
        big_endian: bool,
        mark: bool,
    },
    /// ISO-8859-1 (255) or US-ASCII (127).
    Latin(u32),
}

fn charset(name: &str) -> Result<Charset, Box<sg_diag::Diagnostic>> {
    Ok(match name.to_ascii_uppercase().as_str() {
        "UTF-8" | "UTF8" => Charset::Utf8,
        "UTF-16" => Charset::Utf16 {
            big_endian: true,
            mark: true,
        },
        "UTF-16BE" => Charset::Utf16 {
            big_endian: true,
            mark: false,
        },
        "UTF-16LE" => Charset::Utf16 {
            big_endian: false,
            mark: false,
        },
        "ISO-8859-1" | "LATIN1" => Charset::Latin(255),
        "US-ASCII" | "ASCII" => Charset::Latin(127),
        _ => {
            return Err(Box::new(
                failure(Code::ValueNotTaken)
                    .arg("function", "ENCODE")
                    .arg("reason", format!("there is no character set {name}"))
                    .flink(format!("Unsupported encoding: {name}")),
            ));
        }
    })
}

fn encode(values: &[Value]) -> Outcome {
    let given = text(values, 0);
    let bytes: Vec<u8> = match charset(text(values, 1))? {
        Charset::Utf8 => given.as_bytes().to_vec(),
        Charset::Utf16 { big_endian, mark } => {
            let units = mark.then_some(0xfeff).into_iter().chain(given.encode_utf16());
            units
                .flat_map(|unit| {
                    if big_endian {
                        unit.to_be_bytes()
                    } else {
                        unit.to_le_bytes()
                    }
                })
                .gather()
        }
        Charset::Latin(most) => given
            .chars()
            .map(|letter| {
                u8::try_from(u32::from(letter))
                    .ok()
                    .filter(|byte| u32::from(*byte) <= most)
                    .unwrap_or(b'?')
            })
            .gather(),
    };
    Ok(Value::Bytes(bytes.into()))
}

fn decode(values: &[Value]) -> Outcome {
    let Some(Value::Bytes(bytes)) = values.first() else {
        return Ok(Value::Null);
    };
    Ok(string(match charset(text(values, 1))? {
        Charset::Utf8 => String::from_utf8_lossy(bytes).into_owned(),
        Charset::Utf16 { big_endian, .. } => {
            let units: Vec<u16> = bytes
                .chunks_exact(2)
                .map(|pair| {
                    let pair = [
                        pair.first().copied().unwrap_or(0),
                        pair.get(1).copied().unwrap_or(0),
                    ];
                    if big_endian {
                        u16::from_be_bytes(pair)
                    } else {
                        u16::from_le_bytes(pair)
                    }
                })
                .gather();
            String::from_utf16_lossy(&units)
                .trim_start_matches('\u{feff}')
                .to_owned()
        }
        Charset::Latin(_) => bytes.iter().copied().map(char::from).gather(),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_goes_both_ways() {
        for text in ["", "a", "ab", "abc", "hello world"] {
            let coded = base64(text.as_bytes());
            assert_eq!(bytes_of_base64(&coded).unwrap(), text.as_bytes());
        }
        assert_eq!(base64(b"hello world"), "aGVsbG8gd29ybGQ=");
        assert_eq!(bytes_of_base64("a!"), None);
    }
}
