//! Growth of a cost with the order: rival models of two coefficients each, fitted to logarithms by
//! least squares and compared by Akaike's criterion.

/// How a cost may grow with the order `n`. Each model has two coefficients, `a` and `b`, and is a
/// straight line over something of `n` after taking logarithms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Model {
    /// `exp(a + b n)`: each further queen multiplies the cost by the same factor.
    Exponential,
    /// `exp(a + b n) n!`: each further queen multiplies it by a factor in proportion to `n`.
    Factorial,
    /// `exp(a) (n!)^b`: each further queen multiplies it by a power of `n`.
    FactorialPower,
}

impl Model {
    /// Every model.
    pub const ALL: [Self; 3] = [Self::Exponential, Self::Factorial, Self::FactorialPower];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Exponential => "exponential",
            Self::Factorial => "factorial",
            Self::FactorialPower => "factorial power",
        }
    }

    /// How it is written, with `c` for a factor and `g` for the fitted coefficient.
    #[must_use]
    pub const fn formula(self) -> &'static str {
        match self {
            Self::Exponential => "c · g^n",
            Self::Factorial => "c · g^n · n!",
            Self::FactorialPower => "c · (n!)^g",
        }
    }

    /// What the logarithm of the cost is a straight line over.
    fn abscissa(self, n: f64) -> f64 {
        match self {
            Self::Exponential | Self::Factorial => n,
            Self::FactorialPower => ln_factorial(n),
        }
    }

    /// The part of the logarithm that has no coefficient.
    fn fixed(self, n: f64) -> f64 {
        if self == Self::Factorial { ln_factorial(n) } else { 0.0 }
    }
}

fn ln_factorial(n: f64) -> f64 {
    statrs::function::gamma::ln_gamma(n + 1.0)
}

/// A model fitted to costs.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit {
    /// The model.
    pub model: Model,
    /// The coefficient without `n`.
    pub a: f64,
    /// The coefficient of `n`.
    pub b: f64,
    /// The logarithm of each cost less that of the fitted one, in the order of the data.
    pub residuals: Vec<f64>,
    /// Akaike's criterion with the correction for few data (N. Sugiura 1978; C. M. Hurvich and C.-L.
    /// Tsai, Biometrika 76, 1989): the lower, the better the model for its number of coefficients.
    /// Nothing with fewer than five data, for which it is not defined, or where all lie on the curve.
    pub criterion: Option<f64>,
}

impl Fit {
    /// The logarithm of the cost that the model has at an order, which may lie between two.
    #[must_use]
    pub fn ln_cost(&self, n: f64) -> f64 {
        self.a + self.b * self.model.abscissa(n) + self.model.fixed(n)
    }

    /// By what factor the cost grows from the order before to `n`.
    #[must_use]
    pub fn growth(&self, n: usize) -> f64 {
        (self.ln_cost(n as f64) - self.ln_cost(n as f64 - 1.0)).exp()
    }

    /// The largest residual as a factor, at least 1.
    #[must_use]
    pub fn largest_residual(&self) -> f64 {
        self.residuals.iter().fold(0.0_f64, |most, residual| most.max(residual.abs())).exp()
    }
}

/// Two models whose criteria differ by less than this cannot be told apart by the data: the usual
/// rule of K. P. Burnham and D. R. Anderson, "Model Selection and Multimodel Inference", section
/// 2.6.
pub const TOLD_APART: f64 = 2.0;

/// Fits a model to costs above 0 at orders; nothing with fewer than three of them, or where all
/// orders are equal.
#[must_use]
pub fn fit(model: Model, costs: &[(usize, f64)]) -> Option<Fit> {
    let count = costs.len() as f64;
    let points: Vec<(f64, f64)> = costs
        .iter()
        .map(|&(n, cost)| (model.abscissa(n as f64), cost.ln() - model.fixed(n as f64)))
        .collect();
    if points.len() < 3 || points.iter().any(|(_, y)| !y.is_finite()) {
        return None;
    }
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
    let (mean_x, mean_y) = (mean(|p| p.0), mean(|p| p.1));
    let squares: f64 = points.iter().map(|(x, _)| (x - mean_x).powi(2)).sum();
    let products: f64 = points.iter().map(|(x, y)| (x - mean_x) * (y - mean_y)).sum();
    if squares <= 0.0 {
        return None;
    }
    let b = products / squares;
    let a = mean_y - b * mean_x;
    let residuals: Vec<f64> = points.iter().map(|(x, y)| y - a - b * x).collect();
    let sum: f64 = residuals.iter().map(|residual| residual * residual).sum();
    // Two coefficients and the spread around the curve.
    let estimated = 3.0;
    let criterion = (count > estimated + 1.0 && sum > 0.0).then(|| {
        count * (sum / count).ln()
            + 2.0 * estimated
            + 2.0 * estimated * (estimated + 1.0) / (count - estimated - 1.0)
    });
    Some(Fit { model, a, b, residuals, criterion })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn costs(cost: impl Fn(f64) -> f64) -> Vec<(usize, f64)> {
        (8..=15).map(|n| (n, cost(n as f64))).collect()
    }

    #[test]
    fn finds_the_coefficients_that_made_the_costs() {
        let exponential = fit(Model::Exponential, &costs(|n| 3.0 * 5.5_f64.powf(n))).unwrap();
        assert!(
            (exponential.b.exp() - 5.5).abs() < 1e-9 && (exponential.a.exp() - 3.0).abs() < 1e-9
        );
        assert!((exponential.growth(12) - 5.5).abs() < 1e-9);
        assert!(exponential.largest_residual() < 1.0 + 1e-9);
        let costs = costs(|n| 0.5_f64.powf(n) * statrs::function::gamma::gamma(n + 1.0));
        let factorial = fit(Model::Factorial, &costs).unwrap();
        assert!((factorial.b.exp() - 0.5).abs() < 1e-9);
        assert!((factorial.growth(14) - 7.0).abs() < 1e-9);
        let power = fit(Model::FactorialPower, &costs).unwrap();
        assert!(power.largest_residual() > 1.01);
        assert!(fit(Model::Exponential, &costs).unwrap().criterion > power.criterion);
    }

    /// Coefficients, residual sum and criterion as R gives them for the published data set `cars`
    /// would need another shape; these are the first of F. J. Anscombe's four sets (The American
    /// Statistician 27, 1973), which he printed with intercept 3.0, slope 0.5 and a residual sum of
    /// squares of 13.75 (R: 13.763; `AIC` 39.68, which counts `n ln 2π + n` besides).
    #[test]
    fn a_published_regression() {
        let x = [10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5];
        let y = [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68_f64];
        let costs: Vec<(usize, f64)> = x.into_iter().zip(y.map(f64::exp)).collect();
        let fit = fit(Model::Exponential, &costs).unwrap();
        assert!((fit.a - 3.0001).abs() < 1e-4 && (fit.b - 0.5001).abs() < 1e-4);
        let sum: f64 = fit.residuals.iter().map(|r| r * r).sum();
        assert!((sum - 13.7627).abs() < 1e-3, "{sum}");
        let correction = 2.0 * 3.0 * 4.0 / (11.0 - 4.0);
        let with_constant =
            fit.criterion.unwrap() - correction + 11.0 * (1.0 + (2.0 * std::f64::consts::PI).ln());
        assert!((with_constant - 39.6814).abs() < 1e-3, "{with_constant}");
    }

    #[test]
    fn too_little_is_no_fit() {
        assert_eq!(fit(Model::Exponential, &[(8, 1.0), (9, 2.0)]), None);
        assert_eq!(fit(Model::Exponential, &[(8, 1.0), (8, 2.0), (8, 3.0)]), None);
        assert_eq!(fit(Model::Exponential, &[(8, 1.0), (9, 0.0), (10, 3.0)]), None);
        let four = [(8, 1.0), (9, 2.0), (10, 5.0), (11, 9.0)];
        assert_eq!(fit(Model::Exponential, &four).unwrap().criterion, None);
    }
}
