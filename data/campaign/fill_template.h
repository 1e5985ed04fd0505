// SPDX-License-Identifier: GPL-3.0-or-later
//
// Placeholders: {name} becomes a value.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>

namespace gridhelm::data {

using PlaceholderValues = std::map<std::string, std::string, std::less<>>;

/// Every {name} of `values` replaced; other braces stay, for files of other programs are full of
/// them. What is filled in is not looked at again.
std::string fillTemplate(std::string_view text, const PlaceholderValues &values);

/// The same for a text that a shell will read: values are quoted for it where they need it; a list
/// of numbers is as many words.
std::string fillShellTemplate(std::string_view text, const PlaceholderValues &values);

/// The word in the braces that open at `begin`; empty if they hold no plain word.
std::string_view placeholderAt(std::string_view text, std::size_t begin);

/// Throws gridhelm::Error if a word in braces is none of the names. In a shell's text, ${word} and
/// what has other characters than a name is left alone.
void requireKnownPlaceholders(std::string_view text, std::span<const std::string> names,
                              bool shell);

/// As a placeholder shows it: 15 digits at most, so that the middle of 0.1 and 0.5 is 0.3 and not
/// 0.30000000000000004. Files are to be named by it, and read by programs that print fewer digits.
std::string numberText(double value);

} // namespace gridhelm::data
