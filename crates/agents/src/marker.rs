//! What delimits data in a prompt: random for each call, so that the data can't guess where it ends.

pub(crate) fn marker(random: [u8; 16]) -> String {
    random.iter().fold(String::new(), |hex, byte| hex + &format!("{byte:02x}"))
}
