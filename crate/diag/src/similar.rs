//! "Did you mean": the candidate that is close enough to what was written.

/// The candidate that a person most probably meant: equal but for case, else nearest by edits, if near enough.
///
/// Near enough is one edit per three characters, at least one; of equally near candidates the first wins.
pub fn closest<'c, I>(written: &str, candidates: I) -> Option<&'c str>
where
    I: IntoIterator<Item = &'c str>,
{
    let lower = written.to_lowercase();
    let limit = (written.chars().count() / 3).max(1);
    let mut best: Option<(usize, &'c str)> = None;
    for candidate in candidates {
        if candidate == written || candidate.is_empty() {
            continue;
        }
        let candidate_lower = candidate.to_lowercase();
        let distance = if candidate_lower == lower {
            0
        } else {
            strsim::damerau_levenshtein(&lower, &candidate_lower)
        };
        if distance <= limit && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_found_and_far_ones_are_not() {
        assert_eq!(closest("amuont", ["id", "amount", "account"]), Some("amount"));
        assert_eq!(closest("ID", ["ids", "id"]), Some("id"));
        assert_eq!(closest("x", ["payments", "id"]), None);
        assert_eq!(closest("ab", ["abc", "abd"]), Some("abc"));
        assert_eq!(closest("id", ["id"]), None);
    }
}
