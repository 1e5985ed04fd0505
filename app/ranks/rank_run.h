// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/ranks.h"

#include <functional>
#include <memory>
#include <string>

namespace gridhelm::app {

/// This process as one of those that mpirun has started (startedRanks() says that there are some):
/// from its beginning to its orderly end, to which all ranks come. One for a process, made before
/// any other thread: it blocks SIGINT, SIGTERM and SIGHUP for all threads, so that none of MPI's
/// own takes them from the one that waits for them.
///
/// If another rank's process ends before that, this one ends soon afterwards: of the ranks that are
/// left on a machine, the first one tells `say` so, in a sentence without a full stop.
class RankRun
{
public:
    using Say = std::function<void(const std::string &sentence)>; ///< from any thread

    /// Throws gridhelm::Error if this program, or the MPI that it was built with, is none for the
    /// mpirun that has started it.
    explicit RankRun(Say say);
    /// Waits for the others.
    ~RankRun();
    RankRun(const RankRun &) = delete;
    RankRun &operator=(const RankRun &) = delete;

    const std::shared_ptr<Ranks> &ranks() const;

    /// What one rank finds out when it has failed.
    struct Failure
    {
        bool isMineToTell = true; ///< of those that have failed, this is the first
        bool isOfAll = false;     ///< what all have run into, is told once, and all come to an end
    };
    /// This rank has failed: whether the others have, too, which takes a second unless they have.
    /// Only once, and then nothing but abandon() or the destructor.
    Failure fail();
    /// Ends all ranks that have not failed, too, with that exit code.
    [[noreturn]] void abandon(int exitCode);

private:
    struct Parts;
    std::unique_ptr<Parts> m_parts;
};

} // namespace gridhelm::app
