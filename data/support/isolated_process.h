// SPDX-License-Identifier: GPL-3.0-or-later
//
// A copy of this process that does what may crash, hang, or take all memory: reading what others
// have written.
#pragma once

#include "core/support/descriptor.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <sys/types.h>

namespace gridhelm::data {

/// Lives as long as the object at most.
class IsolatedProcess
{
public:
    /// Calls `work` with the end of a pipe to write to; `work` must not return (it ends by _exit).
    /// It may take `memory` bytes more than this process has. `purpose`: "A mesh file cannot be
    /// read", for the gridhelm::Error if no process can be started.
    IsolatedProcess(const std::string &purpose, std::uint64_t memory,
                    const std::function<void(int pipe)> &work);
    ~IsolatedProcess();
    IsolatedProcess(const IsolatedProcess &) = delete;
    IsolatedProcess &operator=(const IsolatedProcess &) = delete;

    pid_t id() const { return m_id; }
    /// Whether it waits for a lock. A fork has one thread, so nobody will open it: another thread
    /// of this process held it at that moment, one of an allocator or a library. What to do is to
    /// try once more. False where the system does not tell.
    bool waitsForLock() const;
    int pipe() const { return m_pipe.get(); } ///< what `work` writes comes out here

private:
    Descriptor m_pipe;
    pid_t m_id = -1;
};

/// How something has gone in a process of its own.
enum class Isolated { well, crashed, tooLong, cancelled };

/// So often is something tried in a process of its own before it counts as one that hangs.
inline constexpr int isolatedTries = 5;

/// Does `work` in a process of its own; what it throws but std::bad_alloc counts as well. If that
/// process waits for a lock, in another one.
Isolated tryIsolated(const std::string &purpose, std::uint64_t memory,
                     std::chrono::milliseconds patience, const std::stop_token &stop,
                     const std::function<void()> &work);

} // namespace gridhelm::data
