// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/device.h"
#include "core/solvers/padded_grid.h"
#include "core/solvers/poisson_problem.h"
#include "core/solvers/sor/padded_sweeper.h"
#include "core/solvers/sor/red_black_kernel.h"

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace gridhelm::solvers {

/// A slab's values for red-black SOR: its two colours in one padded grid each, with half as long
/// rows, and its halos. Unknown (i, j, k) of the whole grid is red if i + j + k is even; here rows
/// and planes are counted from the slab's first one.
template <typename T>
class RedBlackGrid
{
public:
    RedBlackGrid(const PoissonProblem &whole, const Slab &slab, const CpuDevice &cpu)
        : RedBlackGrid(whole, slab, slab, cpu)
    {
    }
    /// Values of a slab, of which layers of another one are those that are read.
    RedBlackGrid(const PoissonProblem &whole, const Slab &slab, const Slab &own,
                 const CpuDevice &cpu)
        : m_slab(slab)
        , m_own(own)
        , m_unknowns(unknownsOf(whole, slab))
        , m_dimension(whole.dimension)
        , m_cpu(cpu)
        , m_spacing(whole.spacing)
        , m_sides(whole.sides)
        , m_values(makeColours())
    {
    }

    const Slab &slab() const { return m_slab; }
    const std::array<std::size_t, 3> &unknowns() const { return m_unknowns; }
    int dimension() const { return m_dimension; }
    const CpuDevice &cpu() const { return m_cpu; }
    bool hasSource() const { return !m_source.empty(); }
    std::size_t rowsOfLayer() const { return m_dimension == 3 ? m_unknowns[1] : 1; }
    /// Red is 0, black is 1.
    PaddedGrid<T> &colour(std::size_t index) { return m_values[index]; }
    const PaddedGrid<T> &colour(std::size_t index) const { return m_values[index]; }

    /// Of the whole grid, without padding; this takes the slab's and its halos'.
    void setValues(std::span<const double> whole)
    {
        assign(m_values, whole);
        setGhosts();
    }
    /// Of the layers from `firstLayer` on: this fills in those of its own.
    void copyValues(std::span<T> values, std::size_t firstLayer = 0) const
    {
        const auto before = firstLayer * rowsOfLayer() * m_unknowns[0];
        const auto visit = [&](std::ptrdiff_t j, std::ptrdiff_t k, std::size_t first) {
            const auto red = startOf(0, j, k);
            for (std::size_t i = 0; i < m_unknowns[0]; ++i)
                values[first - before + i] = m_values[i % 2 == red ? 0 : 1].row(j, k)[i / 2];
        };
        forEachRow(m_own.begin, m_own.end, visit);
    }
    /// h^2 f of the whole grid.
    void setScaledSource(std::span<const double> whole)
    {
        if (m_source.empty())
            m_source = makeColours();
        assign(m_source, whole);
    }
    void setSides(const std::array<SideCondition, 6> &sides)
    {
        m_sides = sides;
        setGhosts();
    }

    /// After values of layers begin .. end - 1 of the whole grid have been written, by another
    /// share.
    void followValues(std::size_t begin, std::size_t end)
    {
        if (hasNeumannSide(m_sides, m_dimension))
            setGhosts(begin, end);
    }

    /// Squares of h^2 times the residual, a sum for each row of the whole grid; this fills in those
    /// of its own layers.
    void squaredResiduals(std::span<double> whole) const
    {
        const auto rows = whole.subspan(m_own.begin * rowsOfLayer(), m_own.size() * rowsOfLayer());
        const auto before = (m_own.begin - m_slab.begin) * rowsOfLayer();
#pragma omp parallel for schedule(static) num_threads(m_cpu.threads)
        for (std::size_t r = 0; r < rows.size(); ++r) {
            const auto j = static_cast<std::ptrdiff_t>((before + r) % m_unknowns[1]);
            const auto k = static_cast<std::ptrdiff_t>((before + r) / m_unknowns[1]);
            rows[r] = squaredResidualOfRow(0, j, k) + squaredResidualOfRow(1, j, k);
        }
    }

    /// Unknowns of a colour, by relaxation factor w: in 3D rows begin .. end - 1 of plane `layer`,
    /// in 2D row `layer`, with begin = 0 and end = 1.
    void relax(std::ptrdiff_t layer, std::ptrdiff_t begin, std::ptrdiff_t end, std::size_t colour,
               T w)
    {
        const bool is3D = m_dimension == 3;
        const auto j = is3D ? begin : layer;
        const auto k = is3D ? layer : 0;
        ColouredRows<T> rows{};
        rows.own = m_values[colour].row(j, k);
        rows.other = m_values[1 - colour].row(j, k);
        rows.source = m_source.empty() ? nullptr : m_source[colour].row(j, k);
        rows.rowStride = m_values[colour].rowStride();
        rows.planeStride = is3D ? m_values[colour].planeStride() : 0;
        rows.rows = static_cast<std::size_t>(end - begin);
        rows.points = m_unknowns[0];
        rows.beginsOdd = startOf(colour, j, k) == 1;
        relaxColour<T>(rows, 1 - w, w / static_cast<T>(2 * m_dimension));
        if (!hasNeumannSide(m_sides, m_dimension))
            return;
        for (std::size_t r = 0; r < rows.rows; ++r)
            setGhostsBeside(j + static_cast<std::ptrdiff_t>(r), k, colour);
    }

private:
    using Colours = std::vector<PaddedGrid<T>>;

    Colours makeColours() const
    {
        const std::array<std::size_t, 3> points{(m_unknowns[0] + 1) / 2, m_unknowns[1],
                                                m_unknowns[2]};
        Colours colours;
        for (int colour = 0; colour < 2; ++colour)
            colours.emplace_back(points, m_dimension, m_cpu, halosOf(m_slab));
        return colours;
    }

    /// i of the first unknown of a colour in a row.
    std::size_t startOf(std::size_t colour, std::ptrdiff_t j, std::ptrdiff_t k) const
    {
        return (colour + m_slab.begin + static_cast<std::size_t>(j + k)) % 2;
    }

    /// visit(j, k, index in the whole grid of the row's first unknown) for every row of layers
    /// begin .. end - 1 of the whole grid.
    template <typename Visitor>
    void forEachRow(std::size_t begin, std::size_t end, Visitor visit) const
    {
        const auto rows = static_cast<std::ptrdiff_t>(rowsOfLayer());
        for (auto at = static_cast<std::ptrdiff_t>(begin); at < static_cast<std::ptrdiff_t>(end);
             ++at) {
            const auto layer = at - static_cast<std::ptrdiff_t>(m_slab.begin);
            for (std::ptrdiff_t row = 0; row < rows; ++row)
                visit(m_dimension == 3 ? row : layer, m_dimension == 3 ? layer : 0,
                      static_cast<std::size_t>(at * rows + row) * m_unknowns[0]);
        }
    }

    void assign(Colours &colours, std::span<const double> whole) const
    {
        const auto take = [&](std::ptrdiff_t j, std::ptrdiff_t k, std::size_t first) {
            const auto red = startOf(0, j, k);
            for (std::size_t i = 0; i < m_unknowns[0]; ++i)
                colours[i % 2 == red ? 0 : 1].row(j, k)[i / 2] = static_cast<T>(whole[first + i]);
        };
        const auto all = widened(m_slab, 1); // with the halos
        forEachRow(all.begin, all.end, take);
    }

    void setGhosts()
    {
        setGhosts(m_slab.begin, m_slab.end);
    }
    void setGhosts(std::size_t begin, std::size_t end)
    {
        forEachRow(begin, end, [&](std::ptrdiff_t j, std::ptrdiff_t k, std::size_t) {
            setGhostsBeside(j, k, 0);
            setGhostsBeside(j, k, 1);
        });
    }

    /// The ghosts beyond the unknowns of a colour in row (j, k): they have the other colour.
    void setGhostsBeside(std::ptrdiff_t j, std::ptrdiff_t k, std::size_t colour)
    {
        const T *row = m_values[colour].row(j, k);
        auto &ghosts = m_values[1 - colour];
        const auto start = startOf(colour, j, k);
        const auto count = (m_unknowns[0] + 1 - start) / 2;
        if (count == 0)
            return;
        if (start == 0)
            ghosts.row(j, k)[-1] = ghostValue(m_sides[0], m_spacing, row[0]);
        if ((m_unknowns[0] - 1) % 2 == start)
            ghosts.row(j, k)[m_unknowns[0] / 2] = ghostValue(m_sides[1], m_spacing, row[count - 1]);
        const auto lastRow = static_cast<std::ptrdiff_t>(m_unknowns[1]) - 1;
        const auto lastPlane = static_cast<std::ptrdiff_t>(m_unknowns[2]) - 1;
        const bool is3D = m_dimension == 3;
        const bool hasLow = !m_slab.hasLower(); // of the last axis: a side
        const bool hasHigh = !m_slab.hasUpper();
        if (j == 0 && (is3D || hasLow))
            setGhostRow(ghosts.row(-1, k), row, count, m_sides[2], m_spacing);
        if (j == lastRow && (is3D || hasHigh))
            setGhostRow(ghosts.row(lastRow + 1, k), row, count, m_sides[3], m_spacing);
        if (!is3D)
            return;
        if (k == 0 && hasLow)
            setGhostRow(ghosts.row(j, -1), row, count, m_sides[4], m_spacing);
        if (k == lastPlane && hasHigh)
            setGhostRow(ghosts.row(j, lastPlane + 1), row, count, m_sides[5], m_spacing);
    }

    /// Of one colour's unknowns, in units of 1 / h^2, in double.
    double squaredResidualOfRow(std::size_t colour, std::ptrdiff_t j, std::ptrdiff_t k) const
    {
        const auto start = startOf(colour, j, k);
        const auto count = static_cast<std::ptrdiff_t>((m_unknowns[0] + 1 - start) / 2);
        const T *own = m_values[colour].row(j, k);
        const T *other = m_values[1 - colour].row(j, k);
        const T *f = m_source.empty() ? nullptr : m_source[colour].row(j, k);
        const std::ptrdiff_t besides = start == 1 ? 1 : -1;
        const auto toRow = m_values[0].rowStride();
        const auto toPlane = m_values[0].planeStride();
        const auto at = [&](std::ptrdiff_t i) { return static_cast<double>(other[i]); };
        // Several sums, so that no addition waits for the one before.
        std::array<double, 4> sums{};
        for (std::ptrdiff_t i = 0; i < count; ++i) {
            double r = at(i) + at(i + besides) + at(i - toRow) + at(i + toRow);
            if (m_dimension == 3)
                r += at(i - toPlane) + at(i + toPlane);
            if (f != nullptr)
                r += static_cast<double>(f[i]);
            r -= 2 * m_dimension * static_cast<double>(own[i]);
            sums[static_cast<std::size_t>(i) % 4] += r * r;
        }
        return (sums[0] + sums[1]) + (sums[2] + sums[3]);
    }

    Slab m_slab;
    Slab m_own;                            ///< layers of it
    std::array<std::size_t, 3> m_unknowns; ///< of the slab
    int m_dimension;
    CpuDevice m_cpu;
    double m_spacing;
    std::array<SideCondition, 6> m_sides;
    Colours m_values; ///< red, black
    Colours m_source; ///< h^2 f likewise, or none
};

} // namespace gridhelm::solvers
