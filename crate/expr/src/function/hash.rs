//! Checksums as hexadecimal text.

use md5::Md5;
use sg_diag::Code;
use sg_value::{Value, hash::table_hash};
use sha1::Sha1;
use sha2::{Digest, Sha224, Sha256, Sha384, Sha512};

use super::{
    Eval, FunctionDef, Outcome, Resolve,
    definition::Family::Hash,
    failure,
    math::hex_digits,
    signature::{Param, Returns, Signature, takes},
};

use Param::{Integer, Text};

static CHAR_32: &[Signature] = &[takes(&[Text], Returns::Char(32))];
static CHAR_40: &[Signature] = &[takes(&[Text], Returns::Char(40))];
static CHAR_56: &[Signature] = &[takes(&[Text], Returns::Char(56))];
static CHAR_64: &[Signature] = &[takes(&[Text], Returns::Char(64))];
static CHAR_96: &[Signature] = &[takes(&[Text], Returns::Char(96))];
static CHAR_128: &[Signature] = &[takes(&[Text], Returns::Char(128))];
static SHA2: &[Signature] = &[takes(&[Text, Integer], Returns::Varchar(128))];

const fn row(
    name: &'static str,
    of: &'static [Signature],
    eval: fn(&[Value]) -> Outcome,
    doc: [&'static str; 2],
) -> FunctionDef {
    FunctionDef::new(name, Hash, Resolve::Table(of), Eval::Values(eval), doc)
}

pub(super) static ROWS: &[FunctionDef] = &[
    row(
        "MD5",
        CHAR_32,
        digest::<Md5>,
        ["The MD5 checksum of a text.", "文本的 MD5 校验和。"],
    ),
    row(
        "SHA1",
        CHAR_40,
        digest::<Sha1>,
        ["The SHA-1 checksum of a text.", "文本的 SHA-1 校验和。"],
    ),
    row(
        "SHA224",
        CHAR_56,
        digest::<Sha224>,
        ["The SHA-224 checksum of a text.", "文本的 SHA-224 校验和。"],
    ),
    row(
        "SHA256",
        CHAR_64,
        digest::<Sha256>,
        ["The SHA-256 checksum of a text.", "文本的 SHA-256 校验和。"],
    ),
    row(
        "SHA384",
        CHAR_96,
        digest::<Sha384>,
        ["The SHA-384 checksum of a text.", "文本的 SHA-384 校验和。"],
    ),
    row(
        "SHA512",
        CHAR_128,
        digest::<Sha512>,
        ["The SHA-512 checksum of a text.", "文本的 SHA-512 校验和。"],
    ),
    row(
        "SHA2",
        SHA2,
        sha2,
        [
            "The SHA-2 checksum of 224, 256, 384 or 512 bits.",
            "指定位数（224、256、384、512）的 SHA-2 校验和。",
        ],
    ),
    FunctionDef::new(
        "HASH_CODE",
        Hash,
        Resolve::Internal,
        Eval::Values(hash_code),
        ["", ""],
    )
    .sees_nulls(),
];

fn digest<D: Digest>(values: &[Value]) -> Outcome {
    let Some(text) = values.first().and_then(Value::as_str) else {
        return Ok(Value::Null);
    };
    Ok(Value::Str(
        hex_digits(D::digest(text.as_bytes()).as_ref(), false).into(),
    ))
}

fn sha2(values: &[Value]) -> Outcome {
    match values.get(1).and_then(Value::as_int) {
        Some(224) => digest::<Sha224>(values),
        Some(256) => digest::<Sha256>(values),
        Some(384) => digest::<Sha384>(values),
        Some(512) => digest::<Sha512>(values),
        _ => Err(Box::new(
            failure(Code::ValueNotTaken)
                .arg("function", "SHA2")
                .arg("reason", "there are 224, 256, 384 and 512 bits")
                .flink("Unsupported algorithm."),
        )),
    }
}

/// Decides the bucket of a split DISTINCT: Java's `hashCode` of numbers and texts; of other values any hash will do.
fn hash_code(values: &[Value]) -> Outcome {
    match values {
        [Value::Null] => return Ok(Value::Null),
        [Value::Int(number)] => {
            let bits = number.cast_unsigned();
            let folded = ((bits ^ bits >> 32) as u32).cast_signed();
            return Ok(Value::Int(i64::from(i32::try_from(*number).unwrap_or(folded))));
        }
        [Value::Str(text)] => {
            let units = text.encode_utf16();
            let code = units.fold(0_i32, |code, unit| {
                code.wrapping_mul(31).wrapping_add(i32::from(unit))
            });
            return Ok(Value::Int(i64::from(code)));
        }
        _ => {}
    }
    let bits = u32::try_from(table_hash(values) & 0x7fff_ffff).unwrap_or(0);
    Ok(Value::Int(i64::from(bits)))
}
