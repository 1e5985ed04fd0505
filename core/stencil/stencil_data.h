// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/device.h"
#include "core/stencil/stencil.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace gridhelm::stencil {

/// Calls set(i, j, k, value) for all points, from the threads of `cpu`; formulas are computed in
/// double.
void forEachValue(
    const Stencil &stencil, const ScalarField &field, const CpuDevice &cpu,
    const std::function<void(std::size_t i, std::size_t j, std::size_t k, double value)> &set);

/// The same for `layers` layers (rows in 2D, planes in 3D) alone, of which `layerOf` says where
/// they are in the grid; the last of i, j, k that counts is the one that layerOf() gets.
void forEachValueOfLayers(
    const Stencil &stencil, const ScalarField &field, std::size_t layers,
    const std::function<std::size_t(std::size_t layer)> &layerOf, const CpuDevice &cpu,
    const std::function<void(std::size_t i, std::size_t j, std::size_t k, double value)> &set);

/// A field as a list, x fastest, rounded to T.
template <typename T>
std::vector<T> valuesOf(const Stencil &stencil, const ScalarField &field,
                        const CpuDevice &cpu = CpuDevice{})
{
    std::vector<T> values(stencil.count());
    const auto &n = stencil.points;
    forEachValue(stencil, field, cpu,
                 [&](std::size_t i, std::size_t j, std::size_t k, double value) {
                     values[(k * n[1] + j) * n[0] + i] = static_cast<T>(value);
                 });
    return values;
}

/// Throws gridhelm::Error if some value of the start, the source or a coefficient is not finite in
/// the stencil's precision.
void requireFinite(const Stencil &stencil, const CpuDevice &cpu);

} // namespace gridhelm::stencil
