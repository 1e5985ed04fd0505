// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stencil/stencil_data.h"

#include "core/execution/parallel_for.h"

#include <array>
#include <atomic>
#include <cmath>

namespace gridhelm::stencil {

void forEachValue(
    const Stencil &stencil, const ScalarField &field, const CpuDevice &cpu,
    const std::function<void(std::size_t i, std::size_t j, std::size_t k, double value)> &set)
{
    const auto &n = stencil.points;
    const auto *number = std::get_if<double>(&field);
    const auto *list = std::get_if<std::vector<double>>(&field);
    const auto *formula = std::get_if<Expression>(&field);
    const auto place = [&](std::size_t axis, std::size_t index) {
        return stencil.origin[axis] + static_cast<double>(index) * stencil.spacing;
    };
    constexpr std::size_t rowsAtOnce = 8;
    parallelFor(n[1] * n[2], cpu, rowsAtOnce, [&](std::size_t row) {
        const auto j = row % n[1], k = row / n[1];
        std::array<double, 3> at{0, place(1, j), stencil.dimension == 3 ? place(2, k) : 0.0};
        for (std::size_t i = 0; i < n[0]; ++i) {
            at[0] = place(0, i);
            set(i, j, k,
                number    ? *number
                : formula ? formula->evaluate<double>(at)
                          : (*list)[row * n[0] + i]);
        }
    });
}

void requireFinite(const Stencil &stencil, const ScalarField &field, const std::string &what,
                   const CpuDevice &cpu)
{
    const bool isFloat = stencil.precision == solvers::Precision::float32;
    std::atomic<bool> isFinite = true;
    forEachValue(stencil, field, cpu, [&](std::size_t, std::size_t, std::size_t, double value) {
        if (!std::isfinite(isFloat ? static_cast<float>(value) : value))
            isFinite = false;
    });
    if (!isFinite)
        throw Error(what
                    + " is not finite at some point of the grid (a division by 0, say, or a "
                      "number too large for float); change it");
}

} // namespace gridhelm::stencil
