"""Distributions and their parameters, good and bad, from which the tests are made."""

#: Name and parameters: numbers stay numbers, lists become tensors, pairs are distributions.
GOOD = [
    ("Bernoulli", {"probs": 0.3}),
    ("Bernoulli", {"probs": [0.1, 0.5, 0.9]}),
    ("Bernoulli", {"logits": [[0.5, -2.0], [1.0, 0.0]]}),
    ("Beta", {"concentration1": 0.5, "concentration0": 2.0}),
    ("Beta", {"concentration1": [0.5, 3.0, 8.0], "concentration0": [0.6, 2.0, 9.0]}),
    ("Binomial", {"total_count": 5, "probs": [0.2, 0.7]}),
    ("Binomial", {"total_count": [5, 30], "logits": [0.2, -0.7]}),
    ("Categorical", {"probs": [0.2, 0.3, 0.5]}),
    ("Categorical", {"probs": [[1.0, 2.0, 0.0], [1.0, 1.0, 1.0]]}),
    ("Categorical", {"logits": [[1.0, 2.0, -0.5]]}),
    ("Cauchy", {"loc": 0.5, "scale": 2.0}),
    ("Cauchy", {"loc": [0.5, 1.0], "scale": [[1.0], [2.0]]}),
    ("Chi2", {"df": [1.0, 5.0]}),
    ("ContinuousBernoulli", {"probs": [0.1, 0.5, 0.9]}),
    ("ContinuousBernoulli", {"logits": [0.3, -2.0]}),
    ("ContinuousBernoulli", {"probs": 0.4997, "lims": (0.49, 0.51)}),
    ("Dirichlet", {"concentration": [0.5, 1.5, 3.0]}),
    ("Dirichlet", {"concentration": [[0.5, 0.3], [9.0, 8.0], [2.0, 1.0]]}),
    ("Exponential", {"rate": 2.0}),
    ("Exponential", {"rate": [0.5, 2.0]}),
    ("FisherSnedecor", {"df1": [2.0, 5.0, 3.0], "df2": [1.0, 7.0, 3.0]}),
    ("Gamma", {"concentration": 2.0, "rate": 0.5}),
    ("Gamma", {"concentration": [0.5, 2.0, 20.0], "rate": [1.0, 2.0, 0.5]}),
    ("GeneralizedPareto", {"loc": 0.5, "scale": 1.0, "concentration": 0.2}),
    (
        "GeneralizedPareto",
        {"loc": [0.0, 1.0, 2.0, 0.0], "scale": [1.0, 2.0, 3.0, 1.0],
         "concentration": [0.0, 0.3, -0.5, 1.5]},
    ),
    ("Geometric", {"probs": [0.3, 0.9]}),
    ("Geometric", {"logits": [0.3, -1.0]}),
    ("Gumbel", {"loc": 0.5, "scale": 2.0}),
    ("Gumbel", {"loc": [0.5, -1.0], "scale": [2.0, 1.0]}),
    ("HalfCauchy", {"scale": [0.5, 2.0]}),
    ("HalfNormal", {"scale": 2.0}),
    ("HalfNormal", {"scale": [0.5, 2.0]}),
    ("Independent", {"base_distribution": ("Normal", {"loc": [[0.0, 1.0]], "scale": [[1.0, 2.0]]}),
                     "reinterpreted_batch_ndims": 1}),
    ("Independent", {"base_distribution": ("Bernoulli", {"probs": [0.2, 0.5]}),
                     "reinterpreted_batch_ndims": 0}),
    ("InverseGamma", {"concentration": [1.5, 3.0], "rate": [1.0, 2.0]}),
    ("Kumaraswamy", {"concentration1": [1.5, 0.5], "concentration0": [2.0, 3.0]}),
    ("LKJCholesky", {"dim": 3, "concentration": 0.7}),
    ("LKJCholesky", {"dim": 2, "concentration": [0.7, 2.0]}),
    ("Laplace", {"loc": 0.5, "scale": 2.0}),
    ("Laplace", {"loc": [0.5, -1.0], "scale": [2.0, 1.0]}),
    ("LogNormal", {"loc": [0.5, -1.0], "scale": [0.5, 1.0]}),
    ("LogisticNormal", {"loc": [0.5, -1.0], "scale": [0.5, 1.0]}),
    ("LogisticNormal", {"loc": 0.5, "scale": 1.0}),
    (
        "LowRankMultivariateNormal",
        {"loc": [0.5, -1.0, 0.0], "cov_factor": [[1.0], [0.5], [-1.0]],
         "cov_diag": [0.5, 1.0, 2.0]},
    ),
    (
        "LowRankMultivariateNormal",
        {"loc": [[0.5, -1.0], [0.0, 1.0]], "cov_factor": [[1.0, 2.0], [0.5, 0.1]],
         "cov_diag": [0.5, 1.0]},
    ),
    ("MixtureSameFamily", {
        "mixture_distribution": ("Categorical", {"probs": [0.3, 0.7]}),
        "component_distribution": ("Normal", {"loc": [0.0, 2.0], "scale": [1.0, 0.5]})}),
    ("MixtureSameFamily", {
        "mixture_distribution": ("Categorical", {"logits": [[0.3, 0.7], [1.0, 0.0]]}),
        "component_distribution": ("Independent", {
            "base_distribution": ("Normal", {
                "loc": [[[0.0, 1.0], [2.0, 3.0]], [[1.0, 1.0], [0.0, 0.5]]], "scale": 1.0}),
            "reinterpreted_batch_ndims": 1})}),
    ("Multinomial", {"total_count": 6, "probs": [0.2, 0.3, 0.5]}),
    ("Multinomial", {"total_count": 3, "logits": [[0.2, 0.3], [1.0, -1.0]]}),
    ("MultivariateNormal", {"loc": [0.5, -1.0], "covariance_matrix": [[2.0, 0.5], [0.5, 1.0]]}),
    ("MultivariateNormal", {"loc": [[0.5, -1.0], [0.0, 0.0]],
                            "precision_matrix": [[2.0, 0.5], [0.5, 1.0]]}),
    ("MultivariateNormal", {"loc": [0.5, -1.0],
                            "scale_tril": [[[1.0, 0.0], [0.5, 1.0]], [[2.0, 0.0], [0.1, 0.3]]]}),
    ("NegativeBinomial", {"total_count": 5, "probs": [0.2, 0.7]}),
    ("NegativeBinomial", {"total_count": [2.0, 0.5], "logits": [0.2, -0.7]}),
    ("Normal", {"loc": 0.5, "scale": 2.0}),
    ("Normal", {"loc": [0.5, -1.0], "scale": [2.0, 1.0]}),
    ("Normal", {"loc": [[0.5], [-1.0]], "scale": 2.0, "validate_args": False}),
    ("OneHotCategorical", {"probs": [[0.2, 0.3, 0.5], [0.1, 0.1, 0.8]]}),
    ("OneHotCategorical", {"logits": [0.2, 0.3, 0.5]}),
    ("OneHotCategoricalStraightThrough", {"probs": [0.2, 0.3, 0.5]}),
    ("Pareto", {"scale": [1.0, 2.0, 0.5], "alpha": [0.5, 1.5, 3.0]}),
    ("Poisson", {"rate": [0.5, 20.0, 3.0]}),
    ("RelaxedBernoulli", {"temperature": [0.7], "probs": [0.2, 0.6]}),
    ("RelaxedBernoulli", {"temperature": [0.7], "logits": [0.2, -0.6]}),
    ("RelaxedOneHotCategorical", {"temperature": [0.7], "probs": [0.2, 0.3, 0.5]}),
    ("RelaxedOneHotCategorical", {"temperature": [0.7], "logits": [[0.2, -0.6], [1.0, 0.0]]}),
    ("StudentT", {"df": 3.0}),
    ("StudentT", {"df": [0.5, 1.5, 3.0], "loc": [0.0, 1.0, 2.0], "scale": 2.0}),
    ("TransformedDistribution", {
        "base_distribution": ("Normal", {"loc": [0.0, 1.0], "scale": 1.0}),
        "transforms": [("AffineTransform", {"loc": 1.0, "scale": -2.0}), ("TanhTransform", {})]}),
    ("TransformedDistribution", {
        "base_distribution": ("Normal", {"loc": [0.0, 1.0], "scale": 1.0}),
        "transforms": [("AffineTransform", {"loc": [[1.0], [2.0]], "scale": 2.0}),
                       ("StickBreakingTransform", {})]}),
    ("Uniform", {"low": 0.0, "high": 2.0}),
    ("Uniform", {"low": [0.0, 1.0], "high": [2.0, 3.0]}),
    ("VonMises", {"loc": [0.0, 1.0], "concentration": [0.5, 9.0]}),
    ("Weibull", {"scale": [1.0, 2.0], "concentration": [0.8, 2.0]}),
    ("Wishart", {"df": [5.0], "covariance_matrix": [[2.0, 0.5], [0.5, 1.0]]}),
    ("Wishart", {"df": 4.0, "scale_tril": [[1.0, 0.0], [0.5, 1.0]]}),
    ("Wishart", {"df": [4.0, 5.0], "precision_matrix": [[2.0, 0.5], [0.5, 1.0]]}),
]  # fmt: skip

#: Parameters that are refused, each in its own words.
BAD = [
    ("Bernoulli", {}),
    ("Bernoulli", {"probs": [0.1, 1.5]}),
    ("Bernoulli", {"probs": 0.5, "logits": 1.0}),
    ("Bernoulli", {"logits": [float("nan")]}),
    ("Beta", {"concentration1": -1.0, "concentration0": 1.0}),
    ("Binomial", {"total_count": -1, "probs": [0.5]}),
    ("Binomial", {"total_count": 1}),
    ("Categorical", {"probs": [0.5, -1.0]}),
    ("Categorical", {"logits": [float("nan"), 0.0]}),
    ("Categorical", {}),
    ("Cauchy", {"loc": 0.0, "scale": 0.0}),
    ("Chi2", {"df": -1.0}),
    ("ContinuousBernoulli", {"probs": [2.0], "validate_args": True}),
    ("Dirichlet", {"concentration": [0.0, 1.0]}),
    ("Exponential", {"rate": "fast"}),
    ("Exponential", {"rate": 0.0}),
    ("Gamma", {"concentration": 1.0, "rate": [-1.0]}),
    ("Geometric", {"probs": [0.0, 0.5]}),
    ("Gumbel", {"loc": 0.0, "scale": -1.0}),
    ("HalfNormal", {"scale": -1.0}),
    ("Independent", {"base_distribution": ("Normal", {"loc": [0.0], "scale": 1.0}),
                     "reinterpreted_batch_ndims": 2}),
    ("LKJCholesky", {"dim": 1}),
    ("LogNormal", {"loc": 0.0, "scale": -1.0}),
    ("LowRankMultivariateNormal",
     {"loc": [0.0, 0.0], "cov_factor": [1.0, 1.0], "cov_diag": [1.0, 1.0]}),
    ("LowRankMultivariateNormal",
     {"loc": [0.0, 0.0], "cov_factor": [[1.0]], "cov_diag": [1.0, 1.0]}),
    ("LowRankMultivariateNormal",
     {"loc": [0.0, 0.0], "cov_factor": [[1.0], [2.0]], "cov_diag": [1.0]}),
    ("MixtureSameFamily", {
        "mixture_distribution": ("Categorical", {"probs": [0.3, 0.3, 0.4]}),
        "component_distribution": ("Normal", {"loc": [0.0, 2.0], "scale": [1.0, 0.5]})}),
    ("MixtureSameFamily", {
        "mixture_distribution": ("Normal", {"loc": [0.0, 2.0], "scale": [1.0, 0.5]}),
        "component_distribution": ("Normal", {"loc": [0.0, 2.0], "scale": [1.0, 0.5]})}),
    ("Multinomial", {"total_count": 1.5, "probs": [1.0]}),
    ("MultivariateNormal", {"loc": [0.0, 0.0]}),
    ("MultivariateNormal", {"loc": [0.0, 0.0], "covariance_matrix": [1.0, 1.0]}),
    ("MultivariateNormal", {"loc": [0.0, 0.0], "precision_matrix": [1.0, 1.0]}),
    ("MultivariateNormal", {"loc": [0.0, 0.0], "scale_tril": [1.0, 1.0]}),
    ("MultivariateNormal", {"loc": [0.0, 0.0], "covariance_matrix": [[1.0, 2.0], [2.0, 1.0]]}),
    ("MultivariateNormal", {"loc": [0.0, 0.0], "covariance_matrix": [[1.0, 2.0], [1.0, 5.0]]}),
    ("MultivariateNormal", {"loc": [0.0, 0.0], "scale_tril": [[1.0, 2.0], [1.0, 5.0]]}),
    ("NegativeBinomial", {"total_count": 1, "probs": [1.0]}),
    ("Normal", {"loc": [0.0, float("nan")], "scale": 1.0}),
    ("Normal", {"loc": 0.0, "scale": [[1.0, -1.0]]}),
    ("Normal", {"loc": [0.0, 1.0], "scale": [1.0, 1.0, 1.0]}),
    ("OneHotCategorical", {"probs": [-1.0, 2.0]}),
    ("Pareto", {"scale": -1.0, "alpha": 1.0}),
    ("Poisson", {"rate": -1.0}),
    ("RelaxedBernoulli", {"temperature": [1.0], "probs": 2.0}),
    ("StudentT", {"df": 0.0}),
    ("TransformedDistribution", {"base_distribution": ("Normal", {"loc": 0.0, "scale": 1.0}),
                                 "transforms": 3}),
    ("TransformedDistribution", {"base_distribution": ("Normal", {"loc": 0.0, "scale": 1.0}),
                                 "transforms": [("StickBreakingTransform", {})]}),
    ("Uniform", {"low": 1.0, "high": 1.0}),
    ("Uniform", {"low": [0.0, 5.0], "high": 1.0}),
    ("VonMises", {"loc": [0.0], "concentration": [0.0]}),
    ("Weibull", {"scale": 1.0, "concentration": -1.0}),
    ("Wishart", {"df": 0.5, "scale_tril": [[1.0, 0.0], [0.0, 1.0]]}),
    ("Wishart", {"df": [3.0]}),
    ("Wishart", {"df": 3.0, "covariance_matrix": [1.0]}),
]  # fmt: skip


def build(t, case, leaves=None, dtype="float32"):
    """The distribution or transform of *case*; *leaves* collects its tensors, then with grad."""
    name, parameters = case
    made = {key: _value(t, value, leaves, dtype) for key, value in parameters.items()}
    return getattr(t.distributions, name)(**made)


def _value(t, value, leaves, dtype):
    if isinstance(value, tuple) and isinstance(value[0], str):
        return build(t, value, leaves, dtype)
    if not isinstance(value, list):
        return value
    if value and isinstance(value[0], tuple):
        return [build(t, v, leaves, dtype) for v in value]
    tensor = t.tensor(value, dtype=getattr(t, dtype))
    if leaves is not None:
        leaves.append(tensor.requires_grad_())
    return tensor
