//! "Did you mean": the candidate that is close enough to what was written.

use sg_value::case::lower;

/// The candidate that a person most probably meant: equal but for case, else nearest by edits, if near enough.
///
/// Near enough is one edit per three characters, at least one; of equally near candidates the first wins.
pub fn closest<'c, I>(written: &str, candidates: I) -> Option<&'c str>
where
    I: IntoIterator<Item = &'c str>,
{
    let mut search = Search::new(written);
    for candidate in candidates {
        search.consider(candidate);
    }
    search.best.map(|(_, candidate)| candidate)
}

/// The part that is there once, whatever the candidates come from.
struct Search<'w, 'c> {
    written: &'w str,
    lower: String,
    limit: usize,
    best: Option<(usize, &'c str)>,
}

impl<'w, 'c> Search<'w, 'c> {
    #[inline(never)]
    fn new(written: &'w str) -> Self {
        Self {
            written,
            lower: lower(written),
            limit: (written.chars().count() / 3).max(1),
            best: None,
        }
    }

    #[inline(never)]
    fn consider(&mut self, candidate: &'c str) {
        if candidate == self.written || candidate.is_empty() {
            return;
        }
        let candidate_lower = lower(candidate);
        let distance = if candidate_lower == self.lower {
            0
        } else {
            strsim::damerau_levenshtein(&self.lower, &candidate_lower)
        };
        if distance <= self.limit && self.best.is_none_or(|(least, _)| distance < least) {
            self.best = Some((distance, candidate));
        }
    }
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
