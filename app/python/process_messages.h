// SPDX-License-Identifier: GPL-3.0-or-later
//
// What goes to processes that call the user's function, and what comes from them. The other side is
// gridhelm/_worker.py. Numbers are in this machine's order of bytes.
#pragma once

#include "data/campaign/job_runner.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gridhelm::python {

/// A run that is called for: its number, then parameters and times. One message each.
std::string callMessage(std::uint64_t number, const data::RunRequest &request);
/// The same where a message cannot be that long: it is in that open file of that process.
std::string callInFile(std::uint64_t number, int process, int file);

/// How a call has ended.
struct Answer
{
    std::uint64_t number = 0;
    bool hasFinished = false;
    double seconds = 0;             ///< that the function took
    std::string text = {};          ///< the traceback; or which arrays follow, as JSON
    std::vector<double> values = {}; ///< array after array
};

/// Answers of one process, as they come.
class AnswerReader
{
public:
    /// A stream, which is the caller's.
    explicit AnswerReader(int stream);

    /// Waits until there is something to be read of the next answer; false if there is not until
    /// then (never, without a time).
    bool wait(std::optional<std::chrono::steady_clock::time_point> until);
    /// The next answer; waits for all of it. Nothing: the process has ended.
    std::optional<Answer> next();
    /// Whether some of the next one has been read already.
    bool holdsMore() const { return m_begin < m_end; }

private:
    bool fill();
    bool take(std::span<char> out);

    int m_stream;
    std::vector<char> m_buffer;
    std::size_t m_begin = 0, m_end = 0; ///< of what was read, and not yet taken
};

} // namespace gridhelm::python
