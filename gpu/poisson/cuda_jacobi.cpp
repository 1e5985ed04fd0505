// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/poisson/cuda_jacobi.h"

#include "core/solvers/jacobi/iterations.h"
#include "core/support/error.h"
#include "gpu/poisson/device_values.h"
#include "gpu/poisson/jacobi/kernels.h"
#include "gpu/poisson/work_queue.h"
#include "gpu/support/require_device.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <utility>

namespace gridhelm::gpu {
namespace {

using solvers::JacobiMethod;
using solvers::JacobiOptions;
using solvers::PoissonProblem;
using solvers::StepReport;
using solvers::jacobi::Pass;

/// The present values, and a grid that takes the next ones.
///
/// An iteration finds the residual of the values that it begins with for hardly more than its own
/// time. So the exact methods make the next iteration when they are asked for the residual; it
/// counts when they are asked for a pass, unless a parameter has been changed before.
template <typename T>
class CudaIterations final : public solvers::jacobi::Iterations<T>
{
public:
    CudaIterations(const PoissonProblem &problem, const JacobiOptions &options)
        : m_options(options)
        , m_grid(gridViewOf<T>(problem))
        , m_portion(WorkQueue::portion(problem.count()))
        , m_present(m_grid, m_queue.stream())
        , m_next(m_grid, m_queue.stream())
    {
        if (problem.initialGuess)
            m_present.assign(*problem.initialGuess, 1, m_queue.stream());
        if (m_grid.spikeX < 0) {
            if (const auto f = solvers::sampleSource(problem); !f.empty()) {
                m_source = DeviceValues<T>(m_grid, m_queue.stream());
                m_source.assign(f, problem.spacing * problem.spacing, m_queue.stream());
                m_grid.source = m_source.data();
            }
        }
    }

    Pass pass(std::uint64_t most) override
    {
        if (m_ahead) {
            std::swap(m_present, m_next);
            return std::exchange(m_ahead, std::nullopt)->pass;
        }
        return isAsynchronous() ? launches(most) : iterations(most);
    }

    void copyValues(std::span<T> values) const override
    {
        m_present.copyTo(values, m_queue.stream());
    }

    void setParameters(const PoissonProblem &problem) override
    {
        gpu::setParameters(m_grid, problem);
        m_ahead.reset();
    }

    double scaledResidual() const override
    {
        if (m_ahead)
            return m_ahead->residual;
        const auto begin = std::chrono::steady_clock::now();
        const auto slots = m_figures.begin(jacobi::tunedBlocks(m_grid), m_queue.stream());
        T *target = isAsynchronous() ? nullptr : m_next.data();
        jacobi::iterateTuned(m_grid, m_present.data(), target, &slots, m_queue.stream());
        const auto found = m_figures.read(true, m_queue.stream());
        const double residual = std::sqrt(found.squaredResidual);
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
        if (!isAsynchronous())
            m_ahead = Ahead{{1, found.largestChange, seconds.count()}, residual};
        return residual;
    }

private:
    /// An iteration that has been made, but not asked for yet.
    struct Ahead
    {
        Pass pass;
        double residual; ///< of the values before it
    };

    bool isAsynchronous() const { return m_options.method >= JacobiMethod::async0; }

    /// One launch, or as many full ones as there is time for.
    Pass launches(std::uint64_t most)
    {
        const auto full = static_cast<std::uint64_t>(m_options.asyncFactor) + 1;
        const int rows = jacobi::asyncTileRows(m_options.tile[1]);
        std::uint64_t done = 0;
        do {
            // The last launch is shorter if that many iterations are not wanted any more.
            const auto now = std::min(full, most - done);
            jacobi::launchAsync(m_grid, m_options.method, static_cast<int>(now) - 1, rows,
                                m_present.data(), m_next.data(), m_queue.stream());
            std::swap(m_present, m_next);
            done += now;
        } while (done < most && done + full <= m_portion);
        waitAfter(done == most);
        return {done, StepReport::none};
    }

    Pass iterations(std::uint64_t most)
    {
        const auto count = std::min(most, m_portion);
        const bool isEnd = count == most;
        FigureSlots slots;
        if (isEnd) // which is when the last change is of interest
            slots = m_figures.begin(jacobi::tunedBlocks(m_grid), m_queue.stream());
        for (std::uint64_t done = 0; done < count;) {
            const int depth = depthFor(count - done);
            done += static_cast<std::uint64_t>(depth);
            const auto *figures = isEnd && done == count ? &slots : nullptr;
            if (depth == 1)
                jacobi::iterateTuned(m_grid, m_present.data(), m_next.data(), figures,
                                     m_queue.stream());
            else
                jacobi::iterateTemporal(m_grid, depth, m_present.data(), m_next.data(), figures,
                                        m_queue.stream());
            std::swap(m_present, m_next);
        }
        if (isEnd)
            return {count, m_figures.read(false, m_queue.stream()).largestChange};
        waitAfter(false);
        return {count, StepReport::none};
    }

    /// Iterations of the next pass over memory.
    int depthFor(std::uint64_t most) const
    {
        if (m_options.method != JacobiMethod::temporal)
            return 1;
        const int wanted = m_options.depth > 0 ? m_options.depth : jacobi::usualDepth(m_grid);
        return jacobi::passDepth(
            static_cast<int>(std::min(static_cast<std::uint64_t>(wanted), most)));
    }

    void waitAfter(bool isEnd)
    {
        if (isEnd)
            m_queue.waitForAll();
        else
            m_queue.waitForRoom();
    }

    JacobiOptions m_options;
    GridView<T> m_grid;
    std::uint64_t m_portion;
    WorkQueue m_queue;
    DeviceValues<T> m_present;
    DeviceValues<T> m_next;
    DeviceValues<T> m_source; ///< h^2 f; empty unless f is an array
    mutable Figures m_figures;
    mutable std::optional<Ahead> m_ahead;
};

template <typename T>
std::unique_ptr<solvers::jacobi::Iterations<T>> makeIterations(const PoissonProblem &problem,
                                                               const JacobiOptions &options)
{
    return std::make_unique<CudaIterations<T>>(problem, options);
}

} // namespace

std::unique_ptr<solvers::Stepper> makeCudaJacobiStepper(PoissonProblem problem,
                                                        const JacobiOptions &options)
{
    requireDevice();
    if (options.method == JacobiMethod::naive)
        throw Error("the method naive is for the processor alone; choose tuned, or the back end "
                    "omp");
    return solvers::jacobi::makeStepper(std::move(problem), options, makeIterations<float>,
                                        makeIterations<double>);
}

} // namespace gridhelm::gpu
