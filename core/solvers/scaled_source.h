// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/device.h"
#include "core/solvers/padded_grid.h"
#include "core/solvers/poisson_problem.h"

#include <cmath>
#include <cstddef>
#include <optional>

namespace gridhelm::solvers {

/// h^2 f, as an iteration adds it to the neighbours' sum: an array, or for a spike one value.
template <typename T>
struct ScaledSource
{
    struct Spike
    {
        std::ptrdiff_t i = 0, j = 0, k = 0;
        T value = 0;
    };

    std::optional<PaddedGrid<T>> grid;
    std::optional<Spike> spike;

    /// The row's values; null if there is no array.
    const T *row(std::ptrdiff_t j, std::ptrdiff_t k) const
    {
        return grid ? grid->row(j, k) : nullptr;
    }
    /// The spike, if it is in the row.
    const Spike *spikeIn(std::ptrdiff_t j, std::ptrdiff_t k) const
    {
        return spike && spike->j == j && spike->k == k ? &*spike : nullptr;
    }
};

template <typename T>
std::optional<typename ScaledSource<T>::Spike> scaledSpike(const PoissonProblem &problem)
{
    const auto *source = std::get_if<SpikeSource>(&problem.source);
    if (source == nullptr)
        return {};
    const auto [i, j, k] = unknownAt(problem, source->position);
    const double value = source->strength / std::pow(problem.spacing, problem.dimension - 2);
    return typename ScaledSource<T>::Spike{static_cast<std::ptrdiff_t>(i),
                                           static_cast<std::ptrdiff_t>(j),
                                           static_cast<std::ptrdiff_t>(k), static_cast<T>(value)};
}

/// As scaledSpike(), with rows or planes counted from the slab's first one: beyond it for a spike
/// that is not in it.
template <typename T>
std::optional<typename ScaledSource<T>::Spike> scaledSpike(const PoissonProblem &problem,
                                                           const Slab &slab)
{
    auto spike = scaledSpike<T>(problem);
    if (spike)
        (problem.dimension == 3 ? spike->k : spike->j) -= static_cast<std::ptrdiff_t>(slab.begin);
    return spike;
}

/// Of a slab of the problem.
template <typename T>
ScaledSource<T> scaledSource(const PoissonProblem &problem, const Slab &slab, const CpuDevice &cpu)
{
    ScaledSource<T> source;
    source.spike = scaledSpike<T>(problem, slab);
    if (source.spike || std::holds_alternative<std::monostate>(problem.source))
        return source;
    auto values = sampleSource(problem, slab);
    for (double &value : values)
        value *= problem.spacing * problem.spacing;
    source.grid.emplace(unknownsOf(problem, slab), problem.dimension, cpu);
    source.grid->assign(std::span<const double>(values));
    return source;
}

} // namespace gridhelm::solvers
