// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/computed_on.h"
#include "core/execution/crew.h"

#include <cstddef>
#include <functional>
#include <mutex>
#include <span>

namespace gridhelm::sparse {

/// The threads by which the devices of a team compute at the same time, for all that is loaded to
/// it. Thread-safe: one piece of work after the other, as the devices are taken.
class JointWork
{
public:
    explicit JointWork(std::size_t members)
        : m_crew(members)
    {
    }

    /// body(member) for each of `members`, at the same time; where there is but one, by the caller.
    /// Unites what they return. The first exception is thrown when all have ended.
    ComputedOn run(std::span<const std::size_t> members,
                   const std::function<ComputedOn(std::size_t)> &body);

private:
    std::mutex m_mutex;
    Crew m_crew;
};

} // namespace gridhelm::sparse
