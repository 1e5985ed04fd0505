// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sparse/level_vector.h"
#include "core/sparse/treatments/treatments.h"
#include "core/support/host_device.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gridhelm::sparse {

/// How the basis of one dimension behaves at x = 0 and x = 1, and which points it has: the place in
/// the lists of treatments/treatments.h. Only those that the program itself names have a name here.
enum class BoundaryTreatment : std::uint8_t {
    zero,     ///< hat functions only: the function vanishes at both ends
    boundary, ///< level -1 adds the end points with the functions 1 - x and x
    modified, ///< no end points: constant level 0, outermost functions extrapolate linearly
    clenshawCurtis = Treatments::size, ///< level 1 is x = 0 and x = 1
    leja,                              ///< every level is one point
};

/// Whether the points of level l >= 0 are the middles of 2^l cells (Treatments).
GRIDHELM_HOST_DEVICE constexpr bool hasCells(BoundaryTreatment treatment)
{
    return static_cast<int>(treatment) < Treatments::size;
}

namespace detail {

#ifdef __CUDACC__
#pragma nv_exec_check_disable
#endif
template <typename Use, typename First, typename... Others>
GRIDHELM_HOST_DEVICE constexpr decltype(auto) useTreatment(TreatmentList<First, Others...>,
                                                           int index, Use &&use)
{
    static_assert(areConsistent(First::ends), "see areConsistent()");
    if constexpr (sizeof...(Others) == 0) {
        return use(First());
    } else {
        if (index == 0)
            return use(First());
        return useTreatment(TreatmentList<Others...>(), index - 1, std::forward<Use>(use));
    }
}

#ifdef __CUDACC__
#pragma nv_exec_check_disable
#endif
template <typename Use, typename First, typename... Others>
GRIDHELM_HOST_DEVICE constexpr decltype(auto) useOtherTreatment(TreatmentList<First, Others...>,
                                                                int index, Use &&use)
{
    if constexpr (sizeof...(Others) == 0) {
        return use(First());
    } else {
        if (index == 0)
            return use(First());
        return useOtherTreatment(TreatmentList<Others...>(), index - 1, std::forward<Use>(use));
    }
}

} // namespace detail

/// use(treatment's type as a value), so that what it does is compiled for each of them. For
/// treatments that have cells.
#ifdef __CUDACC__
#pragma nv_exec_check_disable
#endif
template <typename Use>
GRIDHELM_HOST_DEVICE constexpr decltype(auto) withTreatment(BoundaryTreatment treatment, Use &&use)
{
    return detail::useTreatment(Treatments(), static_cast<int>(treatment), std::forward<Use>(use));
}

/// The same for those with other points.
#ifdef __CUDACC__
#pragma nv_exec_check_disable
#endif
template <typename Use>
GRIDHELM_HOST_DEVICE constexpr decltype(auto) withOtherTreatment(BoundaryTreatment treatment,
                                                                 Use &&use)
{
    return detail::useOtherTreatment(
        OtherTreatments(), static_cast<int>(treatment) - Treatments::size, std::forward<Use>(use));
}

/// The same for all.
template <typename Use>
constexpr decltype(auto) withAnyTreatment(BoundaryTreatment treatment, Use &&use)
{
    return hasCells(treatment) ? withTreatment(treatment, use) : withOtherTreatment(treatment, use);
}

/// Of a treatment that has cells.
GRIDHELM_HOST_DEVICE constexpr TreatmentEnds endsOf(BoundaryTreatment treatment)
{
    return withTreatment(treatment, [](auto type) {
        constexpr auto ends = decltype(type)::ends;
        return ends;
    });
}

/// Whether there is a level -1 with the points x = 0 and x = 1.
GRIDHELM_HOST_DEVICE constexpr bool hasEndPoints(BoundaryTreatment treatment)
{
    return hasCells(treatment) && withTreatment(treatment, [](auto type) {
               constexpr bool arePoints = decltype(type)::ends.arePoints;
               return arePoints;
           });
}

/// Lowest level of a dimension: -1 with end points, 0 otherwise.
constexpr int lowestLevel(BoundaryTreatment treatment)
{
    return hasEndPoints(treatment) ? -1 : 0;
}

/// Highest level that a dimension can have.
constexpr int highestLevelOf(BoundaryTreatment treatment)
{
    if (hasCells(treatment))
        return maximumLevel - 1;
    return withOtherTreatment(treatment, [](auto type) {
        constexpr int highest = decltype(type)::highestLevel;
        return highest;
    });
}

/// Highest degree that its functions can have: 1 if there is no choice.
constexpr int highestDegreeOf(BoundaryTreatment treatment)
{
    return withAnyTreatment(treatment, [](auto type) {
        constexpr int highest = decltype(type)::highestDegree;
        return highest;
    });
}

/// Binary logarithm of the number of points of a level in one dimension.
GRIDHELM_HOST_DEVICE constexpr int bitsOfLevel(BoundaryTreatment treatment, Level level)
{
    if (hasCells(treatment))
        return bitsInDimension(level);
    return withOtherTreatment(treatment, [&](auto type) { return decltype(type)::bits(level); });
}
constexpr std::uint64_t pointsOfLevel(BoundaryTreatment treatment, Level level)
{
    return std::uint64_t{1} << bitsOfLevel(treatment, level);
}

/// Coordinate of point `position` of a level: of cells (2 position + 1) 2^-(level + 1), or the end
/// point itself for level -1.
constexpr double pointCoordinate(BoundaryTreatment treatment, Level level, std::uint32_t position)
{
    if (!hasCells(treatment))
        return withOtherTreatment(
            treatment, [&](auto type) { return decltype(type)::coordinate(level, position); });
    if (level < 0)
        return position == 0 ? 0.0 : 1.0;
    return (2.0 * position + 1.0) / static_cast<double>(std::uint64_t{2} << level);
}

/// The first level that has the points x = 0 and x = 1, or the highest there can be and one more.
constexpr int levelOfEnds(BoundaryTreatment treatment)
{
    for (int level = lowestLevel(treatment); level <= highestLevelOf(treatment); ++level) {
        const auto l = static_cast<Level>(level);
        if (pointCoordinate(treatment, l,
                            static_cast<std::uint32_t>(pointsOfLevel(treatment, l) - 1))
            == 1)
            return level;
    }
    return highestLevelOf(treatment) + 1;
}

static_assert(hasEndPoints(BoundaryTreatment::boundary)
              && isConstantOnLevelZero(endsOf(BoundaryTreatment::modified)));

/// All there are, in the order of their numbers.
std::vector<BoundaryTreatment> boundaryTreatments();

std::string_view toString(BoundaryTreatment treatment);
std::optional<BoundaryTreatment> findBoundaryTreatment(std::string_view name);

/// Of all of them, for sentences: "zero, boundary or modified".
std::string boundaryTreatmentNames();
/// The same with what each does at 0 and 1: "zero (the function vanishes), boundary (...) or ...".
std::string boundaryTreatmentHelp();

/// Parses the name of a treatment, or a comma-separated list of `dimension` of them (one value
/// stands for all dimensions). Throws gridhelm::Error.
std::vector<BoundaryTreatment> parseBoundaryTreatments(std::string_view text, int dimension);

} // namespace gridhelm::sparse
