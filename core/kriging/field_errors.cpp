// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kriging/field_errors.h"

#include "core/support/error.h"

#include <algorithm>
#include <cmath>

namespace gridhelm::kriging {

FieldErrors fieldLeaveOneOut(std::span<const double> leaveOneOut,
                             std::span<const double> cutEnergies,
                             std::span<const double> squaredNorms)
{
    const std::size_t runs = squaredNorms.size();
    if (runs == 0 || leaveOneOut.size() % runs != 0
        || (!cutEnergies.empty() && cutEnergies.size() != runs))
        throw Error("errors of coefficients, cut energies and norms are not of as many runs: give "
                    "each run all of them");
    const auto isEnergy = [](double energy) { return std::isfinite(energy) && energy >= 0; };
    const auto isFinite = [](double error) { return std::isfinite(error); };
    if (!std::ranges::all_of(squaredNorms, isEnergy) || !std::ranges::all_of(cutEnergies, isEnergy)
        || !std::ranges::all_of(leaveOneOut, isFinite))
        throw Error("an energy of a run is negative, or an error no finite number: leave the run "
                    "out");
    const std::size_t modes = leaveOneOut.size() / runs;
    FieldErrors result;
    double squares = 0;
    for (std::size_t run = 0; run < runs; ++run) {
        double energy = cutEnergies.empty() ? 0 : cutEnergies[run];
        for (const double error : leaveOneOut.subspan(run * modes, modes))
            energy += error * error;
        if (squaredNorms[run] > 0)
            energy /= squaredNorms[run];
        const double relative = std::sqrt(energy);
        result.relative.push_back(relative);
        result.mean += relative / static_cast<double>(runs);
        result.largest = std::max(result.largest, relative);
        squares += energy;
    }
    result.rootMeanSquare = std::sqrt(squares / static_cast<double>(runs));
    return result;
}

} // namespace gridhelm::kriging
