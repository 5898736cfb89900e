//! BITMAP: a set of 32-bit integers as the bytes of `RoaringBitmap`'s portable form.
//!
//! A value of type BITMAP is kept as these bytes, with the containers that `RoaringBitmap`'s `runOptimize` chooses, so
//! that equal sets are equal bytes. Numbers are unsigned: −1 is 4294967295. Layout, little endian: a cookie with the
//! count of containers (and flags of those with runs), key and cardinality of each, offsets unless there are runs and
//! less than four containers, then the containers: sorted 16-bit numbers, 8192 bytes of bits, or runs.
//! Case: types/bitmap-bytes.

/// The cookie of a form without runs; the count of containers follows.
const PLAIN: u32 = 12346;
/// The low half of a cookie with runs; the high half is the count of containers less one.
const WITH_RUNS: u32 = 12347;
/// Containers of more numbers are bits.
const MOST_IN_ARRAY: usize = 4096;
/// Bytes of a container of bits.
const BITS: usize = 8192;
/// With runs, offsets are written from so many containers on.
const OFFSETS_FROM: usize = 4;

/// The bytes of a set of numbers in any order.
pub fn encode(mut numbers: Vec<u32>) -> Vec<u8> {
    numbers.sort_unstable();
    numbers.dedup();
    let containers: Vec<Container> = numbers
        .chunk_by(|a, b| a >> 16 == b >> 16)
        .map(Container::of)
        .collect();
    let runs = containers.iter().any(|container| container.runs);
    let count = u32::try_from(containers.len()).unwrap_or(0);
    let mut out = Vec::new();
    if runs {
        put(&mut out, WITH_RUNS | count.wrapping_sub(1) << 16, 4);
        let mut flags = vec![0_u8; containers.len().div_ceil(8)];
        for (flag, eight) in flags.iter_mut().zip(containers.chunks(8)) {
            *flag = (0..)
                .zip(eight)
                .fold(0, |flag, (at, container)| flag | u8::from(container.runs) << at);
        }
        out.extend(flags);
    } else {
        put(&mut out, PLAIN, 4);
        put(&mut out, count, 4);
    }
    for container in &containers {
        put(&mut out, container.key, 2);
        put(&mut out, container.cardinality.wrapping_sub(1), 2);
    }
    if !runs || containers.len() >= OFFSETS_FROM {
        let mut at = out.len() + 4 * containers.len();
        for container in &containers {
            put(&mut out, u32::try_from(at).unwrap_or(u32::MAX), 4);
            at += container.body.len();
        }
    }
    for container in containers {
        out.extend(container.body);
    }
    out
}

struct Container {
    key: u32,
    cardinality: u32,
    runs: bool,
    body: Vec<u8>,
}

impl Container {
    /// The smallest form of sorted numbers with the same high half.
    fn of(numbers: &[u32]) -> Self {
        let runs: Vec<&[u32]> = numbers.chunk_by(|a, b| a + 1 == *b).collect();
        let as_runs = 2 + 4 * runs.len();
        let plain = if numbers.len() > MOST_IN_ARRAY {
            BITS
        } else {
            2 * numbers.len()
        };
        let mut body = Vec::new();
        let is_runs = as_runs < plain;
        if is_runs {
            put(&mut body, u32::try_from(runs.len()).unwrap_or(0), 2);
            for run in &runs {
                put(&mut body, run.first().copied().unwrap_or(0), 2);
                put(
                    &mut body,
                    u32::try_from(run.len()).unwrap_or(1).wrapping_sub(1),
                    2,
                );
            }
        } else if plain == BITS {
            body = vec![0; BITS];
            for number in numbers {
                if let Some(byte) = body.get_mut((number & 0xffff) as usize / 8) {
                    *byte |= 1 << (number & 7);
                }
            }
        } else {
            for number in numbers {
                put(&mut body, *number, 2);
            }
        }
        Self {
            key: numbers.first().map_or(0, |number| number >> 16),
            cardinality: u32::try_from(numbers.len()).unwrap_or(0),
            runs: is_runs,
            body,
        }
    }
}

/// The low `bytes` bytes of a number, little endian.
fn put(out: &mut Vec<u8>, number: u32, bytes: usize) {
    out.extend(number.to_le_bytes().iter().take(bytes));
}

/// The sorted numbers of a portable form; otherwise what `RoaringBitmap` says about it, nothing where it only runs out of
/// bytes.
pub fn decode(bytes: &[u8]) -> Result<Vec<u32>, Option<String>> {
    let mut rest = bytes;
    let cookie = take(&mut rest, 4)?;
    let runs = cookie & 0xffff == WITH_RUNS;
    if !runs && cookie != PLAIN {
        return Err(Some(format!(
            "org.roaringbitmap.InvalidRoaringFormat: I failed to find one of the right cookies. {cookie}"
        )));
    }
    let count = if runs {
        (cookie >> 16) + 1
    } else {
        take(&mut rest, 4)?
    };
    if count > 1 << 16 {
        return Err(Some(
            "org.roaringbitmap.InvalidRoaringFormat: Size too large".to_owned(),
        ));
    }
    let count = count as usize;
    let mut flags = Vec::new();
    for _ in 0..if runs { count.div_ceil(8) } else { 0 } {
        flags.push(take(&mut rest, 1)?);
    }
    let mut heads = Vec::new();
    for _ in 0..count {
        heads.push((take(&mut rest, 2)? << 16, take(&mut rest, 2)? as usize + 1));
    }
    for _ in 0..if !runs || count >= OFFSETS_FROM { count } else { 0 } {
        take(&mut rest, 4)?;
    }
    let mut numbers = Vec::new();
    for (at, (key, cardinality)) in heads.into_iter().enumerate() {
        if flags.get(at / 8).is_some_and(|flag| flag >> (at % 8) & 1 == 1) {
            for _ in 0..take(&mut rest, 2)? {
                let first = take(&mut rest, 2)?;
                let last = (first + take(&mut rest, 2)?).min(0xffff);
                numbers.extend((first..=last).map(|low| key | low));
            }
        } else if cardinality > MOST_IN_ARRAY {
            for eight in (0..0x1_0000).step_by(8) {
                let bits = take(&mut rest, 1)?;
                numbers.extend(
                    (0..8)
                        .filter(|bit| bits >> bit & 1 == 1)
                        .map(|bit| key | eight | bit),
                );
            }
        } else {
            for _ in 0..cardinality {
                numbers.push(key | take(&mut rest, 2)?);
            }
        }
    }
    Ok(numbers)
}

/// The next `bytes` bytes as a number.
fn take(rest: &mut &[u8], bytes: usize) -> Result<u32, Option<String>> {
    let (head, tail) = rest.split_at_checked(bytes).ok_or(None)?;
    *rest = tail;
    Ok(head
        .iter()
        .rev()
        .fold(0, |number, byte| number << 8 | u32::from(*byte)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_those_of_roaring_bitmap() {
        assert_eq!(
            encode(vec![2, 1, 2]),
            [0x3a, 0x30, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 16, 0, 0, 0, 1, 0, 2, 0]
        );
        assert_eq!(
            encode((1..=10).collect()),
            [59, 48, 0, 0, 1, 0, 0, 9, 0, 1, 0, 1, 0, 9, 0]
        );
    }

    #[test]
    fn every_kind_of_container_comes_back() {
        let mut numbers: Vec<u32> = (0..5000).map(|number| number * 7).collect();
        numbers.extend(0x2_0000..0x2_8000);
        numbers.extend([0x9_0001, 0x9_0003, u32::MAX]);
        numbers.extend((0xa_0000..0xb_0000).step_by(2));
        numbers.sort_unstable();
        let bytes = encode(numbers.clone());
        assert_eq!(decode(&bytes), Ok(numbers));
        for end in (0..bytes.len()).step_by(997) {
            assert!(decode(&bytes[..end]).is_err(), "{end} bytes are not enough");
        }
        assert_eq!(decode(&encode(Vec::new())), Ok(Vec::new()));
    }
}
