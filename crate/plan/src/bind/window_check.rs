//! What Flink demands of the lengths of a window.

use sg_diag::Code;

/// The diagnostic and Flink's message.
pub(super) type Problem = Option<(Code, String)>;

pub(super) fn tumble_problem(size: i64, offset: i64) -> Problem {
    if size <= 0 {
        let message =
            format!("TUMBLE table function based aggregate requires size to be positive, but got {size} ms.");
        return Some((Code::WindowSizeNotPositive, message));
    }
    (offset.abs() >= size).then(|| {
        let message = format!(
            "TUMBLE table function parameters must satisfy abs(offset) < size, but got size {size} ms and offset \
             {offset} ms."
        );
        (Code::WindowOffsetTooLarge, message)
    })
}

pub(super) fn hop_problem(slide: i64, size: i64) -> Problem {
    (slide <= 0 || size <= 0).then(|| {
        let message = format!(
            "HOP table function based aggregate requires slide and size to be positive, but got slide {slide} ms and \
             size {size} ms."
        );
        (Code::WindowSizeNotPositive, message)
    })
}

pub(super) fn cumulate_problem(step: i64, max_size: i64) -> Problem {
    if step <= 0 || max_size <= 0 {
        let message = format!(
            "CUMULATE table function based aggregate requires step and maxSize to be positive, but got step {step} ms \
             and maxSize {max_size} ms."
        );
        return Some((Code::WindowSizeNotPositive, message));
    }
    (max_size % step != 0).then(|| {
        let message = format!(
            "CUMULATE table function based aggregate requires maxSize must be an integral multiple of step, but got \
             maxSize {max_size} ms and step {step} ms."
        );
        (Code::WindowSizeNotMultiple, message)
    })
}

pub(super) fn session_problem(gap: i64) -> Problem {
    (gap <= 0).then(|| {
        let message =
            format!("SESSION table function based aggregate requires gap to be positive, but got {gap} ms.");
        (Code::WindowSizeNotPositive, message)
    })
}
