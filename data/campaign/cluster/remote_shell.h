// SPDX-License-Identifier: GPL-3.0-or-later
//
// Scripts on another machine, through the system's own ssh: the user's keys, agent, jump hosts and
// configuration. No password passes through us, and nothing is installed or left running there.
#pragma once

#include "core/support/descriptor.h"
#include "core/support/error.h"

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>

namespace gridhelm::data {

/// Throws gridhelm::Error if it is neither "local" nor the name of a host, with or without a user:
/// letters, digits and . _ @ -, the last not at the beginning (ssh would take it for an option).
void requireHostName(std::string_view host);

/// The host cannot be reached, or was cut off; another time it may be there.
class RemoteError : public Error
{
public:
    using Error::Error;
};

struct RemoteScript
{
    std::string text; ///< for /bin/sh
    /// Writes what the script reads from its standard input; may be empty.
    std::function<void(int descriptor)> input = {};
    std::uint64_t largest = 4 << 20; ///< bytes of an answer
    double timeLimit = 60;           ///< seconds
};

/// What a script has printed, in a file that goes with the object.
class RemoteAnswer
{
public:
    RemoteAnswer(Descriptor file, std::uint64_t begin, std::uint64_t end, int code,
                 std::string errors);

    int code() const { return m_code; }                    ///< the script's exit code
    const std::string &errors() const { return m_errors; } ///< of its standard error, the ends
    std::string text() const;
    /// Positioned where the answer begins; behind its end there are some bytes of ours.
    int file() const;

private:
    Descriptor m_file;
    std::uint64_t m_begin, m_end;
    int m_code;
    std::string m_errors;
};

class RemoteShell
{
public:
    /// `host`: or "local", for scripts on this machine (on a cluster's login node, say). Throws as
    /// requireHostName().
    explicit RemoteShell(std::string host);

    const std::string &host() const { return m_host; }

    /// What a login prints before and whatever shell the user has there do not matter. Throws
    /// RemoteError if the script cannot be brought there or its answer does not arrive whole, which
    /// says nothing of what it has done, gridhelm::Error for an
    /// answer that is too long, and StorageError if there is no place for temporary files.
    /// Thread-safe.
    RemoteAnswer run(const RemoteScript &script, const std::stop_token &stop = {}) const;

private:
    std::string m_host;
};

} // namespace gridhelm::data
