// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/execution_context.h"
#include "core/solvers/pmm/planes_here.h"
#include "core/solvers/pmm/pmm_run.h"
#include "core/solvers/pmm/pmm_settings.h"
#include "gpu/pmm/abandonment.h"
#include "gpu/pmm/cuda_pmm_share.h"
#include "gpu/support/buffer.h"
#include "gpu/support/peer_ranks.h"

#include <cstddef>
#include <exception>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace gridhelm::gpu {

/// solvers::PmmStepper on the context's first GPU, on those of its team (CudaPmmShare), or on one
/// of each rank (then everything is collective but what only reads); they have to reach each
/// other's memory. The partition is `repartition`. Throws BackendError if they do not, and
/// gridhelm::Error for another partition, and for other devices in the team.
///
/// If one GPU fails in a sweep, the others give up waiting for it, and what it threw ends the
/// sweep; so does every sweep that follows, until a live parameter begins the run anew. Of ranks
/// the one that failed alone knows: it has to end the run.
template <typename T>
class CudaPmmStepper : public solvers::Stepper
{
public:
    CudaPmmStepper(const solvers::PmmProblem &problem, const solvers::PmmSettings &settings,
                   const ExecutionContext &context, const CudaPmmChoices &choices = {});

    ~CudaPmmStepper() override;
    CudaPmmStepper(CudaPmmStepper &&) = default;
    CudaPmmStepper &operator=(CudaPmmStepper &&) = delete;

    std::string_view method() const override { return m_run->method(); }
    ComputedOn computedOn() const override;
    void advance(std::uint64_t iterations, std::stop_token stop = {}) override;
    solvers::StepReport report() const override;
    solvers::FieldView field() const override;
    solvers::FieldPart part() const override;
    double roundOff() const override { return m_planes->roundOff(timesHere()); }
    std::vector<solvers::LiveParameter> liveParameters() const override
    {
        return m_run->liveParameters();
    }
    void setLiveParameter(std::string_view name, double value) override;

    /// As solvers::PmmStepper's, whose CPU looks at the guess.
    double guessStretch() const { return m_guessStretch; }

private:
    void makeShares(const std::vector<GpuDevice> &gpus, const ExecutionContext &context,
                    const CudaPmmChoices &choices);
    void makeShare(const solvers::PmmSlabs &slabs, std::size_t index, const GpuDevice &gpu,
                   const CudaPmmChoices &choices);
    void connect();
    std::vector<PmmShareMemory<T>> reachedMemory(const PmmShareMemory<T> &mine) const;
    /// What each share enqueues from now on begins after what all have enqueued until now.
    void meet();
    /// For each share of this process, while its GPU is current.
    template <typename Do>
    void each(Do action) const;
    /// Of all shares, with those of the other GPUs.
    void subSweeps(std::size_t axis);
    void restart();
    void setSources();
    void setGuess();
    double sweep();
    void enqueueSweep();
    /// Until all shares have done what was enqueued, or one has failed.
    void awaitAll() const;
    /// All shares end what they do, which is of no use any more.
    void abandon() noexcept;
    std::span<const T> timesHere() const;

    CpuDevice m_cpu;
    std::unique_ptr<solvers::PmmRun> m_run; ///< which the shares look at
    solvers::PmmSettings m_settings;
    bool m_exchangesForX;
    bool m_dividesAgain = false;
    std::optional<Abandonment> m_abandonment; ///< from the first GPU on
    std::exception_ptr m_failure;             ///< of a sweep since the run began
    std::optional<GpuDevice> m_gpu;           ///< the first one of this process
    std::vector<PmmParts> m_parts;            ///< of all shares
    std::optional<solvers::PlanesHere<T>> m_planes;
    std::vector<std::unique_ptr<CudaPmmShare<T>>> m_shares; ///< of this process
    std::unique_ptr<PeerRanks> m_peers; ///< with ranks; behind the memory that they reach
    double m_guessStretch = std::numeric_limits<double>::infinity();
    int m_subSweep = 0;
    unsigned m_beginning = progressOf(1); ///< beyond the zeros that are there at first
    mutable PinnedBuffer<T> m_field;
    mutable bool m_fieldIsPresent = false;
};

extern template class CudaPmmStepper<float>;
extern template class CudaPmmStepper<double>;

} // namespace gridhelm::gpu
