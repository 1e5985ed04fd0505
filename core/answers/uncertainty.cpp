// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/answers/uncertainty.h"

#include "core/answers/column_statistics.h"
#include "core/answers/row_products.h"
#include "core/execution/parallel_for.h"
#include "core/support/error.h"
#include "core/support/memory_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <numeric>

namespace gridhelm::answers {

namespace {

/// Index of the value that a share of `count` others does not exceed, as support's quantile().
std::size_t rankOf(double share, std::size_t count)
{
    const double rank = std::floor(share * static_cast<double>(count - 1) + 0.5);
    return std::min(static_cast<std::size_t>(std::max(rank, 0.0)), count - 1);
}

/// Weights of all samples over the rows that any of them names.
struct SampleWeights
{
    PackedWeights weights;
    std::vector<std::size_t> rows; ///< of the surrogate, by column of `weights`
};

SampleWeights weightsOf(const Surrogate &surrogate, std::span<const double> places,
                        const CpuDevice &cpu)
{
    const auto d = static_cast<std::size_t>(surrogate.dimension());
    const auto samples = places.size() / d;
    const auto weightsAt = [&](std::size_t i) {
        return surrogate.weights(places.subspan(i * d, d), surrogate.groups());
    };
    // Weights are computed twice: all of them at once, before anybody knows how many rows they
    // name, may be more than memory holds.
    std::vector<std::size_t> columnOf(surrogate.rows(), 0);
    parallelFor(samples, cpu, 16, [&](std::size_t i) {
        for (const auto row : weightsAt(i).rows)
            std::atomic_ref(columnOf[row]).store(1, std::memory_order_relaxed);
    });
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < columnOf.size(); ++row)
        if (columnOf[row] != 0) {
            columnOf[row] = rows.size();
            rows.push_back(row);
        }
    requireMemory(sizeof(float) * static_cast<double>(samples) * static_cast<double>(rows.size()),
                  fmt::format("percentiles of {} samples of {} rows", samples, rows.size()),
                  "take fewer samples, or make POD modes of the rows with \"gridhelm-cli compress "
                  "STUDY --modes\"");
    SampleWeights result{PackedWeights(samples, rows.size()), rows};
    parallelFor(samples, cpu, 16, [&](std::size_t i) {
        const auto weights = weightsAt(i);
        for (std::size_t k = 0; k < weights.rows.size(); ++k)
            result.weights(i, columnOf[weights.rows[k]]) += static_cast<float>(weights.weights[k]);
    });
    return result;
}

} // namespace

Proportion proportionOf(std::size_t count, std::size_t of)
{
    const auto n = static_cast<double>(of);
    const double p = static_cast<double>(count) / n;
    const double z = 1.959963984540054; // of a normal variable, two-sided, 95 %
    const double middle = (p + z * z / (2 * n)) / (1 + z * z / n);
    const double half = z / (1 + z * z / n) * std::sqrt(p * (1 - p) / n + z * z / (4 * n * n));
    return {p, count == 0 ? 0 : std::max(0.0, middle - half),
            count == of ? 1 : std::min(1.0, middle + half)};
}

Spread spreadOf(std::vector<double> values, std::span<const double> shares,
                std::optional<double> threshold, std::size_t bins)
{
    if (values.size() < 2)
        throw Error("one sample has no spread: take at least two");
    std::ranges::sort(values);
    const auto n = static_cast<double>(values.size());
    Spread spread;
    spread.mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
    double squares = 0;
    for (const double value : values)
        squares += (value - spread.mean) * (value - spread.mean);
    spread.deviation = std::sqrt(squares / (n - 1));
    spread.low = values.front();
    spread.high = values.back();
    for (const double share : shares)
        spread.percentiles.push_back(values[rankOf(share, values.size())]);
    if (threshold) {
        const auto first = std::ranges::upper_bound(values, *threshold);
        spread.above = proportionOf(static_cast<std::size_t>(values.end() - first), values.size());
    }
    spread.histogram = {spread.low, spread.high, std::vector<std::size_t>(bins, 0)};
    const double width = (spread.high - spread.low) / static_cast<double>(bins);
    for (const double value : values) {
        const double part = width > 0 ? (value - spread.low) / width : 0;
        ++spread.histogram.counts[std::min(static_cast<std::size_t>(part), bins - 1)];
    }
    spread.density = densityOf(values);
    return spread;
}

std::vector<std::vector<double>> responsesAt(const ResponseModel &model,
                                             std::span<const double> places, const CpuDevice &cpu)
{
    const auto d = static_cast<std::size_t>(model.dimension());
    const auto samples = places.size() / d;
    requireMemory(sizeof(double) * static_cast<double>(samples)
                      * static_cast<double>(model.responses()),
                  fmt::format("{} responses at {} samples", model.responses(), samples),
                  "take fewer samples");
    std::vector<std::vector<double>> values(model.responses(), std::vector<double>(samples));
    parallelFor(samples, cpu, 16, [&](std::size_t i) {
        std::vector<double> out(model.responses());
        model.values(places.subspan(i * d, d), out);
        for (std::size_t k = 0; k < out.size(); ++k)
            values[k][i] = out[k];
    });
    return values;
}

UncertaintyMaps uncertaintyMaps(const Surrogate &surrogate, linalg::MatrixView<const float> rows,
                                std::span<const double> places, std::span<const double> shares,
                                std::optional<double> threshold, const CpuDevice &cpu)
{
    const auto samples = places.size() / static_cast<std::size_t>(surrogate.dimension());
    if (samples < 2)
        throw Error("one sample has no spread: take at least two");
    if (!std::ranges::is_sorted(shares))
        throw Error("percentiles have to ascend: write them in that order");
    const auto weights = weightsOf(surrogate, places, cpu);
    UncertaintyMaps maps;
    maps.mean.resize(rows.columns);
    maps.deviation.resize(rows.columns);
    maps.percentiles.assign(shares.size(), std::vector<float>(rows.columns));
    if (threshold)
        maps.above.resize(rows.columns);
    std::vector<std::size_t> ranks;
    for (const double share : shares)
        ranks.push_back(rankOf(share, samples));
    const std::size_t blocks = (rows.columns + blockColumns - 1) / blockColumns;
    parallelFor(blocks, cpu, 8, [&](std::size_t block) {
        thread_local std::vector<float> packed, out;
        thread_local ColumnStatistics statistics;
        const std::size_t first = block * blockColumns;
        const std::size_t columns = std::min(blockColumns, rows.columns - first);
        packed.assign(weights.rows.size() * blockColumns, 0.0F);
        for (std::size_t b = 0; b < weights.rows.size(); ++b)
            std::copy_n(rows.row(weights.rows[b]) + first, columns,
                        packed.data() + b * blockColumns);
        multiplyBlock(weights.weights, packed, out);
        columnStatistics(out.data(), samples, ranks, threshold, statistics);
        for (std::size_t j = 0; j < columns; ++j) {
            maps.mean[first + j] = static_cast<float>(statistics.mean[j]);
            maps.deviation[first + j] = static_cast<float>(statistics.deviation[j]);
            if (threshold)
                maps.above[first + j] =
                    static_cast<float>(statistics.above[j] / static_cast<double>(samples));
            for (std::size_t s = 0; s < ranks.size(); ++s)
                maps.percentiles[s][first + j] = statistics.ranks[s][j];
        }
    });
    return maps;
}

} // namespace gridhelm::answers
