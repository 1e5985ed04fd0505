// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace gridhelm::bench {

/// The operations on sparse grids that are zero at the boundary, by which machines are judged
/// ([Murarasu2013], chapters 3 to 5).
enum class OperationClass {
    hierarchization,
    interpolation, ///< at points without order
    shared,        ///< at points that share all coordinates but three
    cartesian,     ///< at all combinations of coordinates
    combination    ///< of rows: grids of vectors (`spvm`)
};

inline constexpr std::array operationClasses{
    OperationClass::hierarchization, OperationClass::interpolation, OperationClass::shared,
    OperationClass::cartesian, OperationClass::combination};

/// "hierarchization", "interpolation", "shared", "cartesian", "combination".
std::string_view nameOf(OperationClass operation);
std::optional<OperationClass> operationClassNamed(std::string_view name);

/// What its rates count: "points" or "values".
std::string_view unitOf(OperationClass operation);

} // namespace gridhelm::bench
