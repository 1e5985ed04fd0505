// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sparse/treatments/treatments.h"
#include "core/support/host_device.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gridhelm::sparse {

/// How the basis of one dimension behaves at x = 0 and x = 1: the place in the list of
/// treatments/treatments.h. Only those that the program itself names have a name here.
enum class BoundaryTreatment : std::uint8_t {
    zero,     ///< hat functions only: the function vanishes at both ends
    boundary, ///< level -1 adds the end points with the functions 1 - x and x
    modified, ///< no end points: constant level 0, outermost functions extrapolate linearly
};

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

} // namespace detail

/// use(treatment's type as a value), so that what it does is compiled for each of them.
#ifdef __CUDACC__
#pragma nv_exec_check_disable
#endif
template <typename Use>
GRIDHELM_HOST_DEVICE constexpr decltype(auto) withTreatment(BoundaryTreatment treatment, Use &&use)
{
    return detail::useTreatment(Treatments(), static_cast<int>(treatment), std::forward<Use>(use));
}

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
    return withTreatment(treatment, [](auto type) {
        constexpr bool arePoints = decltype(type)::ends.arePoints;
        return arePoints;
    });
}

/// Lowest level of a dimension: -1 with end points, 0 otherwise.
constexpr int lowestLevel(BoundaryTreatment treatment)
{
    return hasEndPoints(treatment) ? -1 : 0;
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
