//! [`Field`]: finite fields, as tables.

/// The finite field with a prime power of elements, numbered from 0; 0 and 1 are the neutral ones.
///
/// An element is a polynomial over the integers modulo the prime; the digits of its number in base
/// p are the coefficients.
#[derive(Debug)]
pub(super) struct Field {
    order: u32,
    sums: Vec<u32>,
    negatives: Vec<u32>,
    products: Vec<u32>,
}

impl Field {
    /// Returns the field, or `None` if `order` is not a power of a prime.
    pub(super) fn new(order: u32) -> Option<Self> {
        let prime = (2..=order).find(|divisor| order.is_multiple_of(*divisor))?;
        let degree = (1..).find(|degree| prime.pow(*degree) >= order)?;
        if prime.pow(degree) != order {
            return None;
        }
        let pairs = || (0..order).flat_map(|a| (0..order).map(move |b| (a, b)));
        let sums = pairs().map(|(a, b)| sum(a, b, prime)).collect();
        // The prime times an element is 0.
        let negative = |a| (2..prime).fold(a, |total, _| sum(total, a, prime));
        let negatives = (0..order).map(negative).collect();
        // The products modulo a polynomial of the degree are a field if none of them is 0.
        (0..order)
            .find_map(|low| {
                let products: Vec<u32> =
                    pairs().map(|(a, b)| product(a, b, prime, order, low)).collect();
                let divides_zero =
                    pairs().zip(&products).any(|((a, b), product)| a > 0 && b > 0 && *product == 0);
                (!divides_zero).then_some(products)
            })
            .map(|products| Self { order, sums, negatives, products })
    }

    pub(super) fn order(&self) -> u32 {
        self.order
    }

    pub(super) fn add(&self, a: u32, b: u32) -> u32 {
        self.sums[(a * self.order + b) as usize]
    }

    pub(super) fn multiply(&self, a: u32, b: u32) -> u32 {
        self.products[(a * self.order + b) as usize]
    }

    /// Returns a - b.
    pub(super) fn subtract(&self, a: u32, b: u32) -> u32 {
        self.add(a, self.negatives[b as usize])
    }

    /// Returns the powers 1, x, x², … of the smallest element that generates all but 0.
    pub(super) fn powers(&self) -> Vec<u32> {
        let powers = |generator: u32| {
            let mut powers = vec![1];
            loop {
                match self.multiply(powers[powers.len() - 1], generator) {
                    1 => return powers,
                    next => powers.push(next),
                }
            }
        };
        let all = self.order as usize - 1;
        (1..self.order).map(powers).find(|powers| powers.len() == all).expect("a generator exists")
    }
}

/// Adds digits in base `prime` without carrying.
fn sum(a: u32, b: u32, prime: u32) -> u32 {
    match (a, b) {
        (0, other) | (other, 0) => other,
        _ => (a % prime + b % prime) % prime + prime * sum(a / prime, b / prime, prime),
    }
}

/// Multiplies two polynomials modulo xⁿ + `low`, where xⁿ has the number `order`.
fn product(a: u32, b: u32, prime: u32, order: u32, low: u32) -> u32 {
    let mut total = 0;
    let mut shifted = a;
    let mut rest = b;
    while rest > 0 {
        for _ in 0..rest % prime {
            total = sum(total, shifted, prime);
        }
        rest /= prime;
        // Multiply by x, and subtract the modulus as often as xⁿ occurs.
        let leading = shifted * prime / order;
        shifted = shifted * prime % order;
        for _ in 0..leading * (prime - 1) {
            shifted = sum(shifted, low, prime);
        }
    }
    total
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_have_their_laws() {
        for order in [2, 3, 4, 5, 7, 8, 9, 16, 25, 27] {
            let field = Field::new(order).unwrap_or_else(|| panic!("{order}"));
            let all = || 0..order;
            for (a, b) in all().flat_map(|a| all().map(move |b| (a, b))) {
                assert_eq!(field.add(a, b), field.add(b, a));
                assert_eq!(field.multiply(a, b), field.multiply(b, a));
                assert_eq!(field.add(field.subtract(a, b), b), a);
                assert_eq!(
                    [field.add(a, 0), field.multiply(a, 1), field.multiply(a, 0)],
                    [a, a, 0]
                );
                assert!(a == 0 || all().any(|inverse| field.multiply(a, inverse) == 1));
                for c in all() {
                    let (left, right) = (field.multiply(a, b), field.multiply(a, c));
                    assert_eq!(field.multiply(a, field.add(b, c)), field.add(left, right));
                    assert_eq!(field.multiply(left, c), field.multiply(a, field.multiply(b, c)));
                }
            }
            assert_eq!(field.powers().len() as u32, order - 1);
        }
        assert!([0, 1, 6, 10, 12, 15, 36].into_iter().all(|order| Field::new(order).is_none()));
    }
}
