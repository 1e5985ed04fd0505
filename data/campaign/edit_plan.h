// SPDX-License-Identifier: GPL-3.0-or-later
//
// Changes to the text of a plan that leave everything else of it, comments included, as it is. The
// text must be a plan (parsePlan() takes it); whether the changed one still is, parsePlan() says.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace gridhelm::data {

/// As TOML writes them.
std::string tomlText(std::string_view text);
std::string tomlNumber(double number);

/// Position of a parameter in the plan's space, directions of space first, as in
/// Plan::description.space.
using PlanParameter = std::size_t;

/// The key of a parameter gets this value, as TOML; without one the key is removed.
std::string withParameterKey(std::string_view toml, PlanParameter parameter, std::string_view key,
                             const std::optional<std::string> &value);
/// One parameter more, behind the others; its range is left out if `low` and `high` are.
std::string withParameter(std::string_view toml, std::string_view name, std::optional<double> low,
                          std::optional<double> high);
std::string withoutParameter(std::string_view toml, PlanParameter parameter);
/// The key of a table like [study], which is added if it is not there; without a value the key is
/// removed. Throws gridhelm::Error for a key that is a table of its own.
std::string withTableKey(std::string_view toml, std::string_view table, std::string_view key,
                         const std::optional<std::string> &value);
/// Without [table] and all that is in it; comments behind it stay.
std::string withoutTable(std::string_view toml, std::string_view table);

} // namespace gridhelm::data
