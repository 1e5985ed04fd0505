// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which surrogate a field is evaluated by, where nobody has chosen it by hand (ARCHITECTURE.md,
// "Which surrogate"). Hold-outs have no part in it.
#pragma once

#include "core/execution/execution_context.h"
#include "data/study/study.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

namespace gridhelm::data {

inline constexpr std::array surrogatesCompared{
    ErrorKind::sparseGridCompared, ErrorKind::krigingCompared, ErrorKind::olderHalfCompared};

/// What was chosen, and by which errors: means of relative L2 errors at the finest runs, without
/// all of these, or at runs off the grid. Infinite: there is no such surrogate.
struct SurrogateChoice
{
    bool isKriging = false;
    double sparseGrid = 0;
    std::optional<double> kriging; ///< none: too few runs are left without the finest ones
    std::size_t places = 0;        ///< snapshots of these runs, which they are means over
    bool isOffGrid = false; ///< runs that are no points of the grid, which does not know them
    /// Of the sparse grid of its older points alone (olderHalf()), which are so many; none unless
    /// it is off the grid, and has no times.
    std::optional<double> olderHalf;
    std::uint64_t olderPoints = 0;
    /// Of the degrees 1, 2, 3 where these were chosen from.
    std::array<std::optional<double>, 3> degrees;
    std::uint64_t gridPoints = 0;    ///< of the grid that was compared on
    std::uint64_t missingPoints = 0; ///< of these had no coefficients
};

/// None: it was chosen by hand, or there was nothing to choose.
std::optional<SurrogateChoice> choiceOf(const Study &study, FieldIndex field);

/// Whether the choice is made of what the study has now, and the field is evaluated by it.
bool isUpToDate(const SurrogateChoice &choice, const Study &study, FieldIndex field);

/// Figures that say what both kinds of surrogate of a field are off at the runs off the grid, each
/// predicted by all others (by the points of the grid, if it is the sparse grid), where there are
/// five or more; else at the finest runs without these; from which choiceOf() follows once they are
/// stored; there is one at least. The field of a vector study on a grid, with kriging (of all runs;
/// its hyperparameters are kept) unless it has too few runs for that. Points that lack coefficients
/// make a sparse grid infinitely wrong where it cannot be measured off the grid. When a stop is
/// requested only a part comes back.
std::vector<ErrorFigure> compareSurrogates(const Study &study, FieldIndex field,
                                           const ExecutionContext &context,
                                           const std::stop_token &stop = {});

} // namespace gridhelm::data
