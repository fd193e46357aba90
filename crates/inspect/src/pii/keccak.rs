//! Keccak-256 as Ethereum uses it (with the padding from before SHA-3), for inputs of one block. It is not used for
//! anything secret: it only verifies the capitalisation of an address.

const ROUNDS: [u64; 24] = [
    0x0000_0000_0000_0001,
    0x0000_0000_0000_8082,
    0x8000_0000_0000_808A,
    0x8000_0000_8000_8000,
    0x0000_0000_0000_808B,
    0x0000_0000_8000_0001,
    0x8000_0000_8000_8081,
    0x8000_0000_0000_8009,
    0x0000_0000_0000_008A,
    0x0000_0000_0000_0088,
    0x0000_0000_8000_8009,
    0x0000_0000_8000_000A,
    0x0000_0000_8000_808B,
    0x8000_0000_0000_008B,
    0x8000_0000_0000_8089,
    0x8000_0000_0000_8003,
    0x8000_0000_0000_8002,
    0x8000_0000_0000_0080,
    0x0000_0000_0000_800A,
    0x8000_0000_8000_000A,
    0x8000_0000_8000_8081,
    0x8000_0000_0000_8080,
    0x0000_0000_8000_0001,
    0x8000_0000_8000_8008,
];
const ROTATIONS: [u32; 24] =
    [1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 2, 14, 27, 41, 56, 8, 25, 43, 62, 18, 39, 61, 20, 44];
const LANES: [usize; 24] = [10, 7, 11, 17, 18, 3, 5, 16, 8, 21, 24, 4, 15, 23, 19, 13, 12, 2, 20, 14, 22, 9, 6, 1];
const BLOCK_BYTES: usize = 136;

/// Returns `None` if the input does not fit in one block.
pub(super) fn keccak_256(input: &[u8]) -> Option<[u8; 32]> {
    let mut block = [0_u8; BLOCK_BYTES];
    block.get_mut(..input.len())?.copy_from_slice(input);
    *block.get_mut(input.len())? |= 0x01;
    block[BLOCK_BYTES - 1] |= 0x80;
    let mut state = [0_u64; 25];
    for (lane, bytes) in state.iter_mut().zip(block.as_chunks::<8>().0) {
        *lane = u64::from_le_bytes(*bytes);
    }
    permute(&mut state);
    let mut hash = [0; 32];
    for (bytes, lane) in hash.as_chunks_mut::<8>().0.iter_mut().zip(state) {
        *bytes = lane.to_le_bytes();
    }
    Some(hash)
}

fn permute(state: &mut [u64; 25]) {
    for round in ROUNDS {
        let columns: [u64; 5] = std::array::from_fn(|x| (0..5).fold(0, |sum, y| sum ^ state[x + 5 * y]));
        for (at, lane) in state.iter_mut().enumerate() {
            *lane ^= columns[(at + 4) % 5] ^ columns[(at + 1) % 5].rotate_left(1);
        }
        let mut moved = state[1];
        for (lane, rotation) in LANES.into_iter().zip(ROTATIONS) {
            moved = std::mem::replace(&mut state[lane], moved.rotate_left(rotation));
        }
        for row in state.as_chunks_mut::<5>().0 {
            let old = *row;
            for (x, lane) in row.iter_mut().enumerate() {
                *lane = old[x] ^ (!old[(x + 1) % 5] & old[(x + 2) % 5]);
            }
        }
        state[0] ^= round;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_hashes_are_reproduced() {
        let hex =
            |input: &[u8]| keccak_256(input).unwrap().iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        assert_eq!(hex(b""), "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470");
        assert_eq!(hex(b"abc"), "4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45");
        assert_eq!(keccak_256(&[0; 136]), None);
    }
}
