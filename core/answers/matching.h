// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which parameters explain what was measured: misfit of a surrogate to measurements, and where it
// is smallest (docs/theory/analysis.md).
#pragma once

#include "core/answers/input_distribution.h"
#include "core/answers/response_model.h"
#include "core/execution/device.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace gridhelm::answers {

/// Measurements that are compared with the responses of one model, at the same known parameters (at
/// one time, say).
struct MeasuredGroup
{
    std::shared_ptr<const ResponseModel> model; ///< response k is compared with values[k]
    /// Of each parameter its coordinate in the unit cube, if it was known when this was measured.
    std::vector<std::optional<double>> known;
    std::vector<double> values;
    std::vector<double> deviations;  ///< standard deviations of the measurements, above 0
    std::vector<double> modelErrors; ///< of the surrogate, as standard deviations; empty: none
};

/// Independent normal errors. Thread-safe.
class Matching
{
public:
    /// Throws gridhelm::Error for no measurements, a deviation that is not above 0, numbers that
    /// are not finite, sizes that do not fit, and if every parameter is known to all.
    explicit Matching(std::vector<MeasuredGroup> groups);

    int dimension() const { return static_cast<int>(m_groups.front().known.size()); }
    /// Parameters that are not known to all groups, ascending: those to be found.
    const std::vector<std::size_t> &unknowns() const { return m_unknowns; }
    std::size_t measurements() const { return m_measurements; }

    /// (predicted - measured) / deviation of each measurement, group after group; the deviation is
    /// the root of the squares of both. `x`: of all parameters, in the unit cube.
    std::vector<double> residuals(std::span<const double> x) const;
    /// Their derivatives by the unknowns, measurements x unknowns.
    std::vector<double> jacobian(std::span<const double> x) const;
    /// Up to a constant: minus half the sum of the squares of the residuals.
    double logLikelihood(std::span<const double> x) const;
    std::vector<double> predicted(std::span<const double> x) const;

private:
    std::vector<double> placeOf(const MeasuredGroup &group, std::span<const double> x) const;

    std::vector<MeasuredGroup> m_groups;
    std::vector<double> m_sigmas; ///< of all measurements, with the model's
    std::vector<std::size_t> m_unknowns;
    std::size_t m_measurements = 0;
};

struct BestFit
{
    std::vector<double> x; ///< of all parameters, in the unit cube; known ones 0.5
    double chiSquare = 0;  ///< sum of the squared residuals
    std::size_t iterations = 0;
    std::size_t startsThatAgree = 0, starts = 0;
    /// Of the unknowns, whether the measurements determine it here: without, another value fits as
    /// well as long as others follow (a singular direction of the Jacobian has a part in it).
    std::vector<bool> isDetermined;
    bool cancelled = false; ///< stopped before its end: what was best until then
};

/// Where a fit is looked for: of each parameter the ends, in the unit cube.
struct SearchBox
{
    std::vector<double> low, high;
};
/// From end to end of what the prior thinks possible.
SearchBox boxOf(const Inputs &prior);

/// Levenberg and Marquardt's method inside of the box (none: the unit cube), from `start` if there
/// is one and else from the best of some places; steps are cut off at the faces. Throws
/// gridhelm::Error if the measurements are so far off that their misfit is no finite number.
/// `stop`: asked between steps.
BestFit bestFit(const Matching &matching, std::size_t starts = 8, std::uint64_t seed = 1,
                std::span<const double> start = {}, SearchBox box = {},
                const std::function<bool()> &stop = {});

} // namespace gridhelm::answers
