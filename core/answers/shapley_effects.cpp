// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/answers/shapley_effects.h"

#include "core/answers/estimate.h"
#include "core/answers/sample_points.h"
#include "core/execution/parallel_for.h"
#include "core/support/error.h"

#include <boost/math/distributions/normal.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

namespace gridhelm::answers {

namespace {

/// Parameters that have more than one value.
std::vector<std::size_t> varyingOf(const Inputs &inputs)
{
    std::vector<std::size_t> varying;
    for (std::size_t t = 0; t < inputs.distributions.size(); ++t)
        if (inputs.distributions[t].quantile(0) < inputs.distributions[t].quantile(1))
            varying.push_back(t);
    return varying;
}

double normalQuantile(double share)
{
    return boost::math::quantile(boost::math::normal_distribution<double>(), share);
}

/// A place of the unit cube whose ranks are those of normal variables.
std::vector<double> placeOf(const Inputs &inputs, std::span<const double> normal)
{
    std::vector<double> x(normal.size());
    for (std::size_t t = 0; t < x.size(); ++t)
        x[t] = inputs.distributions[t].unitQuantile(
            boost::math::cdf(boost::math::normal_distribution<double>(), normal[t]));
    return x;
}

/// Normal variables given some of them.
class GivenSome
{
public:
    /// `known`: of all d variables, which are kept.
    GivenSome(std::span<const double> correlations, const std::vector<bool> &known)
        : m_d(known.size())
    {
        for (const bool wanted : {true, false}) {
            for (std::size_t t = 0; t < m_d; ++t)
                if (known[t] == wanted)
                    m_order.push_back(t);
            m_known = wanted ? m_order.size() : m_known;
        }
        std::vector<double> ordered(m_d * m_d);
        for (std::size_t i = 0; i < m_d; ++i)
            for (std::size_t j = 0; j < m_d; ++j)
                ordered[i * m_d + j] = correlations[m_order[i] * m_d + m_order[j]];
        m_factor = lowerFactor(ordered, m_d);
    }

    /// Replaces those of `normal` that are not known, by as many independent `shares`.
    void drawAnew(std::span<double> normal, const double *shares) const
    {
        std::vector<double> independent(m_d);
        for (std::size_t i = 0; i < m_d; ++i) {
            double of = 0;
            for (std::size_t k = 0; k < i; ++k)
                of += m_factor[i * m_d + k] * independent[k];
            const double scale = m_factor[i * m_d + i];
            if (i < m_known) {
                independent[i] = (normal[m_order[i]] - of) / scale;
                continue;
            }
            independent[i] = normalQuantile(shares[i]);
            normal[m_order[i]] = of + scale * independent[i];
        }
    }

private:
    std::size_t m_d, m_known = 0;
    std::vector<std::size_t> m_order; ///< known ones first
    std::vector<double> m_factor;
};

/// Some of one scrambling's points: normal variables, the response there, and shares for what is
/// drawn anew.
struct Drawn
{
    std::vector<double> normal, values, shares;
};

Drawn drawnOf(const ResponseAt &response, const Inputs &inputs,
              std::span<const double> correlations, std::size_t samples, std::uint64_t seed,
              const CpuDevice &cpu)
{
    const auto d = static_cast<std::size_t>(inputs.dimension());
    Drawn drawn{std::vector<double>(samples * d), std::vector<double>(samples),
                std::vector<double>(samples * d)};
    const auto u = scrambledPoints(samples, 2 * inputs.dimension(), seed);
    const GivenSome nothing(correlations, std::vector<bool>(d, false));
    parallelFor(samples, cpu, 16, [&](std::size_t i) {
        std::copy_n(u.data() + (i * 2 + 1) * d, d, drawn.shares.data() + i * d);
        const auto normal = std::span(drawn.normal).subspan(i * d, d);
        nothing.drawAnew(normal, u.data() + i * 2 * d);
        drawn.values[i] = response(placeOf(inputs, normal));
    });
    return drawn;
}

/// The variance that is left, on average, once `known` are known.
double varianceLeft(const ResponseAt &response, const Inputs &inputs,
                    std::span<const double> correlations, const std::vector<bool> &known,
                    const Drawn &drawn, const CpuDevice &cpu)
{
    const auto d = known.size();
    const GivenSome given(correlations, known);
    std::vector<double> values(drawn.values.size());
    parallelFor(values.size(), cpu, 16, [&](std::size_t i) {
        std::vector<double> normal(d);
        std::copy_n(drawn.normal.data() + i * d, d, normal.begin());
        given.drawAnew(normal, drawn.shares.data() + i * d);
        values[i] = response(placeOf(inputs, normal));
    });
    return halfMeanSquare(drawn.values, values);
}

/// From v of each set of m parameters (bits of its index): mean additions over all orders.
std::vector<double> effectsOf(std::span<const double> v, std::size_t m)
{
    // Of the m! orders, the share in which just these s parameters come before a given one.
    std::vector<double> share(m, 1.0 / static_cast<double>(m));
    for (std::size_t s = 1; s < m; ++s)
        share[s] = share[s - 1] * static_cast<double>(s) / static_cast<double>(m - s);
    std::vector<double> effects(m, 0.0);
    for (std::size_t set = 0; set < v.size(); ++set)
        for (std::size_t k = 0; k < m; ++k)
            if ((set >> k & 1U) == 0)
                effects[k] += share[static_cast<std::size_t>(std::popcount(set))]
                              * (v[set | std::size_t{1} << k] - v[set]);
    return effects;
}

constexpr double mostLeftOpen = 0.01; ///< of a normal variable's variance, once a value is known

/// Of the variance of the normal variable behind a parameter, the share that its value leaves open:
/// next to nothing where every rank has a value of its own.
double leftOpen(const InputDistribution &distribution)
{
    constexpr std::size_t ranks = 4096;
    const auto densityAt = [](std::size_t rank) { // of the normal variable
        return rank == 0 || rank == ranks
                   ? 0
                   : boost::math::pdf(boost::math::normal_distribution<double>(),
                                      normalQuantile(static_cast<double>(rank) / ranks));
    };
    const auto valueAt = [&](std::size_t rank) {
        return distribution.quantile((static_cast<double>(rank) + 0.5) / ranks);
    };
    double known = 0; // with a value it is in the mean the fall of its density over the share
    for (std::size_t first = 0; first < ranks;) {
        auto end = first + 1;
        while (end < ranks && valueAt(end) == valueAt(first))
            ++end;
        const double fall = densityAt(first) - densityAt(end);
        known += fall * fall * ranks / static_cast<double>(end - first);
        first = end;
    }
    return 1 - known;
}

/// Sets of known values are taken for sets of known normal variables.
void requireRanks(const Inputs &inputs, const std::vector<std::size_t> &varying)
{
    const auto d = inputs.distributions.size();
    for (const auto t : varying) {
        const bool isCorrelated = std::ranges::any_of(varying, [&](std::size_t other) {
            return other != t && inputs.rankCorrelations[t * d + other] != 0;
        });
        if (isCorrelated && leftOpen(inputs.distributions[t]) > mostLeftOpen)
            throw Error(fmt::format(
                "Shapley effects of correlated parameters take each value for a rank of its own, "
                "and {} have too few different values for that: give more different ones, or a "
                "distribution",
                inputs.distributions[t].text()));
    }
}

void requireSampling(const Inputs &inputs, const std::vector<std::size_t> &varying,
                     std::size_t samples)
{
    if (!inputs.joint.empty())
        throw Error("samples that go together row by row do not say how parameters are distributed "
                    "given some of them, as Shapley effects need: give distributions and rank "
                    "correlations instead");
    if (varying.size() > mostShapleyParameters)
        throw Error(fmt::format("Shapley effects are shared out among at most {} parameters that "
                                "vary, and {} do: fix some of them",
                                mostShapleyParameters, varying.size()));
    requireEnoughSamples(samples, "effects");
    if (inputs.areCorrelated())
        requireRanks(inputs, varying);
}

} // namespace

ShapleyEffects shapleyEffects(const OrthogonalExpansion &expansion, std::size_t column)
{
    ShapleyEffects result;
    result.isExact = true;
    result.effects.assign(expansion.dimension, 0.0);
    for (std::size_t i = 0; i < expansion.terms(); ++i) {
        const auto functions = expansion.functionsOf(i);
        const double coefficient = expansion.coefficientsOf(i)[column];
        const auto among = std::ranges::count_if(functions, [](auto f) { return f != 0; });
        if (among == 0) {
            result.mean += coefficient;
            continue;
        }
        const double square = coefficient * coefficient;
        result.variance += square;
        for (std::size_t t = 0; t < expansion.dimension; ++t)
            if (functions[t] != 0)
                result.effects[t] += square / static_cast<double>(among);
    }
    result.isConstant = isRoundOff(result.variance, result.mean);
    for (auto &effect : result.effects)
        effect = result.isConstant ? 0 : effect / result.variance;
    return result;
}

ShapleyEffects shapleyBySampling(const ResponseAt &response, const Inputs &inputs,
                                 std::size_t samples, std::uint64_t seed, const CpuDevice &cpu)
{
    const auto d = static_cast<std::size_t>(inputs.dimension());
    const auto varying = varyingOf(inputs);
    requireSampling(inputs, varying, samples);
    const auto correlations = normalCorrelations(inputs);
    const auto each = std::bit_floor(samples / scramblings);
    const std::size_t sets = std::size_t{1} << varying.size();
    std::vector<double> means, variances;
    std::vector<std::vector<double>> left; // of each scrambling, by set
    for (std::size_t r = 0; r < scramblings; ++r) {
        const auto drawn =
            drawnOf(response, inputs, correlations, each, seed * scramblings + r, cpu);
        double mean = 0, square = 0;
        for (const double value : drawn.values)
            mean += value / static_cast<double>(each);
        for (const double value : drawn.values)
            square += (value - mean) * (value - mean);
        means.push_back(mean);
        variances.push_back(square / (static_cast<double>(each) - 1));
        auto &ofSets = left.emplace_back(sets, 0.0);
        for (std::size_t set = 1; set + 1 < sets; ++set) {
            // One that is held is drawn anew: its value says nothing of the normal variable behind
            // it, with which others may go.
            std::vector<bool> known(d, false);
            for (std::size_t k = 0; k < varying.size(); ++k)
                known[varying[k]] = (set >> k & 1U) != 0;
            ofSets[set] = varianceLeft(response, inputs, correlations, known, drawn, cpu);
        }
    }
    ShapleyEffects result;
    result.evaluations = each * scramblings * (varying.empty() ? 1 : sets - 1);
    result.mean = estimateOf(means).mean;
    result.variance = estimateOf(variances).mean;
    result.isConstant = varying.empty() || isRoundOff(result.variance, result.mean);
    result.effects.assign(d, 0.0);
    result.errors.assign(d, 0.0);
    if (result.isConstant)
        return result;
    std::vector<std::vector<double>> effects(varying.size());
    for (auto &ofSets : left) {
        std::vector<double> v(sets, 0.0);
        for (std::size_t set = 1; set < sets; ++set)
            v[set] = 1 - ofSets[set] / result.variance;
        const auto found = effectsOf(v, varying.size());
        for (std::size_t k = 0; k < found.size(); ++k)
            effects[k].push_back(found[k]);
    }
    for (std::size_t k = 0; k < varying.size(); ++k) {
        const auto effect = estimateOf(effects[k]);
        result.effects[varying[k]] = effect.mean;
        result.errors[varying[k]] = effect.error;
    }
    return result;
}

ShapleyEffects shapleyEffects(const ResponseModel &model, const Inputs &inputs, std::size_t samples,
                              std::uint64_t seed, const CpuDevice &cpu,
                              const std::function<bool()> &stop)
{
    const auto one = model.only(0);
    const auto grid = inputs.areIndependent() ? gridCoefficients(one) : std::nullopt;
    if (grid && canExpand(*grid->grid)) {
        auto result = shapleyEffects(expand(*grid, inputs), 0);
        result.mean += one.constants()[0];
        return result;
    }
    const auto response = [&](std::span<const double> x) {
        if (stop && stop())
            throw Error("the question was taken back");
        return one.value(x) - one.constants()[0];
    };
    auto result = shapleyBySampling(response, inputs, samples, seed, cpu);
    result.mean += one.constants()[0];
    return result;
}

} // namespace gridhelm::answers
