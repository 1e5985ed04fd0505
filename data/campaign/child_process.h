// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace gridhelm::data {

struct ChildRequest
{
    std::vector<std::string> arguments; ///< the program, searched in PATH, and what it gets
    std::filesystem::path folder;       ///< it works there
    std::vector<std::pair<std::string, std::string>> environment; ///< added to ours
    std::filesystem::path log; ///< a file for stdout and stderr; see BoundedLog
    double timeLimit = 0;      ///< seconds; 0: none
    /// Bytes, see memoryOfGroup(); 0: none. Looked at a few times a second: what takes much more
    /// within that is not stopped in time.
    std::uint64_t memoryLimit = 0;
    std::vector<int> cores = {}; ///< that it may run on; empty: those that we may
    double patience = 2;         ///< seconds between the request to end and being killed
};

struct ChildOutcome
{
    enum class End { exited, killed, timedOut, outOfMemory, stopped } end = End::exited;
    int code = 0;    ///< exit code, or the signal's number if killed
    std::string log; ///< what stdout and stderr said, as BoundedLog keeps it
};

/// Runs a program in a process group of its own (so that Ctrl-C reaches us alone), and waits for
/// it. At the end of a limit, or when stopped, the whole group is asked to end, and killed
/// after `patience`. What the program has started ends with it, and all of them end if we are
/// killed. Throws gridhelm::Error if it cannot be started. Thread-safe.
ChildOutcome runChild(const ChildRequest &request, const std::stop_token &stop);

} // namespace gridhelm::data
