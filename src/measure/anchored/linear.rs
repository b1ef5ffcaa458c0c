//! Small symmetric systems of equations.

/// A symmetric positive definite matrix, taken apart by Cholesky.
pub(crate) struct Cholesky {
    /// The lower triangle, row by row.
    rows: Vec<Vec<f64>>,
}

impl Cholesky {
    /// Takes a matrix apart, or returns nothing when it is not positive
    /// definite.
    pub(crate) fn of(matrix: &[Vec<f64>]) -> Option<Self> {
        let mut rows: Vec<Vec<f64>> = Vec::with_capacity(matrix.len());
        for (i, given) in matrix.iter().enumerate() {
            let mut row: Vec<f64> = Vec::with_capacity(i + 1);
            for j in 0..=i {
                let above = if j == i { &row } else { rows.get(j)? };
                let dot: f64 = row.iter().zip(above).map(|(a, b)| a * b).sum();
                let rest = given.get(j)? - dot;
                if j == i {
                    // What is left of the diagonal must be more than rounding.
                    if rest.is_nan() || rest <= given.get(i)?.abs() * 1e-14 {
                        return None;
                    }
                    row.push(libm::sqrt(rest));
                } else {
                    row.push(rest / rows.get(j)?.get(j)?);
                }
            }
            rows.push(row);
        }
        Some(Self { rows })
    }

    /// Solves for one right side.
    pub(crate) fn solve(&self, right: &[f64]) -> Vec<f64> {
        let mut found: Vec<f64> = Vec::with_capacity(right.len());
        for (row, value) in self.rows.iter().zip(right) {
            let dot: f64 = row.iter().zip(&found).map(|(a, b)| a * b).sum();
            found.push((value - dot) / row.last().copied().unwrap_or(1.0));
        }
        for i in (0..found.len()).rev() {
            let column = self.rows.iter().zip(&found).skip(i + 1);
            let dot: f64 = column.filter_map(|(row, x)| Some(row.get(i)? * x)).sum();
            let diagonal = self.rows.get(i).and_then(|row| row.last()).copied();
            if let Some(value) = found.get_mut(i) {
                *value = (*value - dot) / diagonal.unwrap_or(1.0);
            }
        }
        found
    }

    /// The diagonal of the inverse.
    pub(crate) fn inverse_diagonal(&self) -> Vec<f64> {
        let n = self.rows.len();
        let unit = |i| {
            (0..n)
                .map(|j| f64::from(u8::from(i == j)))
                .collect::<Vec<_>>()
        };
        let column = |i| self.solve(&unit(i)).get(i).copied();
        (0..n).filter_map(column).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_system_is_solved_and_a_singular_one_refused() {
        let matrix = [
            vec![4.0, 2.0, 0.5],
            vec![2.0, 5.0, 1.0],
            vec![0.5, 1.0, 3.0],
        ];
        let found = Cholesky::of(&matrix).unwrap().solve(&[7.0, 9.0, 10.0]);
        for (row, right) in matrix.iter().zip([7.0, 9.0, 10.0]) {
            let left: f64 = row.iter().zip(&found).map(|(a, x)| a * x).sum();
            assert!((left - right).abs() < 1e-12);
        }
        // By hand: the determinant is 44.75, the minor of the first place 14.
        let diagonal = Cholesky::of(&matrix).unwrap().inverse_diagonal();
        assert!((diagonal[0] - 14.0 / 44.75).abs() < 1e-12, "{diagonal:?}");
        assert!(Cholesky::of(&[vec![1.0, 1.0], vec![1.0, 1.0]]).is_none());
        assert!(Cholesky::of(&[vec![f64::NAN]]).is_none());
    }
}
