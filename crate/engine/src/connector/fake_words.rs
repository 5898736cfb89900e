//! Words of the `faker` connector.

pub(super) const FIRST: &[&str] = &[
    "Ada", "Ben", "Carla", "Dmitri", "Elif", "Femi", "Greta", "Hugo", "Ines", "Jonas", "Kaori", "Lena",
    "Mateo", "Nour", "Olga", "Pavel", "Quinn", "Rosa", "Samir", "Tove", "Uma", "Viktor", "Wei", "Ximena",
    "Yusuf", "Zoe",
];
pub(super) const LAST: &[&str] = &[
    "Almeida", "Berg", "Castro", "Dubois", "Eriksen", "Fischer", "Garcia", "Haddad", "Ivanova", "Jensen",
    "Kowalski", "Lind", "Moreau", "Nakamura", "Okafor", "Petrov", "Quist", "Rossi", "Silva", "Tanaka",
    "Ueda", "Vargas", "Weber", "Xu", "Young", "Zhang",
];
pub(super) const CITY: &[&str] = &[
    "Oslo", "Rome", "Kyoto", "Lima", "Quito", "Porto", "Graz", "Turku", "Bergen", "Cadiz", "Dakar", "Hanoi",
    "Izmir", "Lagos", "Pune", "Riga", "Sofia", "Tunis", "Varna", "Zadar",
];
pub(super) const COUNTRY: &[&str] = &[
    "Norway", "Italy", "Japan", "Peru", "Portugal", "Austria", "Finland", "Spain", "Senegal", "Kenya",
    "India", "Latvia", "Bulgaria", "Canada", "Chile", "Ghana",
];
pub(super) const CODE2: &[&str] = &[
    "NO", "IT", "JP", "PE", "PT", "AT", "FI", "ES", "SN", "KE", "IN", "LV", "BG", "CA", "CL", "GH",
];
pub(super) const STATE: &[&str] = &["AZ", "CA", "ID", "OR", "WA", "WY", "NV", "UT"];
pub(super) const STREET: &[&str] = &[
    "Mill Lane",
    "Harbour Road",
    "Station Street",
    "Church Hill",
    "Elm Avenue",
    "Market Square",
];
pub(super) const COMPANY: &[&str] = &[
    "Northwind Mills",
    "Blue Kite",
    "Harbor & Sons",
    "Lumen Works",
    "Pinecone Labs",
    "Tideline",
];
pub(super) const PRODUCT: &[&str] = &[
    "Lamp", "Kettle", "Chair", "Backpack", "Notebook", "Umbrella", "Clock", "Mug", "Blanket", "Bottle",
];
pub(super) const ADJECTIVE: &[&str] = &[
    "Small", "Sturdy", "Quiet", "Bright", "Woollen", "Foldable", "Heavy", "Simple",
];
pub(super) const COLOR: &[&str] = &["red", "green", "blue", "amber", "violet", "teal", "ochre", "grey"];
pub(super) const FOOD: &[&str] = &[
    "Rice",
    "Lentils",
    "Tomato",
    "Basil",
    "Olive oil",
    "Flour",
    "Butter",
    "Ginger",
    "Lime",
    "Honey",
];
pub(super) const DISH: &[&str] = &[
    "Dumplings",
    "Risotto",
    "Pho",
    "Shakshuka",
    "Tacos",
    "Ramen",
    "Paella",
    "Curry",
];
pub(super) const WORD: &[&str] = &[
    "river", "stone", "window", "lantern", "market", "cloud", "harbor", "paper", "garden", "signal", "ember",
    "copper", "valley", "bridge", "pocket", "silver",
];
pub(super) const HERO: &[&str] = &[
    "Captain Comet",
    "Night Heron",
    "Iron Thistle",
    "The Lamplighter",
    "Doctor Tide",
    "Swift Ember",
];
pub(super) const CHARACTER: &[&str] = &[
    "Aldric", "Brenna", "Corwin", "Delia", "Edda", "Fenn", "Gorm", "Hild",
];
pub(super) const HOUSE: &[&str] = &["Ashford", "Brackwater", "Crane", "Dunmore", "Evermoor"];
pub(super) const GAME: &[&str] = &["Chess", "Go", "Backgammon", "Checkers"];
pub(super) const AGENT: &[&str] = &[
    "Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/128.0",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 14_5) AppleWebKit/605.1.15 Safari/605.1.15",
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/126.0.0.0",
];
pub(super) const DEPARTMENT: &[&str] = &["Home", "Garden", "Books", "Toys", "Sports", "Music", "Tools"];
pub(super) const JOB: &[&str] = &[
    "Baker",
    "Nurse",
    "Engineer",
    "Teacher",
    "Pilot",
    "Carpenter",
    "Designer",
];
pub(super) const CURRENCY: &[&str] = &["EUR", "USD", "JPY", "NOK", "CHF", "GBP", "INR"];
pub(super) const WEATHER: &[&str] = &["sunny", "light rain", "snow", "overcast", "fog", "thunderstorm"];
pub(super) const BEER: &[&str] = &["Pale Ale", "Stout", "Pilsner", "Porter", "Wheat"];
pub(super) const ANIMAL: &[&str] = &["otter", "heron", "badger", "lynx", "owl", "hare", "seal"];
pub(super) const APP: &[&str] = &["Tidepool", "Lanternly", "Postbox", "Treehouse", "Footnote"];
pub(super) const STOCK: &[&str] = &["ACME", "NWND", "LUMN", "TIDE", "PINE", "KITE"];
pub(super) const TEAM: &[&str] = &[
    "Oslo Otters",
    "Kyoto Cranes",
    "Lima Llamas",
    "Porto Pilots",
    "Graz Griffins",
];
pub(super) const MIME: &[&str] = &["text/html", "application/json", "image/png", "text/css"];
