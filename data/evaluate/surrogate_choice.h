// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which surrogate a field is evaluated by, where nobody has chosen it by hand
// (docs/theory/surrogates.md). Hold-outs have no part in it, but they take a choice back that they
// contradict.
#pragma once

#include "core/execution/execution_context.h"
#include "data/study/study.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

namespace gridhelm::data {

inline constexpr std::array surrogatesCompared{
    ErrorKind::sparseGridCompared, ErrorKind::krigingCompared, ErrorKind::olderHalfCompared,
    ErrorKind::sparseGridHeldOut, ErrorKind::krigingHeldOut};

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
    /// What exact surrogates are off at hold-outs: of the kind that was chosen by the above, and of
    /// the other one where that contradicted the choice (isContradicted()).
    std::optional<double> sparseGridHeldOut, krigingHeldOut;
    std::size_t holdOuts = 0; ///< runs that they are means over
    /// The other one it is then, since hold-outs say that it is much better.
    bool isTakenBack = false;

    /// What the kind that was chosen, and the other one, are off where they were compared.
    double own() const { return isKriging ? kriging.value_or(0) : sparseGrid; }
    double other() const { return isKriging ? sparseGrid : kriging.value_or(0); }
    std::optional<double> ownHeldOut() const
    {
        return isKriging ? krigingHeldOut : sparseGridHeldOut;
    }
    std::optional<double> otherHeldOut() const
    {
        return isKriging ? sparseGridHeldOut : krigingHeldOut;
    }
    /// Whether both were compared.
    bool areBothPossible() const
    {
        return kriging && std::isfinite(*kriging) && std::isfinite(sparseGrid);
    }
};

/// None: it was chosen by hand, or there was nothing to choose.
std::optional<SurrogateChoice> choiceOf(const Study &study, FieldIndex field);

/// Whether a field is so much further off at hold-outs than it was chosen by that this was no
/// guide: where runs are only in the middle of a parameter's range, as with few levels, they know
/// nothing of its ends. False where only one kind is possible.
bool isContradicted(const SurrogateChoice &choice, double heldOut);

/// Whether hold-outs contradict the choice, as far as they were measured with what is evaluated, of
/// which nothing was asked yet when it was made. What few bits and a cut may add is no
/// contradiction.
bool isInDoubt(const SurrogateChoice &choice, const Study &study, FieldIndex field);

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

/// The figures of one kind at the hold-outs, those of each run as measureErrors() has them. Of a
/// field of a vector study on a grid that has both exact kriging and coefficients; points that lack
/// these count as 0, as where it is shown. Of runs that are 0 everywhere, of which nothing is a
/// share, the figures are 0. When a stop is requested only a part comes back.
std::vector<ErrorFigure> compareAtHoldOuts(const Study &study, FieldIndex field, bool isKriging,
                                           const ExecutionContext &context,
                                           const std::stop_token &stop = {});

} // namespace gridhelm::data
