// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/modes/panel_product.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/modes/panel_product.cpp"
#include <hwy/foreach_target.h> // IWYU pragma: keep
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace gridhelm::modes {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Lanes = hn::ScalableTag<double>;
constexpr std::size_t laneCount = hn::MaxLanes(Lanes());

/// Sums that are kept in registers: rows times vectors. AVX-512 has twice as many registers.
constexpr std::size_t vectors = 3;
constexpr std::size_t rows = HWY_TARGET <= HWY_AVX3 ? 8 : 4;
constexpr std::size_t width = vectors * laneCount;
static_assert(panelWidth % width == 0 && panelWidth % rows == 0);

HWY_INLINE void multiplyTile(const double *HWY_RESTRICT a, const double *HWY_RESTRICT b,
                             std::size_t depth, double *HWY_RESTRICT c, std::size_t stride)
{
    const Lanes d;
    hn::Vec<Lanes> sums[rows][vectors];
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t v = 0; v < vectors; ++v)
            sums[i][v] = hn::Zero(d);
    for (std::size_t k = 0; k < depth; ++k, a += panelWidth, b += panelWidth) {
        hn::Vec<Lanes> right[vectors];
        for (std::size_t v = 0; v < vectors; ++v)
            right[v] = hn::LoadU(d, b + v * laneCount);
        for (std::size_t i = 0; i < rows; ++i) {
            const auto left = hn::Set(d, a[i]);
            for (std::size_t v = 0; v < vectors; ++v)
                sums[i][v] = hn::MulAdd(left, right[v], sums[i][v]);
        }
    }
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t v = 0; v < vectors; ++v) {
            double *at = c + i * stride + v * laneCount;
            hn::StoreU(hn::Add(hn::LoadU(d, at), sums[i][v]), d, at);
        }
}

void multiply(const double *a, const double *b, std::size_t depth, double *c, std::size_t stride)
{
    for (std::size_t i = 0; i < panelWidth; i += rows)
        for (std::size_t j = 0; j < panelWidth; j += width)
            multiplyTile(a + i, b + j, depth, c + i * stride + j, stride);
}

} // namespace HWY_NAMESPACE
} // namespace gridhelm::modes
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gridhelm::modes {

HWY_EXPORT(multiply);

void multiplyPanels(const double *a, const double *b, std::size_t depth, double *c,
                    std::size_t stride)
{
    HWY_DYNAMIC_DISPATCH(multiply)(a, b, depth, c, stride);
}

} // namespace gridhelm::modes
#endif
