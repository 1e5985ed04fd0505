// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace gridhelm::kriging {

/// How far fields are off at runs that were left out.
struct FieldErrors
{
    std::vector<double> relative; ///< one for each run, in the norm of the modes
    double mean = 0;
    double rootMeanSquare = 0;
    double largest = 0;
};

/// Of fields that are sums of orthonormal modes times outputs (surrogates.md, eq:field-left-out).
/// `leaveOneOut` are runs x modes errors of the modes' coefficients (Fit::leaveOneOut);
/// `cutEnergies` are the squared norms of what the modes leave of each snapshot (empty: nothing),
/// and `squaredNorms` those of whole snapshots. Where one is 0, the error is the absolute one.
///
/// The modes have seen the run that is left out, so what it has in no other run's direction counts
/// as a coefficient that is predicted badly, not as one that is missing: the error is that of the
/// whole snapshot. Hyperparameters have seen it, too, and therefore errors are somewhat too small.
///
/// Throws gridhelm::Error unless there is a run, sizes fit, all is finite, and no energy negative.
FieldErrors fieldLeaveOneOut(std::span<const double> leaveOneOut,
                             std::span<const double> cutEnergies,
                             std::span<const double> squaredNorms);

} // namespace gridhelm::kriging
