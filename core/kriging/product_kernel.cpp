// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kriging/product_kernel.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kriging/product_kernel.cpp"
#include <hwy/foreach_target.h> // IWYU pragma: keep
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace gridhelm::kriging {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Lanes = hn::ScalableTag<double>;
using Values = hn::Vec<Lanes>;

constexpr std::size_t laneCount = hn::MaxLanes(Lanes());
/// Sums that are kept in registers: this many vectors of rows times this many columns.
constexpr std::size_t tileVectors = laneCount >= 8 ? 4 : 2, tileColumns = 6;
/// Of a strip of rows, so much fits into the first cache.
constexpr std::size_t stripDepth = 96;

/// Columns of one tile of full height.
template <std::size_t Vectors, std::size_t Columns>
HWY_INLINE void addTile(double sign, ConstBlock a, ConstBlock b, Block c, std::size_t depth)
{
    const Lanes d;
    Values sums[Columns][Vectors];
    for (auto &column : sums)
        for (auto &sum : column)
            sum = hn::Zero(d);
    for (std::size_t p = 0; p < depth; ++p) {
        Values rows[Vectors];
        for (std::size_t v = 0; v < Vectors; ++v)
            rows[v] = hn::LoadU(d, a.values + p * a.stride + v * laneCount);
        for (std::size_t j = 0; j < Columns; ++j) {
            const auto factor = hn::Set(d, b.values[j + p * b.stride]);
            for (std::size_t v = 0; v < Vectors; ++v)
                sums[j][v] = hn::MulAdd(factor, rows[v], sums[j][v]);
        }
    }
    const auto signs = hn::Set(d, sign);
    for (std::size_t j = 0; j < Columns; ++j)
        for (std::size_t v = 0; v < Vectors; ++v) {
            double *target = &c(v * laneCount, j);
            hn::StoreU(hn::MulAdd(signs, sums[j][v], hn::LoadU(d, target)), d, target);
        }
}

/// All columns of a strip of so many vectors of rows.
template <std::size_t Vectors>
HWY_INLINE void addStrip(double sign, ConstBlock a, ConstBlock b, Block c, std::size_t columns,
                         std::size_t depth)
{
    std::size_t j = 0;
    for (; j + tileColumns <= columns; j += tileColumns)
        addTile<Vectors, tileColumns>(sign, a, b.from(j, 0), c.from(0, j), depth);
    for (; j < columns; ++j)
        addTile<Vectors, 1>(sign, a, b.from(j, 0), c.from(0, j), depth);
}

void addProductOfTarget(double sign, ConstBlock a, ConstBlock b, Block c, std::size_t rows,
                        std::size_t columns, std::size_t depth)
{
    for (std::size_t first = 0; first < depth; first += stripDepth) {
        const std::size_t part = std::min(stripDepth, depth - first);
        const auto aPart = a.from(0, first), bPart = b.from(0, first);
        std::size_t i = 0;
        for (; i + tileVectors * laneCount <= rows; i += tileVectors * laneCount)
            addStrip<tileVectors>(sign, aPart.from(i, 0), bPart, c.from(i, 0), columns, part);
        for (; i + laneCount <= rows; i += laneCount)
            addStrip<1>(sign, aPart.from(i, 0), bPart, c.from(i, 0), columns, part);
        for (; i < rows; ++i)
            for (std::size_t j = 0; j < columns; ++j) {
                double sum = 0;
                for (std::size_t p = 0; p < part; ++p)
                    sum += aPart.values[i + p * a.stride] * bPart.values[j + p * b.stride];
                c(i, j) += sign * sum;
            }
    }
}

} // namespace HWY_NAMESPACE
} // namespace gridhelm::kriging
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gridhelm::kriging {

HWY_EXPORT(addProductOfTarget);

void addProduct(double sign, ConstBlock a, ConstBlock b, Block c, std::size_t rows,
                std::size_t columns, std::size_t depth)
{
    HWY_DYNAMIC_DISPATCH(addProductOfTarget)(sign, a, b, c, rows, columns, depth);
}

} // namespace gridhelm::kriging
#endif
