// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <vector>

namespace gridhelm::data {

/// What is known about the time that one run takes.
struct RunTiming
{
    enum class State { waiting, running, ended, failed } state = State::waiting;
    double seconds = 0; ///< that it has taken so far
    double part = 0;    ///< of its work that is done, 0 .. 1; 0 if it does not say
};

/// How long it will take until all runs have ended, `atATime` of them at a time. Negative: no run
/// tells yet. Failed runs count as ended, but not for how long a run takes.
double secondsRemaining(const std::vector<RunTiming> &runs, std::size_t atATime);

} // namespace gridhelm::data
