//! What an expression such as `Name.fullName` gives: words of our own, numbers, times, patterns.
//!
//! Names are those of the Java library that flink-faker calls; case and underscores do not matter.

use sg_value::{Gather as _, Value, case, float::fixed, time};

use super::Random;
use super::fake_words::{
    ADJECTIVE, AGENT, ANIMAL, APP, BEER, CHARACTER, CITY, CODE2, COLOR, COMPANY, COUNTRY, CURRENCY,
    DEPARTMENT, DISH, FIRST, FOOD, GAME, HERO, HOUSE, JOB, LAST, MIME, PRODUCT, STATE, STOCK, STREET, TEAM,
    WEATHER, WORD,
};

/// How a name makes its text.
#[derive(Clone, Copy)]
enum Maker {
    /// One of these.
    Words(&'static [&'static str]),
    /// These, one of each, with a blank between.
    Both(&'static [&'static str], &'static [&'static str]),
    Call(fn(&[String], &mut Random, i64) -> String),
}

const MAKERS: &[(&str, Maker)] = &[
    ("Name.firstName", Maker::Words(FIRST)),
    ("Name.lastName", Maker::Words(LAST)),
    ("Name.fullName", Maker::Both(FIRST, LAST)),
    ("Name.name", Maker::Both(FIRST, LAST)),
    ("Name.username", Maker::Call(user_name)),
    ("Name.title", Maker::Words(JOB)),
    ("Address.city", Maker::Words(CITY)),
    ("Address.country", Maker::Words(COUNTRY)),
    ("Address.countryCode", Maker::Words(CODE2)),
    ("Address.state", Maker::Words(STATE)),
    ("Address.stateAbbr", Maker::Words(STATE)),
    ("Address.streetName", Maker::Words(STREET)),
    ("Address.streetAddress", Maker::Call(street_address)),
    (
        "Address.zipCode",
        Maker::Call(|_, random, _| format!("{:05}", random.between(1000, 99_999))),
    ),
    (
        "Address.latitude",
        Maker::Call(|_, random, _| decimal(random.unit() * 180.0 - 90.0, 6)),
    ),
    (
        "Address.longitude",
        Maker::Call(|_, random, _| decimal(random.unit() * 360.0 - 180.0, 6)),
    ),
    ("Country.name", Maker::Words(COUNTRY)),
    ("Country.code2", Maker::Words(CODE2)),
    ("Country.capital", Maker::Words(CITY)),
    ("Company.name", Maker::Words(COMPANY)),
    ("Company.industry", Maker::Words(DEPARTMENT)),
    ("Commerce.productName", Maker::Both(ADJECTIVE, PRODUCT)),
    ("Commerce.department", Maker::Words(DEPARTMENT)),
    ("Commerce.color", Maker::Words(COLOR)),
    (
        "Commerce.price",
        Maker::Call(|_, random, _| decimal(random.unit() * 100.0, 2)),
    ),
    ("Color.name", Maker::Words(COLOR)),
    ("Food.ingredient", Maker::Words(FOOD)),
    ("Food.ingredients", Maker::Words(FOOD)),
    ("Food.dish", Maker::Words(DISH)),
    ("Food.dishes", Maker::Words(DISH)),
    ("Food.spice", Maker::Words(FOOD)),
    ("Beer.name", Maker::Words(BEER)),
    ("Beer.style", Maker::Words(BEER)),
    ("Job.title", Maker::Words(JOB)),
    ("Job.field", Maker::Words(DEPARTMENT)),
    ("Currency.code", Maker::Words(CURRENCY)),
    ("Currency.name", Maker::Words(CURRENCY)),
    ("Weather.description", Maker::Words(WEATHER)),
    ("Animal.name", Maker::Words(ANIMAL)),
    ("Cat.name", Maker::Words(CHARACTER)),
    ("Dog.name", Maker::Words(CHARACTER)),
    ("App.name", Maker::Words(APP)),
    ("App.version", Maker::Call(version)),
    ("Superhero.name", Maker::Words(HERO)),
    ("Superhero.power", Maker::Words(WORD)),
    ("HarryPotter.character", Maker::Words(CHARACTER)),
    ("HarryPotter.house", Maker::Words(HOUSE)),
    ("HarryPotter.spell", Maker::Words(WORD)),
    ("GameOfThrones.character", Maker::Words(CHARACTER)),
    ("GameOfThrones.house", Maker::Words(HOUSE)),
    ("LordOfTheRings.character", Maker::Words(CHARACTER)),
    ("LordOfTheRings.location", Maker::Words(CITY)),
    ("RickAndMorty.character", Maker::Words(CHARACTER)),
    ("StarTrek.character", Maker::Words(CHARACTER)),
    ("StarTrek.location", Maker::Words(CITY)),
    ("Esports.game", Maker::Words(GAME)),
    ("Esports.player", Maker::Words(CHARACTER)),
    ("Football.team", Maker::Words(TEAM)),
    ("Team.name", Maker::Words(TEAM)),
    ("Stock.nsdqSymbol", Maker::Words(STOCK)),
    ("Stock.nyseSymbol", Maker::Words(STOCK)),
    ("Book.title", Maker::Both(ADJECTIVE, WORD)),
    ("Book.author", Maker::Both(FIRST, LAST)),
    ("Book.genre", Maker::Words(DEPARTMENT)),
    ("Music.genre", Maker::Words(COLOR)),
    ("Music.instrument", Maker::Words(PRODUCT)),
    ("File.mimeType", Maker::Words(MIME)),
    ("Lorem.word", Maker::Words(WORD)),
    ("Lorem.words", Maker::Call(|_, random, _| words(random, 3))),
    ("Lorem.sentence", Maker::Call(|_, random, _| sentence(random))),
    (
        "Lorem.paragraph",
        Maker::Call(|_, random, _| format!("{} {}", sentence(random), sentence(random))),
    ),
    (
        "Lorem.character",
        Maker::Call(|_, random, _| pattern("[a-z]", random)),
    ),
    ("Lorem.characters", Maker::Call(characters)),
    ("Internet.ipV4Address", Maker::Call(|_, random, _| ip(random))),
    (
        "Internet.publicIpV4Address",
        Maker::Call(|_, random, _| ip(random)),
    ),
    (
        "Internet.privateIpV4Address",
        Maker::Call(|_, random, _| format!("10.0.{}.{}", random.between(0, 255), random.between(1, 254))),
    ),
    (
        "Internet.macAddress",
        Maker::Call(|_, random, _| {
            pattern(
                "[0-9a-f]{2}:[0-9a-f]{2}:[0-9a-f]{2}:[0-9a-f]{2}:[0-9a-f]{2}:[0-9a-f]{2}",
                random,
            )
        }),
    ),
    (
        "Internet.emailAddress",
        Maker::Call(|_, random, _| format!("{}@example.org", user_name(&[], random, 0))),
    ),
    (
        "Internet.safeEmailAddress",
        Maker::Call(|_, random, _| format!("{}@example.com", user_name(&[], random, 0))),
    ),
    (
        "Internet.url",
        Maker::Call(|_, random, _| format!("www.{}.example", one(WORD, random))),
    ),
    (
        "Internet.domainName",
        Maker::Call(|_, random, _| format!("{}.example", one(WORD, random))),
    ),
    ("Internet.domainWord", Maker::Words(WORD)),
    (
        "Internet.slug",
        Maker::Call(|_, random, _| format!("{}_{}", one(WORD, random), one(WORD, random))),
    ),
    ("Internet.uuid", Maker::Call(|_, random, _| uuid(random))),
    ("Internet.userAgentAny", Maker::Words(AGENT)),
    ("Internet.userAgent", Maker::Words(AGENT)),
    (
        "Internet.httpMethod",
        Maker::Words(&["GET", "POST", "PUT", "DELETE"]),
    ),
    (
        "Finance.creditCard",
        Maker::Call(|_, random, _| pattern("[0-9]{4}-[0-9]{4}-[0-9]{4}-[0-9]{4}", random)),
    ),
    (
        "Finance.iban",
        Maker::Call(|_, random, _| pattern("NO[0-9]{13}", random)),
    ),
    (
        "Finance.bic",
        Maker::Call(|_, random, _| pattern("[A-Z]{4}NO[A-Z0-9]{2}", random)),
    ),
    (
        "Business.creditCardNumber",
        Maker::Call(|_, random, _| pattern("[0-9]{4}-[0-9]{4}-[0-9]{4}-[0-9]{4}", random)),
    ),
    (
        "Code.asin",
        Maker::Call(|_, random, _| pattern("B00[0-9A-Z]{7}", random)),
    ),
    (
        "Code.ean13",
        Maker::Call(|_, random, _| pattern("[0-9]{13}", random)),
    ),
    (
        "Code.isbn13",
        Maker::Call(|_, random, _| pattern("978[0-9]{10}", random)),
    ),
    (
        "IdNumber.valid",
        Maker::Call(|_, random, _| pattern("[0-9]{3}-[0-9]{2}-[0-9]{4}", random)),
    ),
    (
        "PhoneNumber.phoneNumber",
        Maker::Call(|_, random, _| pattern("555-01[0-9]{2}", random)),
    ),
    (
        "PhoneNumber.cellPhone",
        Maker::Call(|_, random, _| pattern("555-01[0-9]{2}", random)),
    ),
    ("Number.numberBetween", Maker::Call(number_between)),
    (
        "Number.randomDigit",
        Maker::Call(|_, random, _| random.between(0, 9).to_string()),
    ),
    (
        "Number.randomDigitNotZero",
        Maker::Call(|_, random, _| random.between(1, 9).to_string()),
    ),
    (
        "Number.digit",
        Maker::Call(|_, random, _| random.between(0, 9).to_string()),
    ),
    ("Number.digits", Maker::Call(digits)),
    (
        "Number.randomNumber",
        Maker::Call(|_, random, _| random.between(0, 999_999_999).to_string()),
    ),
    (
        "Number.negative",
        Maker::Call(|_, random, _| random.between(-999_999, -1).to_string()),
    ),
    (
        "Number.positive",
        Maker::Call(|_, random, _| random.between(1, 999_999).to_string()),
    ),
    ("Number.randomDouble", Maker::Call(random_double)),
    ("Bool.bool", Maker::Words(&["true", "false"])),
    ("Options.option", Maker::Call(option)),
    (
        "Date.past",
        Maker::Call(|arguments, random, now_ms| moment(arguments, random, now_ms, -1)),
    ),
    (
        "Date.future",
        Maker::Call(|arguments, random, now_ms| moment(arguments, random, now_ms, 1)),
    ),
    ("Date.between", Maker::Call(between)),
    (
        "Date.birthday",
        Maker::Call(|_, random, now_ms| stamp(now_ms - random.between(18 * 365, 65 * 365) * 86_400_000)),
    ),
    (
        "regexify",
        Maker::Call(|arguments, random, _| pattern(arguments.first().map_or("", String::as_str), random)),
    ),
    (
        "letterify",
        Maker::Call(|arguments, random, _| filled(arguments, random)),
    ),
    (
        "numerify",
        Maker::Call(|arguments, random, _| filled(arguments, random)),
    ),
    (
        "bothify",
        Maker::Call(|arguments, random, _| filled(arguments, random)),
    ),
];

/// Names that an expression can call, to suggest.
pub(super) const NAMES: &[&str] = &[
    "Name.firstName",
    "Name.lastName",
    "Name.fullName",
    "Address.city",
    "Address.country",
    "Company.name",
    "Commerce.productName",
    "Food.ingredients",
    "Internet.ipV4Address",
    "Internet.emailAddress",
    "Internet.uuid",
    "Number.numberBetween",
    "Number.randomDouble",
    "Bool.bool",
    "Options.option",
    "Date.past",
    "Date.future",
    "Lorem.word",
    "Lorem.sentence",
    "regexify",
    "Superhero.name",
    "Currency.code",
    "Color.name",
];

fn plain(name: &str) -> String {
    case::lower(&name.replace('_', ""))
}

fn find(name: &str) -> Option<Maker> {
    let wanted = plain(name);
    MAKERS
        .iter()
        .find(|(known, _)| plain(known) == wanted)
        .map(|(_, maker)| *maker)
}

/// Whether an expression can call this.
pub(super) fn is_known(name: &str) -> bool {
    find(name).is_some()
}

/// The text of a call.
pub(super) fn fake(name: &str, arguments: &[String], random: &mut Random, now_ms: i64) -> Option<String> {
    Some(match find(name)? {
        Maker::Words(words) => one(words, random).to_owned(),
        Maker::Both(first, second) => {
            let first = one(first, random);
            format!("{first} {}", one(second, random))
        }
        Maker::Call(make) => make(arguments, random, now_ms),
    })
}

/// A whole number as a DOUBLE.
#[expect(clippy::cast_precision_loss, reason = "small numbers")]
pub(super) const fn double(number: i64) -> Value {
    Value::Double(number as f64)
}

fn one(words: &'static [&'static str], random: &mut Random) -> &'static str {
    random.pick(words).unwrap_or_default()
}

fn words(random: &mut Random, count: usize) -> String {
    let words: Vec<&str> = (0..count).map(|_| one(WORD, random)).gather();
    words.join(" ")
}

fn sentence(random: &mut Random) -> String {
    let text = words(random, 5);
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => format!("{}{}.", first.to_ascii_uppercase(), letters.as_str()),
        None => text,
    }
}

fn user_name(_: &[String], random: &mut Random, _: i64) -> String {
    let first = one(FIRST, random).to_ascii_lowercase();
    format!("{first}.{}", one(LAST, random).to_ascii_lowercase())
}

fn street_address(_: &[String], random: &mut Random, _: i64) -> String {
    format!("{} {}", random.between(1, 200), one(STREET, random))
}

fn version(_: &[String], random: &mut Random, _: i64) -> String {
    format!(
        "{}.{}.{}",
        random.between(0, 9),
        random.between(0, 9),
        random.between(0, 9)
    )
}

fn ip(random: &mut Random) -> String {
    let parts: Vec<String> = (0..4).map(|_| random.between(1, 254).to_string()).gather();
    parts.join(".")
}

fn uuid(random: &mut Random) -> String {
    pattern(
        "[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}",
        random,
    )
}

fn whole(arguments: &[String], at: usize) -> Option<i64> {
    arguments.get(at)?.trim().parse().ok()
}

/// The upper bound is not included.
fn number_between(arguments: &[String], random: &mut Random, _: i64) -> String {
    let low = whole(arguments, 0).unwrap_or(0);
    let high = whole(arguments, 1).unwrap_or(i64::from(i32::MAX));
    random.between(low, high.saturating_sub(1).max(low)).to_string()
}

fn digits(arguments: &[String], random: &mut Random, _: i64) -> String {
    let count = whole(arguments, 0).unwrap_or(1).clamp(0, 100);
    (0..count).map(|_| random.between(0, 9).to_string()).gather()
}

fn characters(arguments: &[String], random: &mut Random, _: i64) -> String {
    let count = whole(arguments, 0).unwrap_or(255).clamp(0, 1000);
    (0..count).map(|_| pattern("[a-z0-9]", random)).gather()
}

fn decimal(number: f64, digits: usize) -> String {
    fixed(number, digits)
}

/// `randomDouble 'digits','low','high'`
#[expect(clippy::cast_precision_loss, reason = "bounds as written")]
fn random_double(arguments: &[String], random: &mut Random, _: i64) -> String {
    let digits = whole(arguments, 0)
        .and_then(|digits| usize::try_from(digits).ok())
        .unwrap_or(2)
        .min(15);
    let low = whole(arguments, 1).unwrap_or(0) as f64;
    let high = whole(arguments, 2).unwrap_or(1000) as f64;
    decimal(low + (high - low) * random.unit(), digits)
}

fn option(arguments: &[String], random: &mut Random, _: i64) -> String {
    let texts: Vec<&str> = arguments.iter().map(String::as_str).gather();
    random.pick(&texts).unwrap_or_default().to_owned()
}

fn unit_ms(unit: &str) -> i64 {
    match case::upper(unit.trim()).trim_end_matches('S') {
        "MILLISECOND" => 1,
        "SECOND" => 1000,
        "MINUTE" => 60_000,
        "HOUR" => 3_600_000,
        _ => 86_400_000,
    }
}

/// `date.past '15','SECONDS'`, `date.past '15','5','SECONDS'`: at most so long ago, at least so long.
fn moment(arguments: &[String], random: &mut Random, now_ms: i64, sign: i64) -> String {
    let unit = unit_ms(arguments.last().map_or("DAYS", String::as_str));
    let most = whole(arguments, 0).unwrap_or(1).saturating_mul(unit);
    let least = if arguments.len() > 2 {
        whole(arguments, 1).unwrap_or(0).saturating_mul(unit)
    } else {
        0
    };
    let distance = random.between(least, most);
    stamp(now_ms.saturating_add(distance.saturating_mul(sign)))
}

fn between(arguments: &[String], random: &mut Random, now_ms: i64) -> String {
    let bound = |at: usize| {
        let text = arguments.get(at)?;
        time::parse_timestamp(text.trim(), 3).ok().map(|(ms, _)| ms)
    };
    let low = bound(0).unwrap_or(now_ms);
    stamp(random.between(low, bound(1).unwrap_or(low)))
}

fn stamp(ms: i64) -> String {
    let mut text = String::new();
    // writing to a String cannot fail
    let _ignored = time::write_timestamp(&mut text, ms, 0, 3);
    text
}

/// `#` becomes a digit, `?` a letter.
fn filled(arguments: &[String], random: &mut Random) -> String {
    let text = arguments.first().map_or("", String::as_str);
    text.chars()
        .map(|letter| match letter {
            '#' => pattern("[0-9]", random),
            '?' => pattern("[a-z]", random),
            other => other.to_string(),
        })
        .gather()
}

/// A text that a simple pattern matches: alternatives in parentheses, sets, repetition.
fn pattern(pattern: &str, random: &mut Random) -> String {
    let letters: Vec<char> = pattern.chars().gather();
    let mut at = 0;
    sequence(&letters, &mut at, random, 0)
}

/// How deep parentheses go.
const MOST_DEPTH: usize = 20;

fn sequence(letters: &[char], at: &mut usize, random: &mut Random, depth: usize) -> String {
    let mut branches = vec![String::new()];
    while let Some(&letter) = letters.get(*at) {
        *at += 1;
        let start = *at;
        let piece = match letter {
            ')' => break,
            '|' => {
                branches.push(String::new());
                continue;
            }
            '(' if depth < MOST_DEPTH => sequence(letters, at, random, depth + 1),
            '[' => set(letters, at, random),
            '\\' => {
                let escaped = letters.get(*at).copied().unwrap_or('\\');
                *at += 1;
                match escaped {
                    'd' => random.between(0, 9).to_string(),
                    'w' => pattern("[a-z0-9]", random),
                    other => other.to_string(),
                }
            }
            '.' => pattern("[a-z]", random),
            other => other.to_string(),
        };
        let mut text = piece;
        let end = *at;
        if let Some((low, high)) = repetition(letters, at) {
            let count = random.between(low, high);
            text = String::new();
            for _ in 0..count {
                let mut again = start.saturating_sub(1);
                let one: Vec<char> = letters.get(again..end).unwrap_or_default().to_vec();
                again = 0;
                text.push_str(&sequence(&one, &mut again, random, depth + 1));
            }
        }
        if let Some(branch) = branches.last_mut() {
            branch.push_str(&text);
        }
    }
    let last = i64::try_from(branches.len()).unwrap_or(1) - 1;
    let chosen = usize::try_from(random.between(0, last)).unwrap_or(0);
    branches.into_iter().nth(chosen).unwrap_or_default()
}

/// `{n}`, `{n,m}`, `?`, `*`, `+` behind a piece.
fn repetition(letters: &[char], at: &mut usize) -> Option<(i64, i64)> {
    match letters.get(*at)? {
        '?' => {
            *at += 1;
            Some((0, 1))
        }
        '*' => {
            *at += 1;
            Some((0, 5))
        }
        '+' => {
            *at += 1;
            Some((1, 5))
        }
        '{' => {
            let rest: String = letters
                .get(*at + 1..)?
                .iter()
                .take_while(|letter| **letter != '}')
                .collect();
            *at += rest.chars().count() + 2;
            let (low, high) = rest.split_once(',').unwrap_or((&rest, &rest));
            let low: i64 = low.trim().parse().unwrap_or(1);
            let high = high.trim().parse().unwrap_or(low);
            Some((low.clamp(0, 200), high.clamp(0, 200)))
        }
        _ => None,
    }
}

fn set(letters: &[char], at: &mut usize, random: &mut Random) -> String {
    let mut members: Vec<char> = Vec::new();
    while let Some(&letter) = letters.get(*at) {
        *at += 1;
        if letter == ']' {
            break;
        }
        let range = (letters.get(*at) == Some(&'-'))
            .then(|| letters.get(*at + 1).copied())
            .flatten()
            .filter(|end| *end != ']');
        match range {
            Some(end) => {
                *at += 2;
                members.extend(letter..=end);
            }
            None => members.push(letter),
        }
    }
    let last = i64::try_from(members.len()).unwrap_or(1) - 1;
    let chosen = usize::try_from(random.between(0, last.max(0))).unwrap_or(0);
    members.get(chosen).map(char::to_string).unwrap_or_default()
}
