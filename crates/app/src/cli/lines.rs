//! Reads lines of bounded length from a file or a pipe.

use std::io::{self, BufRead, Read};

/// Reads the next line with its line break. A line longer than `bytes_max` is split: the parts are returned as separate lines,
/// which callers then report as invalid. `None` at the end.
pub(super) fn next(input: &mut impl BufRead, bytes_max: u64) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    let read = input.by_ref().take(bytes_max).read_until(b'\n', &mut line)?;
    Ok((read > 0).then_some(line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_cut_at_the_bound_and_nothing_is_lost() {
        let mut input = "ab\n\ncdefgh".as_bytes();
        let mut lines = Vec::new();
        while let Some(line) = next(&mut input, 4).unwrap() {
            lines.push(String::from_utf8(line).unwrap());
        }
        assert_eq!(lines, ["ab\n", "\n", "cdef", "gh"]);
    }
}
