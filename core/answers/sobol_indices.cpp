// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/answers/sobol_indices.h"

#include "core/answers/estimate.h"
#include "core/answers/joint_inputs.h"
#include "core/answers/sample_points.h"
#include "core/execution/parallel_for.h"
#include "core/support/error.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace gridhelm::answers {

namespace {

/// Values at A, at B, and at A with each coordinate of B.
struct Table
{
    std::vector<double> a, b;
    std::vector<std::vector<double>> mixed;
};

Table tableOf(const ResponseAt &response, const Inputs &inputs, std::size_t samples,
              std::uint64_t seed, const CpuDevice &cpu)
{
    const auto d = static_cast<std::size_t>(inputs.dimension());
    // Coordinates of A and of B are dimensions of one sequence.
    const auto u = scrambledPoints(samples, 2 * inputs.dimension(), seed);
    Table table{std::vector<double>(samples), std::vector<double>(samples),
                std::vector<std::vector<double>>(d, std::vector<double>(samples))};
    parallelFor(samples, cpu, 16, [&](std::size_t i) {
        std::vector<double> a(d), b(d);
        for (std::size_t t = 0; t < d; ++t) {
            a[t] = inputs.distributions[t].unitQuantile(u[i * 2 * d + t]);
            b[t] = inputs.distributions[t].unitQuantile(u[i * 2 * d + d + t]);
        }
        table.a[i] = response(a);
        table.b[i] = response(b);
        for (std::size_t t = 0; t < d; ++t) {
            auto x = a;
            x[t] = b[t];
            table.mixed[t][i] = response(x);
        }
    });
    return table;
}

} // namespace

SobolIndices sobolIndices(const OrthogonalExpansion &expansion, std::size_t column)
{
    const auto d = expansion.dimension;
    SobolIndices indices;
    indices.isExact = true;
    indices.first.assign(d, 0.0);
    indices.total.assign(d, 0.0);
    indices.pairs.assign(d * d, 0.0);
    std::vector<std::size_t> varying;
    for (std::size_t i = 0; i < expansion.terms(); ++i) {
        const auto functions = expansion.functionsOf(i);
        const double coefficient = expansion.coefficientsOf(i)[column];
        varying.clear();
        for (std::size_t t = 0; t < d; ++t)
            if (functions[t] != 0)
                varying.push_back(t);
        if (varying.empty()) {
            indices.mean += coefficient;
            continue;
        }
        const double square = coefficient * coefficient;
        indices.variance += square;
        for (const auto t : varying)
            indices.total[t] += square;
        if (varying.size() == 1)
            indices.first[varying[0]] += square;
        if (varying.size() == 2) {
            indices.pairs[varying[0] * d + varying[1]] += square;
            indices.pairs[varying[1] * d + varying[0]] += square;
        }
    }
    indices.isConstant = isRoundOff(indices.variance, indices.mean);
    for (auto *shares : {&indices.first, &indices.total, &indices.pairs})
        for (auto &share : *shares)
            share = indices.isConstant ? 0 : share / indices.variance;
    return indices;
}

SobolIndices sobolBySampling(const ResponseAt &response, const Inputs &inputs, std::size_t samples,
                             std::uint64_t seed, const CpuDevice &cpu)
{
    requireIndependent(inputs);
    requireEnoughSamples(samples, "indices");
    const auto d = static_cast<std::size_t>(inputs.dimension());
    const auto each = std::bit_floor(samples / scramblings);
    std::vector<double> means, variances;
    std::vector<std::vector<double>> first(d), total(d);
    for (std::size_t r = 0; r < scramblings; ++r) {
        const auto table = tableOf(response, inputs, each, seed * scramblings + r, cpu);
        double mean = 0, square = 0;
        for (const auto *values : {&table.a, &table.b})
            for (const double value : *values)
                mean += value / (2 * static_cast<double>(each));
        for (const auto *values : {&table.a, &table.b})
            for (const double value : *values)
                square += (value - mean) * (value - mean);
        means.push_back(mean);
        variances.push_back(square / (2 * static_cast<double>(each) - 1));
        for (std::size_t t = 0; t < d; ++t) {
            first[t].push_back(halfMeanSquare(table.b, table.mixed[t]));
            total[t].push_back(halfMeanSquare(table.a, table.mixed[t]));
        }
    }
    SobolIndices indices;
    indices.evaluations = each * scramblings * (d + 2);
    const auto mean = estimateOf(means);
    indices.mean = mean.mean;
    indices.meanError = mean.error;
    indices.variance = estimateOf(variances).mean;
    indices.isConstant = isRoundOff(indices.variance, indices.mean);
    for (std::size_t t = 0; t < d; ++t) {
        if (!indices.isConstant)
            for (std::size_t r = 0; r < scramblings; ++r) {
                first[t][r] = 1 - first[t][r] / indices.variance;
                total[t][r] /= indices.variance;
            }
        const auto ofFirst = estimateOf(first[t]), ofTotal = estimateOf(total[t]);
        indices.first.push_back(indices.isConstant ? 0 : ofFirst.mean);
        indices.firstErrors.push_back(indices.isConstant ? 0 : ofFirst.error);
        indices.total.push_back(indices.isConstant ? 0 : ofTotal.mean);
        indices.totalErrors.push_back(indices.isConstant ? 0 : ofTotal.error);
    }
    return indices;
}

std::vector<SobolIndices> sobolIndices(const ResponseModel &model, const Inputs &inputs,
                                       std::size_t samples, std::uint64_t seed,
                                       const CpuDevice &cpu, const std::function<bool()> &stop)
{
    std::vector<SobolIndices> all;
    const auto grid = gridCoefficients(model);
    if (grid && canExpand(*grid->grid)) {
        const auto expansion = expand(*grid, inputs);
        for (std::size_t k = 0; k < model.responses(); ++k) {
            all.push_back(sobolIndices(expansion, k));
            all.back().mean += model.constants()[k];
        }
        return all;
    }
    for (std::size_t k = 0; k < model.responses(); ++k) {
        const auto one = model.only(k);
        const auto response = [&](std::span<const double> x) { // what varies, without its constant
            if (stop && stop())
                throw Error("the question was taken back");
            return one.value(x) - one.constants()[0];
        };
        all.push_back(sobolBySampling(response, inputs, samples, seed, cpu));
        all.back().mean += one.constants()[0];
    }
    return all;
}

} // namespace gridhelm::answers
