// SPDX-License-Identifier: GPL-3.0-or-later
//
// combine() of quantised rows: tile of columns by tile of columns, all rows into a tile that stays
// in the second-level cache.
#include "core/codec/quantised_kernel.h"
#include "core/execution/parallel_for.h"
#include "core/linalg/aligned_buffer.h"
#include "core/linalg/tiled_combination.h"

#include <algorithm>
#include <array>

namespace gridhelm::linalg {
namespace {

constexpr CpuDevice oneThread{1};

/// Groups of a tile: at most 64 KiB of sums, and where there are few columns as many tiles as keep
/// all threads busy.
std::size_t tileGroups(std::size_t groups, const CpuDevice &cpu)
{
    constexpr std::size_t most = 16, perThread = 4;
    const auto parts = perThread * static_cast<std::size_t>(std::max(cpu.threads, 1));
    return std::clamp<std::size_t>((groups + parts - 1) / parts, 1, most);
}

/// The groups [begin, end) of all rows: those before the last group into `inner`, the others into
/// `last`.
void sumGroups(const SparseWeights &weights, const codec::QuantisedRows &matrix, bool isTwice,
               std::size_t begin, std::size_t end, float *inner, float *last)
{
    const auto size = (end - begin) * codec::groupValues;
    std::fill_n(inner, size, 0.0F);
    std::fill_n(last, size, 0.0F);
    const auto count = isTwice ? weights.lastGroupBegin : weights.rows.size();
    for (std::size_t i = 0; i < count; ++i) {
        const auto groups = matrix.rows[weights.rows[i]].groups(begin, end);
        const auto weight = static_cast<float>(weights.weights[i]);
        if (isTwice)
            codec::addQuantisedTwice(groups, weight, inner,
                                     static_cast<float>(weights.weights[count + i]), last);
        else
            codec::addQuantised(groups, weight, i < weights.lastGroupBegin ? inner : last);
    }
}

} // namespace

void combine(const SparseWeights &weights, const codec::QuantisedRows &matrix,
             std::size_t firstColumn, std::span<float> y, std::span<float> indicator,
             const CpuDevice &cpu)
{
    requireFitting<float>(weights, matrix.shape(), firstColumn, y, indicator);
    if (y.empty())
        return;
    const auto firstGroup = firstColumn / codec::groupValues;
    const auto endGroup = (firstColumn + y.size() + codec::groupValues - 1) / codec::groupValues;
    // In the cache one thread is done before another one is awake.
    constexpr std::size_t worthThreads = std::size_t{1} << 21;
    const bool isSmall = weights.rows.size() * y.size() < worthThreads;
    const auto &threads = isSmall ? oneThread : cpu;
    const auto perTile = tileGroups(endGroup - firstGroup, threads);
    const bool isTwice = namesRowsTwice(weights);
    parallelFor((endGroup - firstGroup + perTile - 1) / perTile, threads, 1, [&](std::size_t tile) {
        const auto begin = firstGroup + tile * perTile;
        const auto end = std::min(begin + perTile, endGroup);
        const auto size = (end - begin) * codec::groupValues;
        static thread_local AlignedBuffer<float> memory;
        float *const inner = memory.require(2 * size), *const last = inner + size;
        sumGroups(weights, matrix, isTwice, begin, end, inner, last);
        // Whole groups were summed, of which some columns are wanted.
        const auto from = std::max(begin * codec::groupValues, firstColumn);
        const auto to = std::min(end * codec::groupValues, firstColumn + y.size());
        const auto skip = from - begin * codec::groupValues, at = from - firstColumn,
                   wanted = to - from;
        const auto target = y.subspan(at, wanted);
        std::copy_n(inner + skip, wanted, target.begin());
        addLastGroup<float>(std::span(last + skip, wanted), target,
                            indicator.empty() ? indicator : indicator.subspan(at, wanted));
    });
}

void combineColumns(const SparseWeights &weights, const codec::QuantisedRows &matrix,
                    std::span<const std::uint32_t> columns, std::span<float> y,
                    std::span<float> indicator, const CpuDevice &cpu)
{
    requireFitting<float>(weights, matrix.shape(), columns, y, indicator);
    constexpr std::size_t tile = 1024;
    parallelFor((y.size() + tile - 1) / tile, cpu, 1, [&](std::size_t t) {
        const auto begin = t * tile, size = std::min(tile, y.size() - begin);
        const auto target = y.subspan(begin, size);
        std::array<float, tile> lastPart{};
        std::ranges::fill(target, 0.0F);
        for (std::size_t r = 0; r < weights.rows.size(); ++r) {
            const auto &row = matrix.rows[weights.rows[r]];
            const auto weight = static_cast<float>(weights.weights[r]);
            float *const sums = r < weights.lastGroupBegin ? target.data() : lastPart.data();
            for (std::size_t i = 0; i < size; ++i)
                sums[i] += weight * row.value(columns[begin + i]);
        }
        addLastGroup<float>(std::span(lastPart).first(size), target,
                            indicator.empty() ? indicator : indicator.subspan(begin, size));
    });
}

} // namespace gridhelm::linalg
