// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/device.h"
#include "core/solvers/padded_grid.h"
#include "core/solvers/padded_residual.h"
#include "core/solvers/scaled_source.h"
#include "core/solvers/sor/sor_sweeper.h"

#include <algorithm>

namespace gridhelm::solvers {

inline bool hasNeumannSide(const std::array<SideCondition, 6> &sides, int dimension)
{
    return std::any_of(sides.begin(), sides.begin() + 2 * dimension,
                       [](const auto &side) { return side.kind == SideKind::neumann; });
}

/// A sweeper whose values lie in one padded grid.
template <typename T>
class PaddedSweeper : public SorSweeper<T>
{
public:
    PaddedSweeper(const PoissonProblem &problem, const CpuDevice &cpu)
        : PaddedSweeper(problem, cpu, wholeSlab(problem))
    {
    }
    /// Of a slab alone: values and sources are those of its unknowns.
    PaddedSweeper(const PoissonProblem &problem, const CpuDevice &cpu, const Slab &slab)
        : m_cpu(cpu)
        , m_spacing(problem.spacing)
        , m_sides(problem.sides)
        , m_values(unknownsOf(problem, slab), problem.dimension, cpu, halosOf(slab))
    {
    }

    bool beginsWithZeros() const override { return true; }

    void setValues(std::span<const double> values) override
    {
        m_values.assign(values);
        setGhosts();
    }

    void copyValues(std::span<T> values) const override { m_values.copyTo(values); }

    void setScaledSource(std::span<const double> scaled) override
    {
        if (!m_source.grid)
            m_source.grid.emplace(m_values.points(), m_values.dimension(), m_cpu);
        m_source.grid->assign(scaled);
    }

    void setSides(const std::array<SideCondition, 6> &sides) override
    {
        m_sides = sides;
        setGhosts();
    }

    double scaledResidualNorm() const override
    {
        return solvers::scaledResidualNorm(m_values, m_source, m_cpu);
    }

protected:
    PaddedGrid<T> &values() { return m_values; }
    const PaddedGrid<T> &values() const { return m_values; }
    const ScaledSource<T> &scaledSource() const { return m_source; }
    /// h^2 f, or null.
    const PaddedGrid<T> *source() const { return m_source.grid ? &*m_source.grid : nullptr; }
    const std::array<SideCondition, 6> &sides() const { return m_sides; }
    double spacing() const { return m_spacing; }
    bool hasNeumannSide() const { return solvers::hasNeumannSide(m_sides, m_values.dimension()); }
    void setGhosts() { setAllGhosts(m_values, m_sides, m_spacing); }

private:
    CpuDevice m_cpu;
    double m_spacing;
    std::array<SideCondition, 6> m_sides;
    PaddedGrid<T> m_values;
    ScaledSource<T> m_source; ///< always an array, or none
};

} // namespace gridhelm::solvers
