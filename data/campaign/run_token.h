// SPDX-License-Identifier: GPL-3.0-or-later
//
// What names one run elsewhere, unlike any other on any machine: NAME[-tNmM][-MARK[-WHAT]]-RANDOM,
// where NAME is the run's, N and M say how often its limits were raised, MARK is the study's
// deskMark(), WHAT says what is run (JobRunner::whatIsRun()), and RANDOM is 128 bits. Folders, jobs
// of a cluster and a study's submissions bear it.
#pragma once

#include "data/campaign/raised_limits.h"

#include <string>
#include <string_view>

namespace gridhelm::data {

struct RunToken
{
    std::string name; ///< empty: the text is no token
    RaisedLimits raised;
    std::string mark; ///< empty: none, as those of older programs
    std::string what; ///< likewise; 8 hexadecimal digits
};

/// As no other call on any machine returns it. `what` is left out where there is no mark.
std::string newToken(std::string_view name, RaisedLimits raised = {}, std::string_view mark = {},
                     std::string_view what = {});

/// The token's parts; all of an id before them is taken for the name.
RunToken partsOfToken(std::string_view token);
/// Whether the token's run may be one of this: it is, or one of both does not say.
bool mayRunThis(const RunToken &token, std::string_view what);

} // namespace gridhelm::data
