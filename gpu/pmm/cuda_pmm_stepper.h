// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/execution_context.h"
#include "core/solvers/pmm/pmm_run.h"
#include "core/solvers/pmm/pmm_settings.h"
#include "gpu/pmm/march.h"
#include "gpu/pmm/pmm_grid.h"
#include "gpu/support/buffer.h"
#include "gpu/support/on_gpu.h"
#include "gpu/support/stream.h"

#include <array>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace gridhelm::gpu {

/// How the planes are marched through: one way is fast, the others are what it is measured against.
struct CudaPmmChoices
{
    bool launchPerPlane = false;     ///< instead of one launch for all planes of a sub-sweep
    bool exchangeForX = true;        ///< sub-sweeps along x on a copy with x and y exchanged
    bool skipsUnchangedTiles = true; ///< instead of updating every tile in every sub-sweep
};

/// solvers::PmmStepper on the context's first GPU.
template <typename T>
class CudaPmmStepper : public solvers::Stepper
{
public:
    CudaPmmStepper(const solvers::PmmProblem &problem, const solvers::PmmSettings &settings,
                   const ExecutionContext &context, const CudaPmmChoices &choices = {});

    std::string_view method() const override { return m_run.method(); }
    ComputedOn computedOn() const override { return ComputedOn::gpu(m_gpu.index); }
    void advance(std::uint64_t iterations, std::stop_token stop = {}) override;
    solvers::StepReport report() const override;
    solvers::FieldView field() const override;
    std::vector<solvers::LiveParameter> liveParameters() const override
    {
        return m_run.liveParameters();
    }
    void setLiveParameter(std::string_view name, double value) override;

    /// As solvers::PmmStepper's, whose CPU looks at the guess.
    double guessStretch() const { return m_guessStretch; }

private:
    /// The grid with its rows along one axis, as on the CPU.
    struct Layout
    {
        PmmLayout layout;
        std::array<std::size_t, 3> axes; ///< x (0), y (1), z (2) in the order of memory
        DeviceBuffer<T> times;
        std::vector<DeviceBuffer<T>> coefficients; ///< of a varying medium, otherwise empty
    };

    /// While the GPU is current.
    CudaPmmStepper(const OnGpu &scope, const solvers::PmmProblem &problem,
                   const solvers::PmmSettings &settings, const ExecutionContext &context,
                   const CudaPmmChoices &choices);

    void restart();
    void setMedium();
    void setSources();
    void setGuess();
    double sweep();
    void subSweep(const Layout &layout, std::size_t normalAxis, std::size_t rowAxis, int sense);
    void exchange(const Layout &from, const Layout &to, int changedAfter);
    std::span<const T> times() const;

    GpuDevice m_gpu;
    CpuDevice m_cpu;
    solvers::PmmRun m_run;
    solvers::PmmSettings m_settings;
    CudaPmmChoices m_choices;
    Stream m_stream;
    Layout m_alongX;
    Layout m_alongY; ///< x and y exchanged
    std::array<std::size_t, 3> m_bricks;
    DeviceBuffer<int> m_changes; ///< per brick
    DeviceBuffer<unsigned> m_progress;
    DeviceBuffer<MarchOutcome> m_outcome;
    PinnedBuffer<MarchOutcome> m_outcomeHere;
    double m_guessStretch = std::numeric_limits<double>::infinity();
    int m_subSweep = 0;
    unsigned m_beginning = 0;
    mutable PinnedBuffer<T> m_field;
    mutable bool m_fieldIsPresent = false;
};

extern template class CudaPmmStepper<float>;
extern template class CudaPmmStepper<double>;

} // namespace gridhelm::gpu
