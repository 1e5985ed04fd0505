// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/padded_grid.h"
#include "core/solvers/poisson/methods.h"
#include "core/solvers/poisson/tuned_option.h"
#include "core/solvers/sor/padded_sweeper.h"
#include "core/solvers/sor/red_black_kernel.h"
#include "core/solvers/sor/skewed_bands.h"
#include "core/solvers/sor/sor_iterations.h"
#include "core/solvers/sor/sor_options.h"
#include "core/support/flush_denormals.h"
#include "core/support/system_info.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <vector>

namespace gridhelm::solvers {

namespace {

constexpr std::size_t maxIterationsPerPass = 8;

/// Slabs in use by a pass of so many iterations: each half sweep adds one.
constexpr std::size_t slabsOf(std::size_t iterations)
{
    return 2 * iterations + 2;
}

/// The two colours in one padded grid each, with half as long rows.
template <typename T>
class RedBlackSweeper : public SorSweeper<T>
{
public:
    /// Iterations in a pass; 0: as many as the cache has room for.
    RedBlackSweeper(const PoissonProblem &problem, std::size_t requestedPass, const CpuDevice &cpu)
        : m_unknowns(problem.unknowns)
        , m_dimension(problem.dimension)
        , m_cpu(cpu)
        , m_requestedPass(requestedPass)
        , m_spacing(problem.spacing)
        , m_sides(problem.sides)
        , m_values(makeColours())
    {
    }

    std::uint64_t sweep(std::uint64_t iterations, T w, const std::stop_token &stop) override
    {
        const auto perPass = iterationsPerPass();
        std::uint64_t done = 0;
        while (done < iterations && !stop.stop_requested()) {
            const auto now = std::min<std::uint64_t>(perPass, iterations - done);
            pass(now, w);
            done += now;
        }
        return done;
    }

    void setValues(std::span<const double> values) override
    {
        assign(m_values, values);
        setGhosts();
    }

    void copyValues(std::span<T> values) const override
    {
        forEachRow([&](std::ptrdiff_t j, std::ptrdiff_t k, std::size_t first) {
            const auto red = startOf(0, j, k);
            for (std::size_t i = 0; i < m_unknowns[0]; ++i)
                values[first + i] = m_values[i % 2 == red ? 0 : 1].row(j, k)[i / 2];
        });
    }

    void setScaledSource(std::span<const double> scaled) override
    {
        if (m_source.empty())
            m_source = makeColours();
        assign(m_source, scaled);
    }

    void setSides(const std::array<SideCondition, 6> &sides) override
    {
        m_sides = sides;
        setGhosts();
    }

    double scaledResidualNorm() const override
    {
        std::vector<double> rows(m_unknowns[1] * m_unknowns[2]);
#pragma omp parallel for schedule(static) num_threads(m_cpu.threads)
        for (std::size_t r = 0; r < rows.size(); ++r) {
            const auto j = static_cast<std::ptrdiff_t>(r % m_unknowns[1]);
            const auto k = static_cast<std::ptrdiff_t>(r / m_unknowns[1]);
            rows[r] = squaredResidualOfRow(0, j, k) + squaredResidualOfRow(1, j, k);
        }
        double sum = 0;
        for (double row : rows)
            sum += row;
        return std::sqrt(sum);
    }

private:
    using Colours = std::vector<PaddedGrid<T>>;

    Colours makeColours() const
    {
        const std::array<std::size_t, 3> points{(m_unknowns[0] + 1) / 2, m_unknowns[1],
                                                m_unknowns[2]};
        Colours colours;
        for (int colour = 0; colour < 2; ++colour)
            colours.emplace_back(points, m_dimension, m_cpu);
        return colours;
    }

    std::size_t slabs() const
    {
        return m_dimension == 2 ? m_unknowns[1] : m_unknowns[2];
    }

    /// In the cache, of a row of both colours.
    std::size_t rowBytes() const
    {
        const std::size_t arrays = m_source.empty() ? 2 : 4;
        return static_cast<std::size_t>(m_values[0].rowStride()) * arrays * sizeof(T);
    }

    /// Rows of each slab that so many iterations keep in the cache: in 3D a part of a plane.
    std::size_t rowsInCache(std::size_t iterations) const
    {
        return m_cacheBytes / rowBytes() / slabsOf(iterations);
    }

    /// As many as the cache has room for; in 3D for bands of rows, each of which is moved by one
    /// row per half sweep, so that its border should be a small part of it.
    std::size_t iterationsPerPass() const
    {
        auto fitting = m_requestedPass != 0 ? m_requestedPass : maxIterationsPerPass;
        if (m_requestedPass == 0) {
            const auto needed = [&](std::size_t iterations) {
                return m_dimension == 2 ? 1 : std::min(m_unknowns[1], 4 * iterations);
            };
            while (fitting > 1 && rowsInCache(fitting) < needed(fitting))
                --fitting;
        }
        // Every thread must have a band; of few slabs, each half sweep needs 2 a thread.
        const auto banded = slabs() / (4 * static_cast<std::size_t>(m_cpu.threads));
        return m_cpu.threads > 1 ? std::clamp<std::size_t>(banded, 1, fitting) : fitting;
    }

    /// Some iterations in one pass over memory. In 3D it goes through all planes with one block of
    /// rows after the other. The block of every half sweep begins and ends one row below that of
    /// the half sweep before, so that all that a row needs is there: the rows beside it of the half
    /// sweep before, and none of them overwritten.
    void pass(std::size_t iterations, T w)
    {
        const auto rows = static_cast<std::ptrdiff_t>(m_dimension == 2 ? 1 : m_unknowns[1]);
        const auto halves = static_cast<std::ptrdiff_t>(2 * iterations);
        const auto step = m_dimension == 2 ? halves + 1
                                           : static_cast<std::ptrdiff_t>(std::max<std::size_t>(
                                               rowsInCache(iterations), 4 * iterations));
        for (std::ptrdiff_t first = 0; first < rows + halves - 1; first += step) {
            SkewedBands(slabs(), 2 * iterations, m_cpu,
                        [&](std::ptrdiff_t slab, std::ptrdiff_t half) {
                            const FlushDenormals flush;
                            const auto begin = std::max<std::ptrdiff_t>(first - half, 0);
                            const auto end = std::min(first + step - half, rows);
                            if (begin < end)
                                relaxSlab(slab, begin, end, static_cast<std::size_t>(half % 2), w);
                        })
                .run();
        }
    }

    /// i of the first unknown of a colour in a row.
    static std::size_t startOf(std::size_t colour, std::ptrdiff_t j, std::ptrdiff_t k)
    {
        return (colour + static_cast<std::size_t>(j + k)) % 2;
    }

    template <typename Visitor>
    void forEachRow(Visitor visit) const
    {
        m_values[0].forEachRow([&](std::ptrdiff_t j, std::ptrdiff_t k, std::size_t) {
            const auto row =
                static_cast<std::size_t>(k) * m_unknowns[1] + static_cast<std::size_t>(j);
            visit(j, k, row * m_unknowns[0]);
        });
    }

    void assign(Colours &colours, std::span<const double> values) const
    {
        forEachRow([&](std::ptrdiff_t j, std::ptrdiff_t k, std::size_t first) {
            const auto red = startOf(0, j, k);
            for (std::size_t i = 0; i < m_unknowns[0]; ++i)
                colours[i % 2 == red ? 0 : 1].row(j, k)[i / 2] = static_cast<T>(values[first + i]);
        });
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

    /// In 3D rows begin .. end - 1 of a plane, in 2D one row.
    void relaxSlab(std::ptrdiff_t slab, std::ptrdiff_t begin, std::ptrdiff_t end,
                   std::size_t colour, T w)
    {
        const bool is3D = m_dimension == 3;
        const auto j = is3D ? begin : slab;
        const auto k = is3D ? slab : 0;
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

    void setGhosts()
    {
        forEachRow([&](std::ptrdiff_t j, std::ptrdiff_t k, std::size_t) {
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
        if (j == 0)
            setGhostRow(ghosts.row(-1, k), row, count, m_sides[2], m_spacing);
        if (j == lastRow)
            setGhostRow(ghosts.row(lastRow + 1, k), row, count, m_sides[3], m_spacing);
        if (m_dimension == 2)
            return;
        if (k == 0)
            setGhostRow(ghosts.row(j, -1), row, count, m_sides[4], m_spacing);
        if (k == lastPlane)
            setGhostRow(ghosts.row(j, lastPlane + 1), row, count, m_sides[5], m_spacing);
    }

    std::array<std::size_t, 3> m_unknowns;
    int m_dimension;
    CpuDevice m_cpu;
    std::size_t m_requestedPass;
    /// What a pass over memory may use at a time: most of a core's own cache.
    std::size_t m_cacheBytes = static_cast<std::size_t>(coreCacheBytes()) / 8 * 7;
    double m_spacing;
    std::array<SideCondition, 6> m_sides;
    Colours m_values; ///< red, black
    Colours m_source; ///< h^2 f likewise, or none
};

template <typename T>
std::unique_ptr<PoissonIterations<T>>
make(const PoissonProblem &problem, const OptionValues &options, const ExecutionContext &context)
{
    const int pass = tunedOption(passOption, options, context.tuning(), "red-black", "cpu",
                                 sizeof(T), problem.count());
    return std::make_unique<SorIterations<T>>(
        problem, options,
        std::make_unique<RedBlackSweeper<T>>(problem, static_cast<std::size_t>(pass),
                                             context.cpu()));
}

constexpr std::array<const Option *, 2> redBlackOptions{&relaxationOption, &passOption};

} // namespace

constinit const PoissonMethod redBlackSor{
    .family = &sorFamily,
    .name = "red-black",
    .summary = "all unknowns with even i + j + k, then all others: parallel, 2D and 3D",
    .purpose = "The one to begin with: far fewer iterations than Jacobi, on all threads. The "
               "relaxation factor decides how many; the default is close to the best.",
    .options = redBlackOptions,
    .solves3D = true,
    .chosenValue = optimalRelaxation,
    .granule =
        [](const OptionValues &options) {
            const auto pass = static_cast<std::uint64_t>(wholeOf(passOption, options));
            return pass > 0 ? pass : std::uint64_t{maxIterationsPerPass};
        },
    .makeFloat = make<float>,
    .makeDouble = make<double>,
};

} // namespace gridhelm::solvers
