// SPDX-License-Identifier: GPL-3.0-or-later
//
// Numbers as people write them in tables: "1,200.5", "1.5D+00", "2,5 mm".
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace gridhelm {

struct NumberStyle
{
    char decimal = '.';      ///< or ','
    bool areGrouped = false; ///< the other one of them stands between groups of three digits
};

struct WrittenNumber
{
    double value = 0;
    std::string_view unit; ///< what stands behind it, "mm", of the text that was read
};

/// Nothing if it is no finite number. Digits may also stand in groups of three between apostrophes
/// or no-break blanks.
std::optional<WrittenNumber> writtenNumber(std::string_view text, const NumberStyle &style);

/// What numbers say of the style of the table that they stand in.
class StyleEvidence
{
public:
    /// Counts the points and commas of a cell that is a number in some style; false if it is none.
    bool add(std::string_view text);

    /// With `commasSeparate` commas stand between columns, and so a decimal comma only in quotes.
    /// "1,200" alone is a decimal comma where they do not.
    NumberStyle style(bool commasSeparate) const;

private:
    std::size_t m_points = 0, m_commas = 0;         ///< that are decimal in one way of reading only
    std::size_t m_openPoints = 0, m_openCommas = 0; ///< "1.200": decimal, or between groups
    bool m_pointGroups = false, m_commaGroups = false;
};

} // namespace gridhelm
