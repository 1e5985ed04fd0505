// SPDX-License-Identifier: GPL-3.0-or-later
//
// Jacobi's iterations on a GPU: one class for all methods, which differ in what they launch.
#include "core/execution/team.h"
#include "core/solvers/jacobi/async_options.h"
#include "core/solvers/jacobi/iterations.h"
#include "core/solvers/jacobi/temporal_options.h"
#include "core/solvers/poisson/methods.h"
#include "core/solvers/poisson/tuned_option.h"
#include "gpu/poisson/device_values.h"
#include "gpu/poisson/jacobi/cuda_shares.h"
#include "gpu/poisson/jacobi/hybrid_shares.h"
#include "gpu/poisson/jacobi/kernels.h"
#include "gpu/poisson/jacobi/look_ahead.h"
#include "gpu/poisson/jacobi/tuned_launch.h"
#include "gpu/poisson/methods.h"
#include "gpu/poisson/recorded_work.h"
#include "gpu/poisson/work_queue.h"
#include "gpu/support/on_gpu.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace gridhelm::gpu {
namespace {

using solvers::PoissonProblem;
using solvers::StepReport;
using solvers::jacobi::AsyncVariant;
using solvers::jacobi::Pass;

/// What is launched: passes of so many iterations (0: as many as suit the grid), or asynchronous
/// tiles.
struct Launches
{
    int depth = 1;
    std::optional<jacobi::AsyncChoice> async = {};
    jacobi::TunedLaunch tuned = {}; ///< of an iteration at a time
};

/// The present values, and a grid that takes the next ones.
///
/// The exact methods make the next iteration when they are asked for the residual, or some of them
/// (LookAhead); they count when they are asked for a pass, unless a parameter has been changed
/// before, or more iterations are made in one pass anyway.
template <typename T>
class CudaIterations final : public solvers::jacobi::Iterations<T>
{
public:
    /// Made while the GPU is current.
    CudaIterations(const PoissonProblem &problem, const Launches &launches, const GpuDevice &gpu)
        : m_gpu(gpu)
        , m_launches(launches)
        , m_grid(gridViewOf<T>(problem))
        , m_portion(wholePasses(WorkQueue::portion(problem.count())))
        , m_isSmall(problem.count() <= RecordedWork::mostUnknowns)
        , m_present(m_grid, m_queue.stream())
        , m_next(m_grid, m_queue.stream())
        , m_ahead(launches.depth == 1 && problem.count() <= aheadCount ? recordedPasses : 1)
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
        const OnGpu scope(m_gpu);
        if (m_ahead.has() && depthFor(most) == 1) {
            const auto taken = m_ahead.take(m_present, m_next);
            return {1, taken.largestChange, taken.seconds};
        }
        settle();
        return isAsynchronous() ? launches(most) : iterations(most);
    }

    void copyValues(std::span<T> values) const override
    {
        const OnGpu scope(m_gpu);
        settle();
        m_present.copyTo(values, m_queue.stream());
    }

    std::optional<ComputedOn> computedOn() const override { return ComputedOn::gpu(m_gpu.index); }

    void setParameters(const PoissonProblem &problem) override
    {
        const OnGpu scope(m_gpu);
        settle();
        gpu::setParameters(m_grid, problem);
        m_ahead.forget();
        m_recorded.reset();
    }

    double scaledResidual() const override
    {
        const OnGpu scope(m_gpu);
        if (!isAsynchronous()) {
            if (!m_ahead.has())
                m_ahead.make(m_grid, m_present, m_next, m_queue.stream());
            return m_ahead.residual();
        }
        const auto slots = m_reduction.begin(jacobi::tunedBlocks(m_grid), m_queue.stream());
        jacobi::iterateTuned(m_grid, m_present.data(), static_cast<T *>(nullptr), &slots,
                             m_queue.stream());
        return std::sqrt(m_reduction.read(true, m_queue.stream()).squaredResidual);
    }

private:
    /// Before anything but what is ahead uses the values.
    void settle() const { m_ahead.settle(m_grid, m_present, m_next, m_queue.stream()); }

    bool isAsynchronous() const { return m_launches.async.has_value(); }

    /// One launch, or as many full ones as there is time for.
    Pass launches(std::uint64_t most)
    {
        auto choice = *m_launches.async;
        const auto full = static_cast<std::uint64_t>(choice.alpha) + 1;
        if (!m_fringes)
            m_fringes.emplace(m_grid, LayerRange{0, m_grid.ny}, m_present.data(), m_queue.stream());
        std::uint64_t done = 0;
        do {
            // The last launch is shorter if that many iterations are not wanted any more.
            const auto now = std::min(full, most - done);
            choice.alpha = static_cast<int>(now) - 1;
            jacobi::launchAsync(m_grid, jacobi::asyncTiles(m_grid, choice), choice, *m_fringes,
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
        ReductionSlots slots;
        if (isEnd) // which is when the last change is of interest
            slots = m_reduction.begin(jacobi::tunedBlocks(m_grid), m_queue.stream());
        for (std::uint64_t done = 0; done < count;) {
            if (m_isSmall && count - done > recordedPasses * depthFor(count - done)) {
                done += repeatPasses(depthFor(count - done));
                continue;
            }
            const int depth = depthFor(count - done);
            done += static_cast<std::uint64_t>(depth);
            enqueuePass(depth, isEnd && done == count ? &slots : nullptr);
        }
        if (isEnd)
            return {count, m_reduction.read(false, m_queue.stream()).largestChange};
        waitAfter(false);
        return {count, StepReport::none};
    }

    void enqueuePass(int depth, const ReductionSlots *reduction)
    {
        if (depth == 1)
            jacobi::iterateTuned(m_grid, m_present.data(), m_next.data(), reduction,
                                 m_queue.stream(), m_launches.tuned);
        else
            jacobi::iterateTemporal(m_grid, depth, m_present.data(), m_next.data(), reduction,
                                    m_queue.stream());
        std::swap(m_present, m_next);
    }

    /// An even number of passes, after which the two grids have not changed places. Returns their
    /// iterations.
    std::uint64_t repeatPasses(int depth)
    {
        const auto before = std::exchange(m_recordedFrom, m_present.data());
        if (!m_recorded || before != m_recordedFrom) {
            m_recorded.emplace(m_queue.stream(), [&] {
                for (std::uint64_t i = 0; i < recordedPasses; ++i)
                    enqueuePass(depth, nullptr);
            });
        }
        m_recorded->enqueue(m_queue.stream());
        return recordedPasses * static_cast<std::uint64_t>(depth);
    }

    /// At least so many iterations, in passes of full depth: what is left over at the end of a
    /// portion would cost as much as a pass.
    std::uint64_t wholePasses(std::uint64_t iterations) const
    {
        const auto depth = static_cast<std::uint64_t>(depthFor(unlimited));
        return (iterations + depth - 1) / depth * depth;
    }

    /// Iterations of the next pass over memory.
    int depthFor(std::uint64_t most) const
    {
        if (m_launches.depth == 1)
            return 1;
        const int wanted = m_launches.depth > 0 ? m_launches.depth : jacobi::defaultDepth(m_grid);
        return jacobi::passDepth<T>(
            static_cast<int>(std::min(static_cast<std::uint64_t>(wanted), most)));
    }

    void waitAfter(bool isEnd)
    {
        if (isEnd)
            m_queue.waitForAll();
        else
            m_queue.waitForRoom();
    }

    static constexpr auto unlimited = std::numeric_limits<std::uint64_t>::max();
    static constexpr std::uint64_t recordedPasses = 64;
    static constexpr std::size_t aheadCount =
        1 << 25; ///< unknowns; larger ones hide the wait for a norm

    GpuDevice m_gpu;
    Launches m_launches;
    GridView<T> m_grid;
    std::uint64_t m_portion;
    bool m_isSmall;
    WorkQueue m_queue;
    mutable DeviceValues<T> m_present;
    mutable DeviceValues<T> m_next;
    DeviceValues<T> m_source;                    ///< h^2 f; empty unless f is an array
    std::optional<jacobi::Fringes<T>> m_fringes; ///< of the asynchronous methods
    std::optional<RecordedWork> m_recorded;
    const T *m_recordedFrom = nullptr; ///< the present values when it begins
    mutable BlockReduction m_reduction;
    mutable jacobi::LookAhead<T> m_ahead;
};

template <typename T>
using Made = std::unique_ptr<solvers::PoissonIterations<T>>;

template <typename T>
Made<T> makeTuned(const PoissonProblem &problem, const OptionValues &, const GpuDevice &gpu,
                  const TuningTable &tuning)
{
    Launches launches;
    launches.tuned = jacobi::tunedLaunch(tuning, sizeof(T), problem);
    return std::make_unique<CudaIterations<T>>(problem, launches, gpu);
}

/// `depth`: as makeCudaShares().
template <typename T>
Made<T> makeOnTeam(const PoissonProblem &problem, const ExecutionContext &context, int depth)
{
    using solvers::jacobi::DividedIterations;
    if (!isMixed(context.team()))
        return std::make_unique<DividedIterations<T>>(makeCudaShares<T>(problem, context, depth));
    if (auto shares = makeHybridShares<T>(problem, context, depth))
        return std::make_unique<DividedIterations<T>>(std::move(shares));
    const auto gpus = hybridTeam(context.team()).gpus;
    if (gpus.size() == 1) {
        const OnGpu scope(gpus.front());
        return std::make_unique<CudaIterations<T>>(problem, Launches{depth}, gpus.front());
    }
    return std::make_unique<DividedIterations<T>>(
        makeCudaShares<T>(problem, context.withTeam({gpus.begin(), gpus.end()}), depth),
        computedOn(gpus));
}

template <typename T>
Made<T> makeTunedOnTeam(const PoissonProblem &problem, const OptionValues &,
                        const ExecutionContext &context)
{
    return makeOnTeam<T>(problem, context, 1);
}

template <typename T>
int depthOf(const PoissonProblem &problem, const OptionValues &options, const TuningTable &tuning)
{
    const auto size = TuningTable::sizeClassOf(static_cast<double>(problem.count()));
    return solvers::tunedOption(solvers::jacobi::depthOption, options, tuning,
                                {"jacobi temporal", "gpu", sizeof(T), size});
}

template <typename T>
Made<T> makeTemporalOnTeam(const PoissonProblem &problem, const OptionValues &options,
                           const ExecutionContext &context)
{
    return makeOnTeam<T>(problem, context, depthOf<T>(problem, options, context.tuning()));
}

template <typename T>
Made<T> makeTemporal(const PoissonProblem &problem, const OptionValues &options,
                     const GpuDevice &gpu, const TuningTable &tuning)
{
    return std::make_unique<CudaIterations<T>>(problem,
                                               Launches{depthOf<T>(problem, options, tuning)}, gpu);
}

template <AsyncVariant variant>
jacobi::AsyncChoice choiceOf(const OptionValues &options)
{
    const auto [alpha, tile] = solvers::jacobi::asyncOptions(options);
    return {variant, alpha, jacobi::asyncTileRows(tile[1])};
}

template <typename T, AsyncVariant variant>
Made<T> makeAsync(const PoissonProblem &problem, const OptionValues &options, const GpuDevice &gpu,
                  const TuningTable &)
{
    return std::make_unique<CudaIterations<T>>(problem, Launches{1, choiceOf<variant>(options)},
                                               gpu);
}

template <typename T, AsyncVariant variant>
Made<T> makeAsyncOnTeam(const PoissonProblem &problem, const OptionValues &options,
                        const ExecutionContext &context)
{
    return std::make_unique<solvers::jacobi::DividedIterations<T>>(
        makeAsyncCudaShares<T>(problem, context, choiceOf<variant>(options)));
}

template <AsyncVariant variant>
constexpr CudaMethod onCuda(const solvers::PoissonMethod &method)
{
    return {&method, makeAsync<float, variant>, makeAsync<double, variant>,
            makeAsyncOnTeam<float, variant>, makeAsyncOnTeam<double, variant>};
}

} // namespace

constinit const CudaMethod tunedOnCuda{&solvers::tunedJacobi,   makeTuned<float>,
                                       makeTuned<double>,       makeTunedOnTeam<float>,
                                       makeTunedOnTeam<double>, true};
constinit const CudaMethod temporalOnCuda{&solvers::temporalJacobi,   makeTemporal<float>,
                                          makeTemporal<double>,       makeTemporalOnTeam<float>,
                                          makeTemporalOnTeam<double>, true};
constinit const CudaMethod async0OnCuda = onCuda<AsyncVariant::async0>(solvers::async0Jacobi);
constinit const CudaMethod async1OnCuda = onCuda<AsyncVariant::async1>(solvers::async1Jacobi);
constinit const CudaMethod async2OnCuda = onCuda<AsyncVariant::async2>(solvers::async2Jacobi);
constinit const CudaMethod async3OnCuda = onCuda<AsyncVariant::async3>(solvers::async3Jacobi);

} // namespace gridhelm::gpu
