//! Byte spans in a script, and the way from them to lines, columns and UTF-16 offsets.

/// A half-open range of byte offsets (UTF-8) in a script; scripts are shorter than 4 GiB.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset behind the last byte.
    pub end: u32,
}

impl Span {
    /// The range `start..end`; an end before the start is taken as the start.
    pub const fn new(start: u32, end: u32) -> Self {
        Self {
            start,
            end: if end < start { start } else { end },
        }
    }

    /// The empty range at one offset.
    pub const fn at(offset: u32) -> Self {
        Self {
            start: offset,
            end: offset,
        }
    }

    /// Length in bytes.
    pub const fn len(self) -> u32 {
        self.end.saturating_sub(self.start)
    }

    /// True if no byte lies inside.
    pub const fn is_empty(self) -> bool {
        self.end <= self.start
    }

    /// The smallest span around both.
    #[must_use]
    pub fn join(self, other: Self) -> Self {
        Self {
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        }
    }

    /// True if `other` lies wholly inside.
    pub const fn contains(self, other: Self) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// True if the offset lies inside, the end included (a caret behind a word still touches it).
    pub const fn touches(self, offset: u32) -> bool {
        self.start <= offset && offset <= self.end
    }

    /// The text of this span, or `""` where the span does not fit the text.
    pub fn text(self, script: &str) -> &str {
        script.get(self.start as usize..self.end as usize).unwrap_or("")
    }
}

/// A place as people count: both from 1; the column counts Unicode characters, as Flink's messages do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LineColumn {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

/// Where the lines of a text begin, and how its byte offsets map to UTF-16 offsets.
///
/// Conversions cost O(log lines + length of the line), to UTF-16 in a line of ASCII O(log lines): an editor asks for
/// each token.
#[derive(Clone, Debug)]
pub struct LineIndex<'a> {
    text: &'a str,
    /// Of each line: byte offset and UTF-16 offset of its first character.
    lines: Vec<(u32, u32)>,
    /// The same of the text's end.
    end: (u32, u32),
}

impl<'a> LineIndex<'a> {
    /// Reads the text once.
    pub fn new(text: &'a str) -> Self {
        let mut lines = vec![(0, 0)];
        let mut utf16 = 0_u32;
        for (offset, character) in text.char_indices() {
            utf16 += utf16_len(character);
            if character == '\n' {
                lines.push((length(offset) + 1, utf16));
            }
        }
        let end = (length(text.len()), utf16);
        Self { text, lines, end }
    }

    /// Line and column of a byte offset; an offset behind the text counts as its end.
    pub fn line_column(&self, offset: u32) -> LineColumn {
        let line = self.line_of(offset);
        let (start, _) = self.lines.get(line).copied().unwrap_or_default();
        LineColumn {
            line: length(line) + 1,
            column: length(self.between(start, offset).chars().count()) + 1,
        }
    }

    /// The UTF-16 offset (what editors and JavaScript count) of a byte offset.
    pub fn utf16_from_utf8(&self, offset: u32) -> u32 {
        let line = self.line_of(offset);
        let (start, utf16) = self.lines.get(line).copied().unwrap_or_default();
        let (end, utf16_end) = self.lines.get(line + 1).copied().unwrap_or(self.end);
        if end - start == utf16_end - utf16 {
            return utf16 + offset.min(end) - start;
        }
        utf16 + self.between(start, offset).chars().map(utf16_len).sum::<u32>()
    }

    /// The byte offset of a UTF-16 offset; one inside a surrogate pair gives the start of the character.
    pub fn utf8_from_utf16(&self, offset: u32) -> u32 {
        let line = self
            .lines
            .partition_point(|&(_, utf16)| utf16 <= offset)
            .saturating_sub(1);
        let (start, mut utf16) = self.lines.get(line).copied().unwrap_or_default();
        let mut byte = start;
        for character in self.text.get(start as usize..).unwrap_or("").chars() {
            utf16 += utf16_len(character);
            if utf16 > offset {
                break;
            }
            byte += length(character.len_utf8());
        }
        byte
    }

    fn line_of(&self, offset: u32) -> usize {
        self.lines
            .partition_point(|&(start, _)| start <= offset)
            .saturating_sub(1)
    }

    /// The text from `start` to `offset`, where an offset inside a character counts as its beginning.
    fn between(&self, start: u32, offset: u32) -> &'a str {
        let mut end = (offset as usize).min(self.text.len());
        while !self.text.is_char_boundary(end) {
            end -= 1;
        }
        self.text.get(start as usize..end).unwrap_or("")
    }
}

/// Lengths in a script fit 32 bits; a longer one is refused before it gets here.
fn length(bytes: usize) -> u32 {
    u32::try_from(bytes).unwrap_or(u32::MAX)
}

fn utf16_len(character: char) -> u32 {
    if character > '\u{ffff}' { 2 } else { 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_go_both_ways_over_wide_characters() {
        let text = "SELECT '水😀'\n, b";
        let index = LineIndex::new(text);
        for (offset, _) in text.char_indices() {
            let offset = u32::try_from(offset).unwrap();
            assert_eq!(index.utf8_from_utf16(index.utf16_from_utf8(offset)), offset);
        }
        let comma = u32::try_from(text.find(',').unwrap()).unwrap();
        assert_eq!(index.line_column(comma), LineColumn { line: 2, column: 1 });
        assert_eq!(index.utf16_from_utf8(comma), 13);
        assert_eq!(index.line_column(comma - 1), LineColumn { line: 1, column: 12 });
    }

    #[test]
    fn offsets_outside_the_text_are_its_end() {
        let index = LineIndex::new("ab\nc");
        assert_eq!(index.line_column(99), LineColumn { line: 2, column: 2 });
        assert_eq!(index.utf16_from_utf8(99), 4);
        assert_eq!(index.utf8_from_utf16(99), 4);
        assert_eq!(Span::new(2, 99).text("ab\nc"), "");
    }

    #[test]
    fn joining_spans_takes_the_outer_ends() {
        assert_eq!(Span::new(4, 6).join(Span::new(1, 2)), Span::new(1, 6));
        assert_eq!(Span::new(4, 2), Span::at(4));
        assert!(Span::new(1, 6).contains(Span::new(1, 6)));
    }
}
