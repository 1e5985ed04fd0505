// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a plan says of its command, as a form has it: the keys of [simulation] and [mesh] of a text
// that need not be a good plan yet. The text stays as it is but for the keys that change
// (edit_plan.h).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gridhelm::data {

struct CommandKeys
{
    std::vector<std::string> command; ///< the program and its arguments
    bool shell = false;               ///< `command` is one text, for /bin/sh
    std::string result;
    std::vector<std::string> templates;
    std::vector<std::string> fields; ///< to keep; empty: all
    std::map<std::string, std::string> environment;
    std::optional<double> timeLimit; ///< seconds
    std::string mesh;                ///< kind, see MeshKind; empty: not said
    std::vector<int> meshPoints;     ///< of a background grid

    bool operator==(const CommandKeys &) const = default;
};

/// Nothing if the text has no command, or is no TOML. What has another type than a plan wants is
/// as if it were not there.
std::optional<CommandKeys> commandKeysOf(std::string_view toml);

/// The text with these keys. Throws gridhelm::Error if it is no TOML, or has one of them written as
/// a table of its own.
std::string withCommandKeys(std::string_view toml, const CommandKeys &keys);

/// Every {from} of command, result and environment becomes {to}.
CommandKeys withRenamedPlaceholder(CommandKeys keys, const std::string &from,
                                   const std::string &to);

} // namespace gridhelm::data
