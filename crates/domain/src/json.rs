//! Fast serialisation of large values. `serde_json` writes many single bytes, and `Vec`'s own `Write` is no faster for one byte
//! than for many. The buffer here pushes single bytes instead.

use std::io;

use serde::{Serialize, ser::Error as _};
use serde_json::{Error, Result, Serializer, ser::PrettyFormatter};

/// The same text as `serde_json::to_string`. `bytes_expected` is the initial capacity. A good guess spares copying as the text
/// grows; a wrong one does no harm.
pub fn to_string(value: &impl Serialize, bytes_expected: usize) -> Result<String> {
    let mut buffer = Buffer::with_capacity(bytes_expected);
    value.serialize(&mut Serializer::new(&mut buffer))?;
    buffer.into_text()
}

/// The same text as `serde_json::to_string_pretty`.
pub fn to_string_pretty(value: &impl Serialize, bytes_expected: usize) -> Result<String> {
    let mut buffer = Buffer::with_capacity(bytes_expected);
    value.serialize(&mut Serializer::with_formatter(&mut buffer, PrettyFormatter::new()))?;
    buffer.into_text()
}

struct Buffer(Vec<u8>);

impl Buffer {
    fn with_capacity(bytes: usize) -> Self {
        Self(Vec::with_capacity(bytes))
    }

    fn into_text(self) -> Result<String> {
        String::from_utf8(self.0).map_err(Error::custom)
    }
}

impl io::Write for Buffer {
    #[inline]
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_all(bytes)?;
        Ok(bytes.len())
    }

    #[inline]
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        match bytes {
            [byte] => self.0.push(*byte),
            _ => self.0.extend_from_slice(bytes),
        }
        Ok(())
    }

    #[inline]
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_text_is_the_one_that_serde_json_writes() {
        let values = [
            json!(null),
            json!({}),
            json!({"a": [1, -2.5, 1e300, true, null, [], {}], "é\"\\\n\u{1}": "“x” \u{1f600} \t"}),
            json!([["a", "b"], {"c": {"d": "e"}}]),
        ];
        for value in values {
            for bytes_expected in [0, 4_096] {
                assert_eq!(to_string(&value, bytes_expected).unwrap(), serde_json::to_string(&value).unwrap());
                let pretty = to_string_pretty(&value, bytes_expected).unwrap();
                assert_eq!(pretty, serde_json::to_string_pretty(&value).unwrap());
            }
        }
    }
}
