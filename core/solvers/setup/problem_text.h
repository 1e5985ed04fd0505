// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the problems of all solvers are made of, as people write it: "512x256", "gradient:1,2",
// "field.vti". `what` names the place in messages.
#pragma once

#include "core/solvers/precision.h"

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gridhelm::solvers {

/// "float" or "double". Throws Error; `what` names the option.
Precision parsePrecision(const std::string &text, std::string_view what);
std::string_view nameOf(Precision precision);

/// Exactly three numbers, separated by commas; the last `optional` ones may be left out and keep
/// the value that they have in `usual`. Throws Error.
std::array<double, 3> parsePosition(const std::string &text, std::string_view what,
                                    std::array<double, 3> usual = {}, std::size_t optional = 0);

/// A name that begins a formula, and the numbers behind it: "gradient:1,2".
struct Formula
{
    std::string name;
    std::vector<double> numbers;
};
Formula parseFormula(const std::string &text, std::string_view what);

/// Whether the text looks like the name of a file rather than that of a formula: it has a dot or a
/// slash in the part before a colon.
bool isFileName(const std::string &text);

/// One value for each point: raw float64 (.f64), text, or the first array of a .vti file of that
/// many points. Throws Error, before it allocates what does not fit.
std::vector<double> readPointValues(const std::string &path,
                                    const std::array<std::size_t, 3> &points,
                                    std::string_view what);

/// "512 x 512".
std::string describeSize(const std::array<std::size_t, 3> &points, int dimension);

} // namespace gridhelm::solvers
