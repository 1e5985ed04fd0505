// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is known of a parameter before anything is measured: how likely its values are.
#pragma once

#include "core/parameters/parameter_space.h"

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gridhelm::answers {

/// A quadrature of a distribution on the unit cube's edge: sum_i weights[i] f(nodes[i]) is the mean
/// of f. Weights add up to 1.
struct Measure
{
    std::vector<double> nodes; ///< in [0, 1], ascending
    std::vector<double> weights;
};

/// The distribution of one parameter's values, inside of its range. Immutable; thread-safe.
class InputDistribution
{
public:
    /// Every value of the range is as likely as any other.
    static InputDistribution uniform(const Parameter &parameter);

    /// "uniform", "uniform(low,high)", "loguniform" or "loguniform(low,high)" (the logarithm is
    /// uniform), "normal(mean,deviation)", "lognormal(mu,sigma)" (of the
    /// natural logarithm), either also with ",low,high" to cut it off there; "triangular(low,mode,
    /// high)"; "beta(a,b)" over the range, or "beta(a,b,low,high)", a and b at least 1. A normal or
    /// lognormal one without ends of its own is cut off at the range's, if not more than 1 % of it
    /// lies outside. Throws gridhelm::Error, saying what may stand there, for anything else, and
    /// for what leaves the range.
    static InputDistribution parse(std::string_view text, const Parameter &parameter);

    /// As likely as the given values say, each once. Throws gridhelm::Error without values, and for
    /// values outside of the range.
    static InputDistribution ofSamples(std::vector<double> values, const Parameter &parameter);

    /// As it was typed, for people: "normal(400,50)"; "1000 samples".
    const std::string &text() const { return m_text; }

    /// The value that the share u of all others does not exceed, in the parameter's unit; 0 < u < 1
    /// (others are taken to the ends).
    double quantile(double u) const;
    /// The same in the unit cube: the ends of the parameter's range are 0 and 1.
    double unitQuantile(double u) const { return toUnit(quantile(u)); }

    /// Exact (to some 1e-12) for functions that are polynomials of degree 7 at most between
    /// multiples of 1 / cells, where the distribution is uniform on a linear scale; of others, for
    /// what is as smooth as their density. Of samples: the samples.
    /// With `degree`, where the distribution is uniform on a linear scale: exact for polynomials of
    /// that degree, at most 127, all across the range, whatever the cells.
    Measure measure(std::size_t cells, std::size_t degree = 0) const;
    bool isUniform() const;
    /// Of a value in the parameter's unit, in [0, 1].
    double toUnit(double value) const;

private:
    struct Shape; ///< density, share and its inverse
    InputDistribution(const Parameter &parameter, std::shared_ptr<const Shape> shape,
                      std::string text);
    double fromUnit(double x) const;

    Parameter m_parameter;
    std::shared_ptr<const Shape> m_shape;
    std::string m_text;
};

/// Parameters whose samples belong together, row by row, as those of a posterior do.
struct JointSamples
{
    std::vector<std::size_t> parameters;
    std::vector<std::vector<double>> columns; ///< of each of them, in its unit; of one length
};

/// Of all parameters: independent, or with rank correlations, or with samples that belong together.
struct Inputs
{
    std::vector<InputDistribution> distributions; ///< one for each parameter
    /// Spearman's rank correlations, dimension x dimension, row by row; empty: independent.
    std::vector<double> rankCorrelations;
    /// Of which addRankCorrelation() was told, the lower one first: 0 is a correlation, too.
    std::vector<std::pair<std::size_t, std::size_t>> correlatedPairs;
    /// Of parameters without correlations; their distributions are those of their columns.
    std::vector<JointSamples> joint;

    int dimension() const { return static_cast<int>(distributions.size()); }
    /// Whether a correlation is another than 0.
    bool areCorrelated() const;
    bool areIndependent() const { return !areCorrelated() && joint.empty(); }
};

/// Uniform and independent.
Inputs uniformInputs(const ParameterSpace &space);

/// Gauss-Legendre nodes and weights on [0, 1]; count from 1 to 64.
Measure gaussLegendre(std::size_t count);

} // namespace gridhelm::answers
