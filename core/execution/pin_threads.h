// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/device.h"

#include <memory>

namespace gridhelm {

/// Pins each thread of the calling thread's OpenMP teams to a CPU of its own, out of those that the
/// process may use, cores before their second hardware threads. The destructor lets the threads run
/// where they were allowed to run before.
///
/// Threads end when a smaller team leaves them over, and new ones start where the calling thread
/// is: call pinAgain() where that may have happened.
class PinnedThreads
{
public:
    /// Throws gridhelm::Error if there are fewer CPUs than threads, or no way to pin.
    explicit PinnedThreads(const CpuDevice &cpu);
    ~PinnedThreads();
    PinnedThreads(const PinnedThreads &) = delete;
    PinnedThreads &operator=(const PinnedThreads &) = delete;

    void pinAgain();

private:
    struct Places;
    std::unique_ptr<Places> m_places;
};

} // namespace gridhelm
