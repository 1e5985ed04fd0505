// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/cluster/remote_shell.h"

#include "core/support/error.h"
#include "data/campaign/child_process.h"
#include "data/campaign/run_token.h"
#include "data/study/private_folder.h"
#include "data/study/storage_error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace gridhelm::data {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t longestHost = 255;
constexpr std::uint64_t room = 4096; ///< beside an answer: greetings, and our own marks

[[noreturn]] void failHere(const char *what)
{
    const int code = errno;
    if (code == ENOSPC || code == EDQUOT)
        throw StorageError(
            std::string(what) + " (" + std::strerror(code)
            + "); free some space in the folder for temporary files, then try again");
    throw Error(std::string(what) + " (" + std::strerror(code)
                + "); check the folder for temporary files");
}

/// The last lines, which say why.
std::string lastOf(const std::string &errors)
{
    constexpr std::size_t most = 400;
    auto end = errors.find_last_not_of(" \r\n\t");
    if (end == std::string::npos)
        return {};
    const auto text = errors.substr(0, end + 1);
    return text.size() <= most ? text : "..." + text.substr(text.size() - most);
}

/// Reads exactly as many bytes of its input as the script has, and leaves the rest to it. Plain
/// enough for every login shell.
std::string loaderOf(std::size_t bytes)
{
    return fmt::format("exec /bin/sh -c 'eval \"$(dd bs=1 count={} 2>/dev/null)\"'", bytes);
}

/// The answer stands between two lines that no greeting has.
std::string between(const std::string &mark, const std::string &script)
{
    return "LC_ALL=C\nexport LC_ALL\nprintf '\\n%s\\n' " + mark + "\n(\n" + script
           + "\n)\nprintf '\\n%s %s\\n' " + mark + " \"$?\"\n";
}

std::string bytesAt(int file, std::uint64_t begin, std::uint64_t size)
{
    std::string text(size, '\0');
    std::size_t got = 0;
    while (got < text.size()) {
        const auto some =
            ::pread(file, text.data() + got, text.size() - got, static_cast<off_t>(begin + got));
        if (some <= 0)
            break;
        got += static_cast<std::size_t>(some);
    }
    text.resize(got);
    return text;
}

} // namespace

void requireHostName(std::string_view host)
{
    const auto isAllowed = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')
               || c == '.' || c == '_' || c == '@' || c == '-';
    };
    if (host.empty() || host.size() > longestHost || host.front() == '-'
        || !std::ranges::all_of(host, isAllowed))
        throw Error(
            "\"" + std::string(host.substr(0, longestHost))
            + "\" is no name of a host; write it as you do for ssh: letters, digits and "
              ". _ @ -, not beginning with '-' (what else there is to say about it, a port, "
              "say, belongs into ~/.ssh/config)");
}

RemoteAnswer::RemoteAnswer(Descriptor file, std::uint64_t begin, std::uint64_t end, int code,
                           std::string errors)
    : m_file(std::move(file))
    , m_begin(begin)
    , m_end(end)
    , m_code(code)
    , m_errors(std::move(errors))
{
}

std::string RemoteAnswer::text() const
{
    return bytesAt(m_file.get(), m_begin, m_end - m_begin);
}

int RemoteAnswer::file() const
{
    ::lseek(m_file.get(), static_cast<off_t>(m_begin), SEEK_SET);
    return m_file.get();
}

RemoteShell::RemoteShell(std::string host)
    : m_host(std::move(host))
{
    requireHostName(m_host);
}

RemoteAnswer RemoteShell::run(const RemoteScript &script, const std::stop_token &stop) const
{
    const auto mark = newToken("gridhelm");
    const auto text = between(mark, script.text);
    const PrivateFolder folder; // what is open goes on to be there
    const auto in = folder.path() / "in", out = folder.path() / "out", log = folder.path() / "log";
    {
        const Descriptor file(::open(in.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
        if (!file || !writeAll(file.get(), text))
            failHere("What goes to the cluster cannot be written");
        if (script.input)
            script.input(file.get());
    }
    // The shell here connects the files, and bounds what comes.
    std::vector<std::string> arguments{
        "/bin/sh",
        "-c",
        "in=$1 out=$2; ulimit -f \"$3\"; shift 3; exec \"$@\" <\"$in\" >\"$out\"",
        "sh",
        in.string(),
        out.string(),
        std::to_string((script.largest + room) / 512 + 1)};
    const auto loader = loaderOf(text.size());
    if (m_host == "local") {
        arguments.insert(arguments.end(), {"/bin/sh", "-c", loader});
    } else {
        arguments.insert(arguments.end(), {"ssh", "-T", "-o", "BatchMode=yes", "-o",
                                           "ConnectTimeout=15", "-o", "ServerAliveInterval=15",
                                           "-o", "ServerAliveCountMax=3", "--", m_host, loader});
    }
    const auto outcome = runChild({arguments, "/", {}, log, script.timeLimit}, stop);
    Descriptor file(::open(out.c_str(), O_RDONLY | O_CLOEXEC));
    const auto size = file ? static_cast<std::uint64_t>(::lseek(file.get(), 0, SEEK_END)) : 0;
    const auto head = file ? bytesAt(file.get(), 0, std::min<std::uint64_t>(size, room)) : "";
    const auto tailSize = std::min<std::uint64_t>(size, 2 * mark.size());
    const auto tail = file ? bytesAt(file.get(), size - tailSize, tailSize) : "";
    const auto first = "\n" + mark + "\n", last = "\n" + mark + " ";
    const auto begin = head.find(first), end = tail.rfind(last);
    if (begin == std::string::npos || end == std::string::npos || !tail.ends_with('\n')) {
        const auto name = m_host == "local" ? std::string("This machine") : m_host;
        if (size > script.largest)
            throw Error(name + " sends too much; let the runs write fewer files");
        const auto why = lastOf(outcome.log);
        throw RemoteError(
            fmt::format("{} {}{}; try \"ssh {} true\", which has to work without a question", name,
                        outcome.end == ChildOutcome::End::timedOut  ? "does not answer in time"
                        : outcome.end == ChildOutcome::End::stopped ? "was not waited for"
                        : begin == std::string::npos                ? "cannot be reached"
                                                                    : "was cut off",
                        why.empty() ? "" : " (" + why + ")", m_host));
    }
    const auto codeText = tail.substr(end + last.size());
    return {std::move(file), begin + first.size(), size - tailSize + end,
            std::atoi(codeText.c_str()), lastOf(outcome.log)};
}

} // namespace gridhelm::data
