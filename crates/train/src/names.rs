//! Trains and cross-validates the part of the inspectors that this file is named after.

use std::{io, path::Path};

pub(crate) fn run(_data: &Path, _out: Option<&Path>) -> io::Result<()> {
    Err(io::Error::other("not built yet"))
}
