//! `nexmark`: persons who sell at auctions and bid, as one stream of three kinds of events.
//!
//! Of 50 events one is a person, three are auctions, the rest bids (`person.proportion`, `auction.proportion`,
//! `bid.proportion`). Columns `person`, `auction` and `bid` are rows that are filled by the names of their fields;
//! `event_type` is 0, 1 or 2. A table without these rows takes the events of one kind: `'nexmark.table' = 'bid'`.

use std::rc::Rc;

use sg_diag::{Code, Diagnostic};
use sg_value::{Field, Gather as _, TypeKind, Value, case};

use super::{Made, Options, Random, clamped, fakes};

/// Events of a table that sets no number.
const EVENTS: i64 = 500;
/// The first ids, as the benchmark has them.
const FIRST_PERSON: i64 = 1000;
const FIRST_AUCTION: i64 = 1000;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Person,
    Auction,
    Bid,
}

/// What has happened so far.
struct World {
    persons: i64,
    auctions: i64,
    now_ms: i64,
    random: Random,
}

pub(super) fn rows(
    options: &Options<'_>,
    columns: &[Field],
    start_ms: i64,
) -> Result<Vec<Made>, Box<Diagnostic>> {
    let only = match options.text("nexmark.table") {
        None | Some("all") => None,
        Some("person") => Some(Kind::Person),
        Some("auction") => Some(Kind::Auction),
        Some("bid") => Some(Kind::Bid),
        Some(other) => {
            let refused = options.refuse(Code::GeneratorKindUnknown, "nexmark.table");
            return Err(Box::new(refused.arg("kind", other)));
        }
    };
    let share = |key: &str, default| options.number(key).unwrap_or(default).max(0);
    let (persons, auctions, bids) = (
        share("person.proportion", 1),
        share("auction.proportion", 3),
        share("bid.proportion", 46),
    );
    let round = (persons + auctions + bids).max(1);
    let per_second = options
        .number("next-event.rate")
        .or_else(|| options.number("first-event.rate"))
        .unwrap_or(10)
        .max(1);
    let events = clamped(
        options
            .number("events.num")
            .filter(|&number| number > 0)
            .unwrap_or(EVENTS),
    );
    let mut world = World {
        persons: 0,
        auctions: 0,
        now_ms: start_ms,
        random: options.random(),
    };
    let mut made = Vec::new();
    for number in 0..i64::from(events) {
        let at_ms = number.saturating_mul(1000) / per_second;
        world.now_ms = start_ms.saturating_add(at_ms);
        let place = number % round;
        let kind = if place < persons {
            world.persons += 1;
            Kind::Person
        } else if place < persons + auctions {
            world.auctions += 1;
            Kind::Auction
        } else {
            Kind::Bid
        };
        if only.is_some_and(|only| only != kind) {
            continue;
        }
        let cells: Vec<Value> = columns.iter().map(|field| world.cell(field, kind, only)).gather();
        made.push(Made {
            at_ms,
            row: Rc::from(cells),
        });
    }
    Ok(made)
}

impl World {
    fn cell(&mut self, field: &Field, kind: Kind, only: Option<Kind>) -> Value {
        if only.is_some() {
            return self.part(field, kind);
        }
        let of = match &*case::lower(&field.name) {
            "event_type" => {
                return Value::Int(match kind {
                    Kind::Person => 0,
                    Kind::Auction => 1,
                    Kind::Bid => 2,
                });
            }
            "person" => Kind::Person,
            "auction" => Kind::Auction,
            "bid" => Kind::Bid,
            _ => return self.part(field, kind),
        };
        match &field.data_type.kind {
            TypeKind::Row(fields) if of == kind => {
                let cells: Vec<Value> = fields.iter().map(|field| self.part(field, kind)).gather();
                Value::Row(Rc::from(cells))
            }
            _ => Value::Null,
        }
    }

    /// A field of an event, by its name.
    fn part(&mut self, field: &Field, kind: Kind) -> Value {
        let name = case::lower(&field.name).replace('_', "");
        let number = |value: i64| match &field.data_type.kind {
            TypeKind::Char(_) | TypeKind::Varchar(_) => Value::from(value.to_string().as_str()),
            TypeKind::Double | TypeKind::Float => fakes::double(value),
            _ => Value::Int(value),
        };
        match (name.as_str(), kind) {
            ("datetime" | "ts" | "eventtime", _) => Value::timestamp_ms(self.now_ms),
            ("expires", _) => Value::timestamp_ms(self.now_ms + self.random.between(5, 60) * 1000),
            ("id", Kind::Person) => number(FIRST_PERSON + self.persons - 1),
            ("id", Kind::Auction) => number(FIRST_AUCTION + self.auctions - 1),
            // a hot auction takes most bids
            ("auction", _) => {
                let newest = FIRST_AUCTION + (self.auctions - 1).max(0);
                let hot = self.random.between(0, 99) < 50;
                number(if hot {
                    newest
                } else {
                    self.random.between((newest - 20).max(FIRST_AUCTION), newest)
                })
            }
            ("bidder" | "seller", _) => {
                let newest = FIRST_PERSON + (self.persons - 1).max(0);
                number(self.random.between((newest - 50).max(FIRST_PERSON), newest))
            }
            ("price" | "initialbid", _) => number(self.random.between(100, 10_000)),
            ("reserve", _) => number(self.random.between(10_000, 20_000)),
            ("category", _) => number(self.random.between(10, 14)),
            _ => self.text(&name),
        }
    }

    fn text(&mut self, name: &str) -> Value {
        let expression = match name {
            "name" => "Name.fullName",
            "emailaddress" | "email" => "Internet.emailAddress",
            "creditcard" => "Finance.creditCard",
            "city" => "Address.city",
            "state" => "Address.stateAbbr",
            "itemname" => "Commerce.productName",
            "channel" => {
                let channel = self.random.pick(&["Search", "Social", "Direct", "Mail"]);
                return channel.map_or(Value::Null, Value::from);
            }
            "url" => "Internet.url",
            "description" | "extra" => "Lorem.sentence",
            _ => return Value::Null,
        };
        let text = fakes::fake(expression, &[], &mut self.random, self.now_ms);
        text.map_or(Value::Null, |text| Value::from(text.as_str()))
    }
}
