// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/execution_context.h"
#include "core/solvers/pmm/plane_march.h"
#include "core/solvers/pmm/pmm_grids.h"
#include "core/solvers/pmm/pmm_run.h"
#include "core/solvers/pmm/pmm_settings.h"
#include "core/solvers/stepper.h"

#include <limits>
#include <span>
#include <vector>

namespace gridhelm::solvers {

/// The parallel marching method, vectorised and parallel over the nodes of a plane; an iteration is
/// a sweep of six sub-sweeps. The result does not depend on the number of threads. A live parameter
/// starts the arrival times again from the source, or from the problem's guess if it is fit for
/// that (initial_guess.h); nodes that are not reached yet are infinite.
///
/// Reported: largestChange is the largest decrease of a value in a sub-sweep of the last sweep
/// (infinite if a node was reached for the first time). Flops are 130 (isotropic) or 430
/// (anisotropic) per node and sub-sweep: those of isotropic_update.h and anisotropic_update.h,
/// with roots, minima and comparisons as one each, and without what a varying medium costs. Bytes
/// are one value read and one written per node and sub-sweep, the coefficients of a varying medium,
/// and what the two transpositions of a sweep read and write.
template <typename T>
class PmmStepper : public Stepper
{
public:
    /// On the context's CPU.
    PmmStepper(const PmmProblem &problem, const PmmSettings &settings,
               const ExecutionContext &context);

    std::string_view method() const override { return m_run.method(); }
    ComputedOn computedOn() const override { return ComputedOn::cpu(); }
    void advance(std::uint64_t iterations, std::stop_token stop = {}) override;
    StepReport report() const override;
    FieldView field() const override;
    double roundOff() const override { return roundOffOf(std::span<const T>(times())); }
    std::vector<LiveParameter> liveParameters() const override { return m_run.liveParameters(); }
    void setLiveParameter(std::string_view name, double value) override;

    /// By what the problem's guess was stretched before the sweeps started from it: 1 if not at
    /// all, infinite if they started from the source alone (initial_guess.h).
    double guessStretch() const { return m_guessStretch; }

private:
    PmmGrids<T> makeGrids() const;
    void restart();
    void setMedium();
    void setSource();
    void setGuess();
    std::vector<T> arrivalsFrom(const std::vector<T> &times);
    T sweep(const PmmGrids<T> &from, PmmGrids<T> &to) const;
    T subSweep(PaddedGrid<T> PmmGrids<T>::*layout, const PmmGrids<T> &from, PmmGrids<T> &to,
               const MarchDirection<T> &direction) const;
    std::vector<T> unpadded(const PaddedGrid<T> &grid) const;
    const std::vector<T> &times() const;

    PmmRun m_run;
    PmmSettings m_settings;
    CpuDevice m_cpu;
    int m_updatesPerThread;
    PmmGrids<T> m_times;
    std::vector<PmmGrids<T>> m_coefficients; ///< of a varying medium, otherwise empty
    double m_guessStretch = std::numeric_limits<double>::infinity();
    mutable std::vector<T> m_field; ///< without padding; empty if out of date
};

extern template class PmmStepper<float>;
extern template class PmmStepper<double>;

} // namespace gridhelm::solvers
