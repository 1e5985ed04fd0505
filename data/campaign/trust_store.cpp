// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/trust_store.h"

#include "core/support/descriptor.h"
#include "core/support/error.h"
#include "data/support/sha256.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sstream>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace gridhelm::data {

namespace {

namespace fs = std::filesystem;

constexpr const char *fileName = "trust", *newName = "trust-new";
constexpr std::string_view firstLine = "gridhelm-trust 1";
constexpr std::size_t largestFile = 16 << 20;
constexpr std::size_t maxEntries = 10'000; ///< of each kind; the oldest go first

/// Without blanks and line ends, whatever bytes a path has.
std::string escaped(const std::string &text)
{
    std::string result;
    for (const char c : text) {
        if (c > ' ' && c < 0x7F && c != '%') {
            result += c;
            continue;
        }
        char digits[4];
        std::snprintf(digits, sizeof digits, "%%%02x", static_cast<unsigned char>(c));
        result += digits;
    }
    return result;
}

std::string unescaped(const std::string &text)
{
    std::string result;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] == '%' && at + 2 < text.size()) {
            result += static_cast<char>(std::strtol(text.substr(at + 1, 2).c_str(), nullptr, 16));
            at += 2;
        } else {
            result += text[at];
        }
    }
    return result;
}

/// The same for all names of a file.
std::string keyOf(const fs::path &study, std::string_view planText)
{
    std::error_code code;
    const auto path = fs::weakly_canonical(study, code);
    return sha256Of(planText) + " " + escaped((code ? fs::absolute(study) : path).string());
}

std::string reason()
{
    return std::string(" (") + std::strerror(errno) + ")";
}

/// Ours alone.
void requireOurs(int descriptor, const fs::path &path)
{
    struct stat status = {};
    if (::fstat(descriptor, &status) != 0 || status.st_uid != ::geteuid()
        || (status.st_mode & (S_IWGRP | S_IWOTH)) != 0)
        throw Error(path.string()
                    + ", which keeps what may be executed, belongs to somebody else or can be "
                      "written by others; make it yours alone, or take it away");
}

} // namespace

struct TrustStore::Entries
{
    std::vector<std::string> digests;
    std::vector<std::pair<std::string, std::string>> folders; ///< of own plans, by keyOf()

    std::string text() const
    {
        std::string all(firstLine);
        all += '\n';
        for (const auto &digest : digests)
            all += "execution " + digest + "\n";
        for (const auto &[key, folder] : folders)
            all += "plan " + key + " " + escaped(folder) + "\n";
        return all;
    }
};

fs::path TrustStore::userFolder()
{
    // The XDG Base Directory Specification ignores relative paths.
    if (const char *folder = std::getenv("XDG_CONFIG_HOME"); folder && folder[0] == '/')
        return fs::path(folder) / "gridhelm";
    if (const char *home = std::getenv("HOME"); home && home[0] == '/')
        return fs::path(home) / ".config" / "gridhelm";
    return {};
}

TrustStore::TrustStore(fs::path folder)
    : m_folder(std::move(folder))
{
}

TrustStore::Entries TrustStore::read() const
{
    Entries entries;
    const auto path = m_folder / fileName;
    const Descriptor file(
        m_folder.empty() ? -1
                         : ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
    if (!file && (m_folder.empty() || errno == ENOENT || errno == ENOTDIR))
        return entries;
    if (!file)
        throw Error(path.string() + ", which keeps what may be executed, cannot be opened"
                    + reason() + "; it must be a file of yours, and no link");
    requireOurs(file.get(), path);
    std::string text;
    if (!readAll(file.get(), largestFile, text))
        throw Error(path.string() + ", which keeps what may be executed, cannot be read" + reason()
                    + "; check that it is a file");
    std::istringstream lines(text);
    std::string line;
    if (!std::getline(lines, line) || line != firstLine)
        throw Error(path.string()
                    + ", which keeps what may be executed, was not written by this program; take "
                      "it away, and what you trusted will be asked for again");
    while (std::getline(lines, line)) {
        std::istringstream words(line);
        std::string kind, digest, study, folder;
        words >> kind >> digest >> study >> folder;
        if (kind == "execution" && !digest.empty())
            entries.digests.push_back(digest);
        else if (kind == "plan" && !folder.empty())
            entries.folders.emplace_back(digest + " " + study, unescaped(folder));
    }
    return entries;
}

void TrustStore::change(const std::function<void(Entries &)> &edit) const
{
    const std::string what = "What you trust cannot be remembered";
    if (m_folder.empty())
        throw Error(what + ", for there is no home folder; set HOME or XDG_CONFIG_HOME");
    std::error_code code;
    fs::create_directories(m_folder.parent_path(), code);
    if (::mkdir(m_folder.c_str(), S_IRWXU) != 0 && errno != EEXIST)
        throw Error(what + ", for " + m_folder.string() + " cannot be made" + reason()
                    + "; check its folder");
    const Descriptor folder(
        ::open(m_folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!folder)
        throw Error(what + ", for " + m_folder.string() + " cannot be opened" + reason()
                    + "; it must be a folder of yours, and no link");
    ::fchmod(folder.get(), S_IRWXU); // fails if it is somebody else's
    requireOurs(folder.get(), m_folder);
    while (::flock(folder.get(), LOCK_EX) != 0 && errno == EINTR) {
    }
    auto entries = read();
    edit(entries);
    ::unlinkat(folder.get(), newName, 0); // somebody was killed
    const Descriptor file(::openat(folder.get(), newName,
                                   O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                                   S_IRUSR | S_IWUSR));
    if (!file || !writeAll(file.get(), entries.text()) || ::fsync(file.get()) != 0
        || ::renameat(folder.get(), newName, folder.get(), fileName) != 0) {
        const auto why = reason();
        ::unlinkat(folder.get(), newName, 0);
        throw Error(what + ", for " + (m_folder / fileName).string() + " cannot be written" + why
                    + "; see to its disk");
    }
}

bool TrustStore::isTrusted(std::string_view digest) const
{
    const auto entries = read();
    return std::ranges::find(entries.digests, digest) != entries.digests.end();
}

std::optional<fs::path> TrustStore::ownPlanFolder(const fs::path &study,
                                                  std::string_view planText) const
{
    const auto entries = read();
    if (entries.folders.empty())
        return std::nullopt;
    const auto found = std::ranges::find(entries.folders, keyOf(study, planText),
                                         &std::pair<std::string, std::string>::first);
    return found == entries.folders.end() ? std::nullopt : std::optional(fs::path(found->second));
}

void TrustStore::trust(const std::string &digest) const
{
    change([&](Entries &entries) {
        std::erase(entries.digests, digest);
        entries.digests.push_back(digest);
        if (entries.digests.size() > maxEntries)
            entries.digests.erase(entries.digests.begin());
    });
}

void TrustStore::rememberOwnPlan(const fs::path &study, std::string_view planText,
                                 const fs::path &folder) const
{
    const auto key = keyOf(study, planText);
    change([&](Entries &entries) {
        std::erase_if(entries.folders, [&](const auto &entry) { return entry.first == key; });
        entries.folders.emplace_back(key, folder.string());
        if (entries.folders.size() > maxEntries)
            entries.folders.erase(entries.folders.begin());
    });
}

} // namespace gridhelm::data
