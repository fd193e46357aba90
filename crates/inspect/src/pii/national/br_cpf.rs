//! Brazil: CPF; eleven digits; the last two are check digits.

use super::{Id, check_digits::weighted};
use crate::context::ContextWords;

pub(super) const ID: Id = Id {
    r#type: "BR_CPF",
    detector: "pii/br_cpf",
    shapes: &["999.999.999-99", "99999999999"],
    valid: is_valid,
    rule: "eleven digits with two valid check digits",
    words: ContextWords::new(&["cpf", "cadastro"]),
    named: 0.96,
    marked: 0.85,
    bare: 0.0,
    called: None,
};

fn is_valid(digits: &[u8]) -> bool {
    let check = |length: usize, weights: &[u32]| {
        let rest = weighted(&digits[..length], weights) * 10 % 11 % 10;
        rest == u32::from(digits[length] - b'0')
    };
    digits.iter().any(|digit| *digit != digits[0])
        && check(9, &[10, 9, 8, 7, 6, 5, 4, 3, 2])
        && check(10, &[11, 10, 9, 8, 7, 6, 5, 4, 3, 2])
}

#[cfg(test)]
mod tests {
    use crate::pii::tests::check;

    #[test]
    fn both_check_digits_must_be_right() {
        check("529.982.247-25", &[("BR_CPF", "529.982.247-25")]);
        check("CPF 52998224725", &[("BR_CPF", "52998224725")]);
        check("CPF 529.982.247-26 and 111.111.111-11", &[]);
    }
}
