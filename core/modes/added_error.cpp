// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/modes/added_error.h"

#include "core/execution/parallel_for.h"
#include "core/modes/block_pass.h"
#include "core/support/error.h"
#include "core/support/memory_check.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>

namespace gridhelm::modes {

namespace {

void requireTogether(const CombinedFields &exact, const CombinedFields &changed)
{
    if (exact.weights.size() != changed.weights.size()
        || exact.rows.values() != changed.rows.values())
        throw Error(std::to_string(exact.weights.size()) + " fields of "
                    + std::to_string(exact.rows.values()) + " values cannot be compared with "
                    + std::to_string(changed.weights.size()) + " of "
                    + std::to_string(changed.rows.values()) + ": give the same fields twice");
    for (const auto *fields : {&exact, &changed})
        for (const auto &weights : fields->weights)
            linalg::requireRows(weights, fields->rows.snapshots());
}

struct Difference
{
    double sum =
        0; ///< of weighted squares, added one after the other, so that blocks do not change it
    double largest = 0;

    void add(std::span<const float> first, std::span<const float> second, std::size_t firstColumn,
             const NodeWeights &weights)
    {
        for (std::size_t k = 0; k < first.size(); ++k) {
            const double value = static_cast<double>(first[k]) - static_cast<double>(second[k]);
            sum += weights.of(firstColumn + k) * value * value;
            largest = std::max(largest, std::abs(value));
        }
    }
};

} // namespace

std::vector<double> addedErrors(const CombinedFields &exact, const CombinedFields &changed,
                                const NodeWeights &weights, const AddedErrorOptions &options,
                                double *largestDifference)
{
    requireTogether(exact, changed);
    requireSound(weights, exact.rows.values());
    const auto fields = exact.weights.size();
    const auto columns = std::min(blockColumns(exact.rows, options.blockBytes / 2),
                                  blockColumns(changed.rows, options.blockBytes / 2));
    const auto changedRows = changed.rows.snapshots();
    requireMemory(static_cast<double>(changedRows) * static_cast<double>(columns) * sizeof(float),
                  "a block of " + std::to_string(changedRows) + " rows", "close other programs");
    std::vector<float> memory(changedRows * columns);
    std::vector<Difference> differences(fields);
    const bool isWhole = forBlocks(
        exact.rows, columns, "a block of " + std::to_string(exact.rows.snapshots()) + " rows",
        [&](std::size_t first, MatrixView<const float> block) {
            changed.rows.read(first, {memory.data(), changedRows, block.columns, columns});
            const MatrixView<const float> other{memory.data(), changedRows, block.columns, columns};
            parallelFor(fields, options.cpu, 1, [&](std::size_t j) {
                static thread_local std::vector<float> one, two;
                one.resize(block.columns);
                two.resize(block.columns);
                linalg::combine<float>(exact.weights[j], block, 0, one, {}, CpuDevice{1});
                linalg::combine<float>(changed.weights[j], other, 0, two, {}, CpuDevice{1});
                differences[j].add(one, two, first, weights);
            });
            return !options.progress
                   || options.progress(static_cast<double>(first + block.columns)
                                       / static_cast<double>(exact.rows.values()));
        });
    if (!isWhole)
        return {};
    // What is not a number is off by more than anything, and no comparison may hide that.
    std::vector<double> norms;
    for (const auto &[sum, largest] : differences) {
        norms.push_back(std::isfinite(sum) ? std::sqrt(sum)
                                           : std::numeric_limits<double>::infinity());
        if (largestDifference)
            *largestDifference = std::max(*largestDifference, largest);
    }
    return norms;
}

} // namespace gridhelm::modes
