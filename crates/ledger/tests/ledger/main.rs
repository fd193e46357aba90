//! The crate as an outsider sees it: published vectors, independent implementations, and every kind of tampering.

#[cfg(test)]
mod cosignatures;
#[cfg(test)]
mod log;
#[cfg(test)]
mod naive;
#[cfg(test)]
mod notes;
#[cfg(test)]
mod oracles;
#[cfg(test)]
mod tampering;
#[cfg(test)]
mod trees;
#[cfg(test)]
mod vectors;
#[cfg(test)]
mod witness;
