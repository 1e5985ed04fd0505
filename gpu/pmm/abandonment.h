// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/support/buffer.h"

#include <atomic>

namespace gridhelm::gpu {

/// Tells kernels of several devices that wait for each other that one of them will not come, so
/// that the others end. It lies in the host's memory, where all see it while they run.
class Abandonment
{
public:
    Abandonment() { lower(); }

    /// What kernels look at: 0, or 1 once the march is abandoned.
    const int *flag() const { return m_flag.data(); }

    void raise() { std::atomic_ref(*m_flag.data()).store(1); }
    /// While no kernel runs.
    void lower() { std::atomic_ref(*m_flag.data()).store(0); }

private:
    PinnedBuffer<int> m_flag{1};
};

} // namespace gridhelm::gpu
