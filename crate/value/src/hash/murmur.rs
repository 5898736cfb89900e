//! Murmur3 with 32 bits, in the variants that Flink uses.

/// Flink's seed.
const SEED: u32 = 42;

/// The hash of a `BinaryRowData`: whole words of 4 bytes (`hashBytesByWords`).
#[cfg_attr(sg_hot, optimize(speed))]
pub(super) fn hash_words(bytes: &[u8]) -> i32 {
    finish(
        words(bytes).fold(SEED, |hash, word| mix(hash, scramble(word))),
        bytes.len(),
    )
}

/// The same of so many words of 8 bytes: the first, and those that `next` gives. `None` as soon as it gives none.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "the two halves of a word")]
pub(super) fn hash_long_words(
    count: usize,
    first: u64,
    mut next: impl FnMut() -> Option<u64>,
) -> Option<i32> {
    let both = |hash, word: u64| {
        let [low, high] = [word as u32, (word >> 32) as u32];
        mix(mix(hash, scramble(low)), scramble(high))
    };
    let mut hash = both(SEED, first);
    for _ in 1..count {
        hash = both(hash, next()?);
    }
    Some(finish(hash, count * 8))
}

/// The hash of a `BinaryStringData`: the last bytes count one by one, with their sign (`hashBytes`).
pub(crate) fn hash_bytes(bytes: &[u8]) -> i32 {
    let hash = words(bytes).fold(SEED, |hash, word| mix(hash, scramble(word)));
    let rest = bytes.chunks_exact(4).remainder();
    let hash = rest.iter().fold(hash, |hash, byte| {
        mix(hash, scramble(i32::from(byte.cast_signed()).cast_unsigned()))
    });
    finish(hash, bytes.len())
}

/// Spreads a hash code and takes the sign off (`MathUtils.murmurHash`).
pub(super) fn spread(code: i32) -> u32 {
    let code = mix(0, scramble(code.cast_unsigned())) ^ 4;
    avalanche(code)
        .cast_signed()
        .checked_abs()
        .unwrap_or(0)
        .cast_unsigned()
}

fn words(bytes: &[u8]) -> impl Iterator<Item = u32> {
    let words = bytes.chunks_exact(4).filter_map(|word| word.first_chunk());
    words.map(|word| u32::from_le_bytes(*word))
}

const fn scramble(word: u32) -> u32 {
    word.wrapping_mul(0xcc9e_2d51)
        .rotate_left(15)
        .wrapping_mul(0x1b87_3593)
}

const fn mix(hash: u32, word: u32) -> u32 {
    (hash ^ word)
        .rotate_left(13)
        .wrapping_mul(5)
        .wrapping_add(0xe654_6b64)
}

#[expect(clippy::cast_possible_truncation, reason = "rows are shorter than 4 GiB")]
const fn finish(hash: u32, length: usize) -> i32 {
    avalanche(hash ^ length as u32).cast_signed()
}

const fn avalanche(mut hash: u32) -> u32 {
    hash ^= hash >> 16;
    hash = hash.wrapping_mul(0x85eb_ca6b);
    hash ^= hash >> 13;
    hash = hash.wrapping_mul(0xc2b2_ae35);
    hash ^ (hash >> 16)
}
