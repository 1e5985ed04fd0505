// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/sor/mlssor_kernel.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/solvers/sor/mlssor_kernel.cpp"
#include <hwy/foreach_target.h> // IWYU pragma: keep
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace gridhelm::solvers {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <typename T>
constexpr std::ptrdiff_t laneCount = hn::MaxLanes(hn::ScalableTag<T>());

/// Rows [yBegin, yEnd) and columns [xBegin, xEnd) of `tiles` footprints, to the scratch memory.
/// Lanes without a tile keep whatever they hold, a finite number.
template <typename T>
HWY_INLINE void gather(const TileRow<T> &row, const T *from, std::ptrdiff_t tiles,
                       T *HWY_RESTRICT to)
{
    const auto N = laneCount<T>;
    const auto width = row.width + 2;
    for (std::ptrdiff_t y = 0; y < row.height + 2; ++y) {
        const T *HWY_RESTRICT line = from + (y - 1) * row.rowStride - 1;
        T *HWY_RESTRICT target = to + y * width * N;
        for (std::ptrdiff_t tile = 0; tile < tiles; ++tile) {
            for (std::ptrdiff_t x = 0; x < width; ++x)
                target[x * N + tile] = line[tile * row.tileStride + x];
        }
    }
}

template <typename T>
HWY_INLINE void scatter(const TileRow<T> &row, T *to, std::ptrdiff_t tiles,
                        const T *HWY_RESTRICT from)
{
    const auto N = laneCount<T>;
    const auto width = row.width + 2;
    for (std::ptrdiff_t y = 0; y < row.height; ++y) {
        T *HWY_RESTRICT line = to + y * row.rowStride;
        const T *HWY_RESTRICT source = from + ((y + 1) * width + 1) * N;
        for (std::ptrdiff_t tile = 0; tile < tiles; ++tile) {
            for (std::ptrdiff_t x = 0; x < row.width; ++x)
                line[tile * row.tileStride + x] = source[x * N + tile];
        }
    }
}

/// One layer of as many tiles as there are lanes.
template <std::ptrdiff_t Step, bool HasSource, typename T>
HWY_INLINE void relaxLayer(const TileRow<T> &row, const TileLayer &layer, T keep, T weight,
                           T *values, const T *source)
{
    const hn::ScalableTag<T> d;
    const auto N = laneCount<T>;
    const auto stride = (row.width + 2) * N;
    const auto keepAll = hn::Set(d, keep);
    const auto weightAll = hn::Set(d, weight);
    for (auto a = layer.y.begin; a < layer.y.end; ++a) {
        const auto y = Step > 0 ? a : layer.y.begin + layer.y.end - 1 - a;
        auto x = Step > 0 ? layer.x.begin : layer.x.end - 1;
        T *u = values + (y + 1) * stride + (x + 1) * N;
        const T *f = HasSource ? source + (y + 1) * stride + (x + 1) * N : nullptr;
        auto before = hn::Load(d, u - Step * N);
        for (auto b = layer.x.begin; b < layer.x.end; ++b, u += Step * N) {
            auto others = hn::Add(hn::Load(d, u - stride), hn::Load(d, u + stride));
            others = hn::Add(others, hn::Load(d, u + Step * N));
            if constexpr (HasSource) {
                others = hn::Add(others, hn::Load(d, f));
                f += Step * N;
            }
            const auto rest = hn::MulAdd(weightAll, others, hn::Mul(keepAll, hn::Load(d, u)));
            before = hn::MulAdd(weightAll, before, rest);
            hn::Store(before, d, u);
        }
    }
}

template <typename T>
HWY_INLINE void relaxAll(const TileRow<T> &row, T keep, T weight, T *scratch)
{
    const auto N = laneCount<T>;
    const auto size = (row.height + 2) * (row.width + 2) * N;
    T *values = scratch;
    T *source = scratch + size;
    const auto all = static_cast<std::ptrdiff_t>(row.tiles);
    for (std::ptrdiff_t first = 0; first < all; first += N) {
        const auto tiles = std::min(N, all - first);
        if (tiles < N)
            std::fill(values, values + (row.source ? 2 * size : size), T(0));
        gather(row, row.values + first * row.tileStride, tiles, values);
        if (row.source)
            gather(row, row.source + first * row.tileStride, tiles, source);
        for (const auto &layer : row.layers) {
            if (row.isBackward && row.source)
                relaxLayer<-1, true>(row, layer, keep, weight, values, source);
            else if (row.isBackward)
                relaxLayer<-1, false>(row, layer, keep, weight, values, source);
            else if (row.source)
                relaxLayer<1, true>(row, layer, keep, weight, values, source);
            else
                relaxLayer<1, false>(row, layer, keep, weight, values, source);
        }
        scatter(row, row.values + first * row.tileStride, tiles, values);
    }
}

void relaxTilesFloat(const TileRow<float> &row, float keep, float weight, float *scratch)
{
    relaxAll(row, keep, weight, scratch);
}
void relaxTilesDouble(const TileRow<double> &row, double keep, double weight, double *scratch)
{
    relaxAll(row, keep, weight, scratch);
}

} // namespace HWY_NAMESPACE
} // namespace gridhelm::solvers
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gridhelm::solvers {

HWY_EXPORT(relaxTilesFloat);
HWY_EXPORT(relaxTilesDouble);

template <>
void relaxTiles<float>(const TileRow<float> &row, float keep, float weight, float *scratch)
{
    HWY_DYNAMIC_DISPATCH(relaxTilesFloat)(row, keep, weight, scratch);
}
template <>
void relaxTiles<double>(const TileRow<double> &row, double keep, double weight, double *scratch)
{
    HWY_DYNAMIC_DISPATCH(relaxTilesDouble)(row, keep, weight, scratch);
}

} // namespace gridhelm::solvers
#endif
