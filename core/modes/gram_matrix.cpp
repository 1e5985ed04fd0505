// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/modes/gram_matrix.h"

#include "core/execution/parallel_for.h"
#include "core/support/error.h"
#include "core/support/memory_check.h"

#include <cmath>

namespace gridhelm::modes {

namespace {

/// Strips that are packed together, so that threads meet seldom; what is packed (8 MiB for 1,000
/// rows) stays in the cache.
constexpr std::size_t stripsAtOnce = 4;

struct PanelPair
{
    std::size_t i, j;
};

std::vector<PanelPair> pairsOf(std::size_t panels)
{
    std::vector<PanelPair> pairs;
    for (std::size_t i = 0; i < panels; ++i)
        for (std::size_t j = i; j < panels; ++j)
            pairs.push_back({i, j});
    return pairs;
}

void requireFinite(const GramMatrix &gram)
{
    for (std::size_t i = 0; i < gram.size; ++i) {
        if (!std::isfinite(gram(i, i)))
            throw Error("snapshot number " + std::to_string(i + 1)
                        + " has values that are not finite numbers, so that it has no POD modes: "
                          "leave it out, or run it again");
    }
}

} // namespace

GramMatrix gramMatrix(SnapshotBlocks &rows, const NodeWeights &weights, double blockBytes,
                      const CpuDevice &cpu, const std::function<bool(double)> &progress)
{
    requireSound(weights, rows.values());
    const auto count = rows.snapshots(), panels = panelsFor(count);
    GramMatrix gram;
    gram.size = count;
    gram.stride = panels * panelWidth;
    // Here, as Eigen's copy, and as eigenvectors.
    requireMemory(
        3.0 * sizeof(double) * static_cast<double>(gram.stride) * static_cast<double>(gram.stride),
        "the inner products of " + std::to_string(count) + " snapshots", "take fewer of them");
    gram.entries.assign(gram.stride * gram.stride, 0.0);
    const auto pairs = pairsOf(panels);
    constexpr auto panelSize = panelWidth * stripColumns;
    std::vector<double> packed(panels * stripsAtOnce * panelSize);
    const auto panelAt = [&](std::size_t panel, std::size_t strip) {
        return packed.data() + (panel * stripsAtOnce + strip) * panelSize;
    };
    const auto columns = blockColumns(rows, blockBytes);
    gram.cancelled =
        !forBlocks(rows, columns, "a block of " + std::to_string(count) + " snapshots",
                   [&](std::size_t first, MatrixView<const float> block) {
                       const auto roots = weightRoots(weights, first, block.columns);
                       const auto strips = stripsOf(block.columns);
                       for (std::size_t begin = 0; begin < strips; begin += stripsAtOnce) {
                           const auto some = std::min(stripsAtOnce, strips - begin);
                           parallelFor(panels * some, cpu, 1, [&](std::size_t task) {
                               const auto panel = task / some, strip = task % some;
                               packColumns(block, stripOf(block.columns, begin + strip),
                                           panel * panelWidth, roots, panelAt(panel, strip));
                           });
                           parallelFor(pairs.size(), cpu, 4, [&](std::size_t task) {
                               const auto [i, j] = pairs[task];
                               auto *to = gram.entries.data() + (i * gram.stride + j) * panelWidth;
                               for (std::size_t strip = 0; strip < some; ++strip)
                                   multiplyPanels(panelAt(i, strip), panelAt(j, strip),
                                                  stripOf(block.columns, begin + strip).size(), to,
                                                  gram.stride);
                           });
                       }
                       return !progress
                              || progress(static_cast<double>(first + block.columns)
                                          / static_cast<double>(rows.values()));
                   });
    if (!gram.cancelled)
        requireFinite(gram);
    return gram;
}

} // namespace gridhelm::modes
