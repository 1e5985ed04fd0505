// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/answers/row_products.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/answers/row_products.cpp"
#include <hwy/foreach_target.h> // IWYU pragma: keep
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace gridhelm::answers {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Lanes = hn::CappedTag<float, 16>;
constexpr std::size_t laneCount = hn::MaxLanes(Lanes());
constexpr std::size_t vectors = 3;
constexpr std::size_t tileRows = HWY_TARGET <= HWY_AVX3 ? 8 : 4; // as many as registers hold
constexpr std::size_t tileWidth = vectors * laneCount;
static_assert(blockColumns % tileWidth == 0);

HWY_INLINE void multiplyTile(const float *HWY_RESTRICT weights, std::size_t depth,
                             const float *HWY_RESTRICT block, float *HWY_RESTRICT out)
{
    const Lanes d;
    hn::Vec<Lanes> sums[tileRows][vectors];
    for (std::size_t i = 0; i < tileRows; ++i)
        for (std::size_t v = 0; v < vectors; ++v)
            sums[i][v] = hn::Zero(d);
    for (std::size_t b = 0; b < depth; ++b) {
        hn::Vec<Lanes> right[vectors];
        for (std::size_t v = 0; v < vectors; ++v)
            right[v] = hn::LoadU(d, block + b * blockColumns + v * laneCount);
        for (std::size_t i = 0; i < tileRows; ++i) {
            const auto left = hn::Set(d, weights[i * depth + b]);
            for (std::size_t v = 0; v < vectors; ++v)
                sums[i][v] = hn::MulAdd(left, right[v], sums[i][v]);
        }
    }
    for (std::size_t i = 0; i < tileRows; ++i)
        for (std::size_t v = 0; v < vectors; ++v)
            hn::StoreU(sums[i][v], d, out + i * blockColumns + v * laneCount);
}

void multiply(const float *weights, std::size_t combinations, std::size_t depth, const float *block,
              float *out)
{
    for (std::size_t i = 0; i < combinations; i += tileRows)
        for (std::size_t j = 0; j < blockColumns; j += tileWidth)
            multiplyTile(weights + i * depth, depth, block + j, out + i * blockColumns + j);
}

} // namespace HWY_NAMESPACE
} // namespace gridhelm::answers
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gridhelm::answers {

HWY_EXPORT(multiply);

namespace {
constexpr std::size_t wholeTiles(std::size_t combinations)
{
    return (combinations + 7) / 8 * 8; // of any instruction set
}
} // namespace

PackedWeights::PackedWeights(std::size_t combinations, std::size_t depth)
    : m_combinations(combinations)
    , m_depth(depth)
    , m_weights(wholeTiles(combinations) * depth, 0.0F)
{
}

void packColumns(linalg::MatrixView<const float> rows, std::size_t depth, std::size_t first,
                 std::vector<float> &block)
{
    block.assign(depth * blockColumns, 0.0F);
    const std::size_t columns = std::min(blockColumns, rows.columns - first);
    for (std::size_t b = 0; b < depth; ++b)
        std::copy_n(rows.row(b) + first, columns, block.data() + b * blockColumns);
}

void multiplyBlock(const PackedWeights &weights, const std::vector<float> &block,
                   std::vector<float> &out)
{
    out.resize(weights.padded() * blockColumns);
    HWY_DYNAMIC_DISPATCH(multiply)
    (weights.data(), weights.padded(), weights.depth(), block.data(), out.data());
}

} // namespace gridhelm::answers
#endif
