// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/campaign/campaign_options.h"

#include <string>

namespace gridhelm::data {

/// Of a job's log: why it failed.
std::string lastLine(std::string text);
/// The same with the last line that the run's command has printed.
std::string failureIn(const std::string &log);

/// Whether nothing but one failure has been seen.
class AlikeFailures
{
public:
    void succeed() { m_isOver = true; }

    /// `name`: of the run. True once `failuresToStop` have failed alike, one after the other.
    bool fail(const std::string &failure, const std::string &name);

private:
    std::string m_kind;
    int m_count = 0;
    bool m_isOver = false; ///< something went well: it is worth going on
};

} // namespace gridhelm::data
