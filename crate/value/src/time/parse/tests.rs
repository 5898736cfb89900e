use super::*;

/// The result or the exception's text; all of these were executed by Flink.
fn shown<T: ToString>(result: Result<T, DateError>) -> String {
    result.map_or_else(|error| error.message, |value| value.to_string())
}

#[test]
fn dates_as_cast_reads_them() {
    for (text, days) in [
        ("2024-01-05", 19_727),
        ("2024-1-5", 19_727),
        (" 2024-1-5", 19_727),
        ("2024-01-05 10:00", 19_727),
        ("2024", 19_723),
        (" 42 ", -704_187),
        ("2024-02", 19_754),
        ("0000-01-01", -719_528),
        ("9999-12-31", 2_932_896),
    ] {
        assert_eq!(parse_date(text), Ok(days), "{text}");
    }
    for text in [
        "2024-02-30",
        "2024-13-01",
        "1.7",
        "",
        "x",
        "2024-01-05T10:00:00",
        "-5",
        "12345",
        "2024-01-5x",
        "2024- 1- 5",
        "+2024-01-01",
        "2024-01-01-01",
        "2024-00-01",
    ] {
        assert_eq!(shown(parse_date(text)), format!("For input string: '{text}'."));
    }
    assert_eq!(
        shown(parse_date("99999999999")),
        "For input string: \"99999999999\""
    );
}

#[test]
fn times_as_cast_reads_them() {
    for (text, ms) in [
        ("12", 43_200_000),
        ("12:34", 45_240_000),
        ("12:34:56", 45_296_000),
        ("12:34:56.7", 45_296_700),
        ("12:34:56.7896", 45_296_790),
        (" 12:34 ", 45_240_000),
        ("1:2:3", 3_723_000),
        ("12:34:56.", 45_296_000),
        ("012:00:00", 43_200_000),
        ("12:00:00+01:00", 46_800_000),
        ("12:00-1", 39_600_000),
    ] {
        assert_eq!(parse_time(text, 3), Ok(ms), "{text}");
        assert_eq!(parse_time(text, 0), Ok(ms / 1000 * 1000), "{text}");
    }
    for text in [
        "24:00:00",
        "23:59:60",
        "12:60",
        "25:00",
        "-1:00",
        "12:",
        "12:34:",
        "x",
        "",
        "12:34:56Z",
        "+1:00",
    ] {
        let expected = "Expected format: HH:mm:ss[.fff] where HH is 00-23, mm is 00-59, ss is 00-59";
        assert_eq!(
            shown(parse_time(text, 0)),
            format!("Invalid time format: '{text}'. {expected}")
        );
    }
}

#[test]
fn timestamps_as_cast_reads_them() {
    for (text, precision, ms, nanos) in [
        ("2024-01-05 10:00:00", 3, 1_704_448_800_000, 0),
        ("2024-1-5 1:2:3", 3, 1_704_416_523_000, 0),
        ("2024-01-05", 3, 1_704_412_800_000, 0),
        ("2024-02-30 10:00:00", 3, 1_709_200_800_000, 0),
        ("2024-01-05 10:00:00.1234", 3, 1_704_448_800_123, 0),
        ("2024-01-05 10:00:00.123456789", 6, 1_704_448_800_123, 456_000),
        ("2024-01-05 24:00:00", 3, 1_704_499_200_000, 0),
        ("2024-01-05 10:00:00.", 0, 1_704_448_800_000, 0),
        ("+12345-01-05 10:00:00", 3, 327_403_764_000_000, 0),
        ("1969-12-31 23:59:59.999999999", 9, -1, 999_999),
        ("2024-01-055", 3, 1_704_412_800_000, 0),
    ] {
        assert_eq!(parse_timestamp(text, precision), Ok((ms, nanos)), "{text}");
    }
    for (text, message) in [
        ("2024-01-05 10:00", ", unparsed text found at index 10"),
        ("2024-01-05T10:00:00", ", unparsed text found at index 10"),
        (" 2024-01-05 10:00:00", " at index 0"),
        ("2024-01-05 10:00:00 ", ", unparsed text found at index 19"),
        (
            "2024-01-05 25:00:00",
            ": Invalid value for HourOfDay (valid values 0 - 23): 25",
        ),
        (
            "2024-01-05 10:60:00",
            ": Invalid value for MinuteOfHour (valid values 0 - 59): 60",
        ),
        (
            "2024-13-05 10:00:00",
            ": Invalid value for MonthOfYear (valid values 1 - 12): 13",
        ),
        (
            "2024-02-32 10:00:00",
            ": Invalid value for DayOfMonth (valid values 1 - 28/31): 32",
        ),
        (
            "2024-01-05 10:00:00.1234567891",
            ", unparsed text found at index 29",
        ),
        ("24-01-05 10:00:00", " at index 0"),
        ("12345-01-05 10:00:00", " at index 0"),
        (
            "0000-01-05",
            ": Invalid value for YearOfEra (valid values 1 - 999999999/1000000000): 0",
        ),
        ("2024-001-05", " at index 7"),
        ("", " at index 0"),
        ("2024-01", " at index 7"),
    ] {
        assert_eq!(
            shown(parse_timestamp(text, 3).map(|at| at.0)),
            format!("Text '{text}' could not be parsed{message}")
        );
    }
}

#[test]
fn times_of_the_json_format() {
    assert_eq!(parse_iso_date("2024-02-29"), Ok(19_782));
    assert_eq!(parse_sql_time("10:00:00.5"), Ok(36_000_500));
    assert_eq!(parse_sql_time("24:00:00"), Ok(0));
    assert_eq!(
        parse_sql_timestamp("2024-02-30 10:00:00", false),
        Ok((1_709_200_800_000, 0))
    );
    assert_eq!(
        parse_sql_timestamp("2024-01-05 10:00:00.123456789Z", true),
        Ok((1_704_448_800_123, 456_789))
    );
    for (text, message) in [
        (
            "2024-02-30",
            "Text '2024-02-30' could not be parsed: Invalid date 'FEBRUARY 30'",
        ),
        (
            "2023-02-29",
            "Text '2023-02-29' could not be parsed: Invalid date 'February 29' as '2023' is not a leap year",
        ),
        ("2024-1-05", "Text '2024-1-05' could not be parsed at index 5"),
    ] {
        assert_eq!(shown(parse_iso_date(text)), message);
    }
    let missing = "Text '2024-01-05 10:00:00' could not be parsed at index 19";
    assert_eq!(
        shown(parse_sql_timestamp("2024-01-05 10:00:00", true).map(|at| at.0)),
        missing
    );
    let late = "Text '2024-01-05 10:00' could not be parsed at index 16";
    assert_eq!(
        shown(parse_sql_timestamp("2024-01-05 10:00", false).map(|at| at.0)),
        late
    );
}
