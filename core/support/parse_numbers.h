// SPDX-License-Identifier: GPL-3.0-or-later
//
// Numbers from text, with sentences for what is no number. `what` names the place in the sentence,
// e.g. "--dim" or "line 3 of points.csv".
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace gridhelm {

std::string_view trimmed(std::string_view text);

int parseInteger(std::string_view text, std::string_view what);
std::uint64_t parseIndex(std::string_view text, std::string_view what);
/// A finite number: NaN and infinities are refused.
double parseReal(std::string_view text, std::string_view what);
/// A share of a whole, "0.5%" or "0.005".
double parseShare(std::string_view text, std::string_view what);

/// "LOW:HIGH" as two numbers, in whatever order; nothing without a colon.
std::optional<std::pair<double, double>> parseRange(std::string_view text, std::string_view what);

/// Comma-separated lists; an empty text is an empty list.
std::vector<int> parseIntegers(std::string_view text, std::string_view what);
std::vector<std::uint64_t> parseIndices(std::string_view text, std::string_view what);
/// Appends to `out`, so that a file of many lines needs no vector for each.
void parseReals(std::string_view text, std::string_view what, std::vector<double> &out);

} // namespace gridhelm
