// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace gridhelm::data {

/// What a run that has failed had too little of.
enum class RunLimit { none, time, memory };

/// How often a run's limits were raised, as its plan allows, since runs of it have failed at them.
struct RaisedLimits
{
    int time = 0, memory = 0;

    int total() const { return time + memory; }
    bool operator==(const RaisedLimits &) const = default;
};

/// That a run is to be tried again.
struct Retry
{
    RaisedLimits raised;
    std::string how; ///< for people: "time = 1:00:00 (1 of 2)"
};

} // namespace gridhelm::data
