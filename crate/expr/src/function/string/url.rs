//! Addresses: URLs and IPv4.

use sg_value::{Gather as _, Value};

use super::{
    super::{
        Eval, FunctionDef, Outcome, Resolve,
        definition::Family::String as Strings,
        signature::{Param, Returns, Signature, takes},
    },
    int, string, text,
};

use Param::{Integer, Text};

static PARSE: &[Signature] = &[takes(&[Text, Text, Text], Returns::Text).optional(1).nullable()];
static TEXT: &[Signature] = &[takes(&[Text], Returns::Text).nullable()];
static ATON: &[Signature] = &[takes(&[Text], Returns::BigInt).nullable()];
static NTOA: &[Signature] = &[takes(&[Integer], Returns::Text).nullable()];

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
        "PARSE_URL",
        PARSE,
        parse_url,
        [
            "A part of a URL: HOST, PATH, QUERY, REF, PROTOCOL, FILE, AUTHORITY, USERINFO; or a key of its query.",
            "URL 的一部分：HOST、PATH、QUERY、REF、PROTOCOL、FILE、AUTHORITY、USERINFO，或查询参数的值。",
        ],
    ),
    row(
        "URL_ENCODE",
        TEXT,
        |values| Ok(string(url_encode(text(values, 0)))),
        ["The text as a part of a URL.", "URL 编码。"],
    ),
    row(
        "URL_DECODE",
        TEXT,
        |values| Ok(url_decode(text(values, 0)).map_or(Value::Null, string)),
        [
            "The text behind a part of a URL; NULL where it is none.",
            "URL 解码；无法解码时为 NULL。",
        ],
    ),
    row(
        "INET_ATON",
        ATON,
        |values| Ok(address(text(values, 0)).map_or(Value::Null, Value::Int)),
        ["An IPv4 address as a number.", "IPv4 地址转数字。"],
    ),
    row(
        "INET_NTOA",
        NTOA,
        |values| {
            let number = u32::try_from(int(values, 0)).ok();
            Ok(number.map_or(Value::Null, |number| {
                string(std::net::Ipv4Addr::from(number).to_string())
            }))
        },
        ["An IPv4 address from a number.", "数字转 IPv4 地址。"],
    ),
];

/// The parts of `protocol://user@host:port/path?query#ref`.
struct Url<'t> {
    protocol: &'t str,
    authority: Option<&'t str>,
    path: &'t str,
    query: Option<&'t str>,
    fragment: Option<&'t str>,
}

impl<'t> Url<'t> {
    fn new(text: &'t str) -> Option<Self> {
        let (protocol, rest) = text.split_once(':')?;
        if !matches!(
            protocol.to_ascii_lowercase().as_str(),
            "http" | "https" | "ftp" | "file" | "jar" | "mailto"
        ) {
            return None;
        }
        let (rest, fragment) = match rest.split_once('#') {
            Some((rest, fragment)) => (rest, Some(fragment)),
            None => (rest, None),
        };
        let (rest, query) = match rest.split_once('?') {
            Some((rest, query)) => (rest, Some(query)),
            None => (rest, None),
        };
        let (authority, path) = match rest.strip_prefix("//") {
            Some(rest) => {
                let end = rest.find('/').unwrap_or(rest.len());
                let (authority, path) = rest.split_at_checked(end)?;
                (Some(authority), path)
            }
            None => (None, rest),
        };
        Some(Self {
            protocol,
            authority,
            path,
            query,
            fragment,
        })
    }

    fn host(&self) -> Option<&'t str> {
        let authority = self.authority?;
        let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
        Some(host.split_once(':').map_or(host, |(host, _)| host))
    }
}

fn parse_url(values: &[Value]) -> Outcome {
    let Some(url) = Url::new(text(values, 0)) else {
        return Ok(Value::Null);
    };
    let part = text(values, 1);
    let owned;
    let found: Option<&str> = match part {
        "HOST" => url.host(),
        "PATH" => Some(url.path),
        "QUERY" => url.query,
        "REF" => url.fragment,
        "PROTOCOL" => Some(url.protocol),
        "AUTHORITY" => url.authority,
        "USERINFO" => url
            .authority
            .and_then(|authority| authority.rsplit_once('@'))
            .map(|(user, _)| user),
        "FILE" => {
            owned = match url.query {
                Some(query) => format!("{}?{query}", url.path),
                None => url.path.to_owned(),
            };
            Some(&owned)
        }
        _ => None,
    };
    if values.len() < 3 {
        return Ok(found.map_or(Value::Null, Value::from));
    }
    if part != "QUERY" {
        return Ok(Value::Null);
    }
    let key = text(values, 2);
    let value = url.query.unwrap_or_default().split('&').find_map(|pair| {
        let (name, value) = pair.split_once('=')?;
        (name == key).then_some(value)
    });
    Ok(value.map_or(Value::Null, Value::from))
}

/// Half a byte as a capital digit.
fn hex_digit(half: u8) -> char {
    char::from_digit(u32::from(half), 16).map_or('0', |digit| digit.to_ascii_uppercase())
}

fn url_encode(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'.' | b'-' | b'*' | b'_' => out.push(char::from(byte)),
            b' ' => out.push('+'),
            other => out.extend(['%', hex_digit(other >> 4), hex_digit(other & 15)]),
        }
    }
    out
}

fn url_decode(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        match byte {
            b'+' => bytes.push(b' '),
            b'%' => {
                let digits = [rest.next()?, rest.next()?];
                let digits = std::str::from_utf8(&digits).ok()?;
                bytes.push(u8::from_str_radix(digits, 16).ok()?);
            }
            other => bytes.push(other),
        }
    }
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// One to four numbers; the last one fills what is left.
fn address(text: &str) -> Option<i64> {
    let parts: Option<Vec<i64>> = text.split('.').map(|part| part.parse().ok()).gather();
    let parts = parts?;
    let (last, heads) = parts.split_last()?;
    let heads_count = u32::try_from(heads.len()).ok().filter(|count| *count <= 3)?;
    let mut number = 0_i64;
    for head in heads {
        if !(0..=255).contains(head) {
            return None;
        }
        number = number << 8 | head;
    }
    let left = 8 * (4 - heads_count);
    (0..1_i64 << left).contains(last).then_some(number << left | last)
}
