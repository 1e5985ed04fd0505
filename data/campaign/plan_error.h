// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/support/error.h"

#include <cstddef>
#include <string>

namespace gridhelm::data {

inline constexpr std::size_t largestPlanText = std::size_t{1} << 20; ///< bytes

/// What is wrong with a plan, and in which line.
class PlanError : public Error
{
public:
    PlanError(const std::string &sentence, int line)
        : Error(sentence)
        , m_line(line)
    {
    }

    int line() const { return m_line; } ///< from 1; 0: the plan as a whole

private:
    int m_line;
};

} // namespace gridhelm::data
