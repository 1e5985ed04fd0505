// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/linalg/tiled_combination.h"

#include "core/execution/parallel_for.h"
#include "core/linalg/row_kernel.h"

#include <algorithm>
#include <array>
#include <vector>

namespace gridhelm::linalg {
namespace {

constexpr std::array valuesOfTileKib{16, 32, 64, 128, 256, 512, 1024};
constexpr std::array valuesOfRows{1, 2, 3, 4, 6, 8};

constexpr TunableConstant tileKibConstant{.name = "tile",
                                          .meaning = "KiB of the result while all rows pass by",
                                          .values = valuesOfTileKib,
                                          .compiledIn = 128};
constexpr TunableConstant rowsPerPassConstant{.name = "rows",
                                              .meaning =
                                                  "rows that are added in one pass over a tile",
                                              .values = valuesOfRows,
                                              .compiledIn = 4};

constexpr std::array<const TunableConstant *, 2> combinationConstants{&tileKibConstant,
                                                                      &rowsPerPassConstant};

template <typename T>
std::vector<WeightedRow<T>> termsOf(const SparseWeights &weights, const MatrixView<const T> &matrix,
                                    std::size_t begin, std::size_t end)
{
    std::vector<WeightedRow<T>> terms;
    terms.reserve(end - begin);
    for (auto i = begin; i < end; ++i)
        terms.push_back({matrix.row(weights.rows[i]), static_cast<T>(weights.weights[i])});
    return terms;
}

} // namespace

constinit const TunableOperation combinationTunable{"combination", "cpu", combinationConstants};

CombinationConstants::CombinationConstants(const TuningTable &table, std::size_t valueBytes,
                                           std::size_t columns)
{
    const auto key = keyOf(combinationTunable, valueBytes, static_cast<double>(columns));
    tileKib = tunedValue(tileKibConstant, table, key);
    rowsPerPass = tunedValue(rowsPerPassConstant, table, key);
}

template <typename T>
void combineTiles(const SparseWeights &weights, MatrixView<const T> matrix, std::size_t firstColumn,
                  std::span<T> y, std::span<T> indicator, const CpuDevice &cpu,
                  const CombinationConstants &constants)
{
    requireFitting<T>(weights, matrix, firstColumn, y, indicator);
    const auto inner = termsOf(weights, matrix, 0, weights.lastGroupBegin);
    const auto last = termsOf(weights, matrix, weights.lastGroupBegin, weights.rows.size());

    // A tile of the result stays in the second-level cache while all rows pass by; pieces of rows
    // this long reach the speed of one long read.
    const auto tile = static_cast<std::size_t>(constants.tileKib) * 1024 / sizeof(T);
    const auto perPass = static_cast<std::size_t>(constants.rowsPerPass);
    const auto tiles = (y.size() + tile - 1) / tile;
    const auto combine = [perPass](auto terms, std::size_t column, std::span<T> target) {
        for (auto &term : terms)
            term.row += column;
        combineRows<T>(terms, target.data(), target.size(), perPass);
    };
    // Modes have a part in both.
    const bool isShared =
        !last.empty()
        && std::ranges::equal(inner, last, {}, &WeightedRow<T>::row, &WeightedRow<T>::row);
    const auto combineBoth = [](auto terms, auto others, std::size_t column, std::span<T> target,
                                std::span<T> other) {
        for (std::size_t j = 0; j < terms.size(); ++j)
            terms[j].row += column;
        combineRowsTwice<T>(terms, others, target.data(), other.data(), target.size());
    };
    parallelFor(tiles, cpu, 1, [&](std::size_t i) {
        const auto begin = i * tile;
        const auto size = std::min(tile, y.size() - begin);
        const auto target = y.subspan(begin, size);
        static thread_local std::vector<T> lastPart;
        lastPart.resize(size);
        if (isShared) {
            combineBoth(inner, last, firstColumn + begin, target, std::span<T>(lastPart));
        } else {
            combine(inner, firstColumn + begin, target);
            combine(last, firstColumn + begin, std::span<T>(lastPart));
        }
        addLastGroup<T>(lastPart, target,
                        indicator.empty() ? indicator : indicator.subspan(begin, size));
    });
}

template void combineTiles<float>(const SparseWeights &, MatrixView<const float>, std::size_t,
                                  std::span<float>, std::span<float>, const CpuDevice &,
                                  const CombinationConstants &);
template void combineTiles<double>(const SparseWeights &, MatrixView<const double>, std::size_t,
                                   std::span<double>, std::span<double>, const CpuDevice &,
                                   const CombinationConstants &);

} // namespace gridhelm::linalg
