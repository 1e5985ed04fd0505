// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the steppers of all back ends have in common: the problem with its live parameters, what it
// says about the propagation, and what was done.
#pragma once

#include "core/solvers/pmm/plane_kernel.h"
#include "core/solvers/pmm/pmm_problem.h"
#include "core/solvers/stepper.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <stop_token>
#include <string_view>
#include <vector>

namespace gridhelm::solvers {

class PmmRun
{
public:
    /// Of a problem that can be solved (requireSoluble), in values of so many bytes.
    PmmRun(const PmmProblem &problem, std::size_t valueBytes);

    const PmmProblem &problem() const { return m_problem; }
    bool isAnisotropic() const { return m_anisotropic; }
    std::string_view method() const;
    MediumCoefficients<double> coefficientsAt(std::size_t node) const;

    /// The largest decrease of a time as it is reported: infinite if a node was reached for the
    /// first time.
    template <typename T>
    static double reportedChange(T decrease)
    {
        return decrease > unreachedTime<T> / 2 ? std::numeric_limits<double>::infinity()
                                               : static_cast<double>(decrease);
    }

    /// Up to so many sweeps; `sweep` returns its reported change.
    template <typename Sweep>
    void advance(std::uint64_t sweeps, const std::optional<double> &stopChange,
                 const std::stop_token &stop, Sweep sweep)
    {
        const auto begin = std::chrono::steady_clock::now();
        for (std::uint64_t i = 0; i < sweeps && !stop.stop_requested(); ++i) {
            m_largestChange = sweep();
            countSweep();
            if (stopChange && m_largestChange <= *stopChange)
                break;
        }
        m_seconds +=
            std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    }

    /// Without the error.
    StepReport report() const;

    std::vector<LiveParameter> liveParameters() const;
    /// As Stepper's; whether anything changed, so that the times have to start again.
    bool setLiveParameter(std::string_view name, double value);

private:
    void begin();
    void countSweep();
    double &liveValue(std::string_view name);
    double advectionPerSpeed() const;

    PmmProblem m_problem;
    double m_valueBytes;
    double m_largestRatio; ///< of psi to F, unscaled, or of 1 to F if psi is the same everywhere
    bool m_anisotropic = false;
    std::uint64_t m_sweeps = 0;
    double m_largestChange = StepReport::none;
    double m_seconds = 0;
    double m_flops = 0;
    double m_bytes = 0;
};

/// Of the known solution, over all nodes of the times, which begin with a plane. T: float or
/// double.
template <typename T>
double largestError(const PmmProblem &problem, std::span<const T> times,
                    std::size_t firstPlane = 0);

/// Stepper::roundOff() of times as they are. T: float or double.
template <typename T>
double roundOffOf(std::span<const T> times);

} // namespace gridhelm::solvers
