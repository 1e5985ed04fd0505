// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stencil/stencil_data.h"

#include "core/execution/parallel_for.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>

namespace gridhelm::stencil {

void forEachValueOfLayers(
    const Stencil &stencil, const ScalarField &field, std::size_t layers,
    const std::function<std::size_t(std::size_t layer)> &layerOf, const CpuDevice &cpu,
    const std::function<void(std::size_t i, std::size_t j, std::size_t k, double value)> &set)
{
    const auto &n = stencil.points;
    const bool is3D = stencil.dimension == 3;
    const auto rowsOfLayer = is3D ? n[1] : 1;
    const auto *number = std::get_if<double>(&field);
    const auto *list = std::get_if<std::vector<double>>(&field);
    const auto *formula = std::get_if<Expression>(&field);
    const auto place = [&](std::size_t axis, std::size_t index) {
        return stencil.origin[axis] + static_cast<double>(index) * stencil.spacing;
    };
    constexpr std::size_t rowsAtOnce = 8;
    parallelFor(rowsOfLayer * layers, cpu, rowsAtOnce, [&](std::size_t row) {
        const auto layer = row / rowsOfLayer;
        const auto rowOfGrid = layerOf(layer) * rowsOfLayer + row % rowsOfLayer;
        std::array<double, 3> at{0, place(1, rowOfGrid % n[1]),
                                 is3D ? place(2, rowOfGrid / n[1]) : 0.0};
        const auto j = is3D ? row % rowsOfLayer : layer, k = is3D ? layer : 0;
        for (std::size_t i = 0; i < n[0]; ++i) {
            at[0] = place(0, i);
            set(i, j, k,
                number    ? *number
                : formula ? formula->evaluate<double>(at)
                          : (*list)[rowOfGrid * n[0] + i]);
        }
    });
}

void forEachValue(
    const Stencil &stencil, const ScalarField &field, const CpuDevice &cpu,
    const std::function<void(std::size_t i, std::size_t j, std::size_t k, double value)> &set)
{
    forEachValueOfLayers(
        stencil, field, layersOf(stencil), [](std::size_t layer) { return layer; }, cpu, set);
}

namespace {

void requireFinite(const Stencil &stencil, const ScalarField &field, const std::string &what,
                   const CpuDevice &cpu)
{
    const bool isFloat = stencil.precision == solvers::Precision::float32;
    const auto isFiniteHere = [&](double value) {
        return std::isfinite(isFloat ? static_cast<float>(value) : value);
    };
    std::atomic<bool> isFinite = true;
    if (const auto *number = std::get_if<double>(&field))
        isFinite = isFiniteHere(*number);
    else if (const auto *list = std::get_if<std::vector<double>>(&field))
        isFinite = std::ranges::all_of(*list, isFiniteHere);
    else
        forEachValue(stencil, field, cpu, [&](std::size_t, std::size_t, std::size_t, double value) {
            if (!isFiniteHere(value))
                isFinite = false;
        });
    if (!isFinite)
        throw Error(what
                    + " is not finite at some point of the grid (a division by 0, say, or a "
                      "number too large for float); change it");
}

} // namespace

void requireFinite(const Stencil &stencil, const CpuDevice &cpu)
{
    requireFinite(stencil, stencil.start, "the start", cpu);
    if (stencil.source.field)
        requireFinite(stencil, *stencil.source.field, "the source", cpu);
    for (const auto &coefficient : stencil.coefficients)
        requireFinite(stencil, coefficient, "a coefficient", cpu);
}

} // namespace gridhelm::stencil
