// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/template_files.h"

#include "core/support/error.h"
#include "data/support/sha256.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <ranges>
#include <set>
#include <string_view>
#include <sys/stat.h>
#include <utility>

namespace gridhelm::data {

namespace {

namespace fs = std::filesystem;
using Kind = TemplateFile::Kind;

constexpr std::uint64_t largestText = 16 << 20; // larger files are copied as they are
// What is more than that is no case's input, but a loop, or a device's file.
constexpr std::size_t maxFiles = 100'000;
constexpr std::uint64_t maxBytes = std::uint64_t{256} << 30;
constexpr int deepestFolder = 64, maxLinks = 8;

std::string unreadable(const fs::path &path)
{
    return "The template " + path.string() + " cannot be read to its end (" + std::strerror(errno)
           + "); check that it is a file, and that you may read it";
}

/// All of a file, part by part. Throws gridhelm::Error if it cannot be read.
template <typename Take>
void readParts(const Descriptor &file, const fs::path &path, Take take)
{
    std::array<char, 1 << 16> part;
    for (;;) {
        const auto count = file ? readSome(file.get(), part.data(), part.size()) : -1;
        if (count < 0)
            throw Error(unreadable(path));
        if (count == 0)
            return;
        take(std::string_view(part.data(), static_cast<std::size_t>(count)));
    }
}

/// What belongs to the study, and must never be copied into its jobs.
std::set<fs::path> ownFiles(const fs::path &study)
{
    std::set<fs::path> own;
    std::error_code code;
    const auto folder = fs::weakly_canonical(fs::absolute(study).parent_path(), code);
    for (const char *ending : {"", ".jobs", "-wal", "-shm", "-journal", "-writer", "-new"})
        own.insert(folder / (study.filename().string() + ending));
    return own;
}

bool isBelow(const fs::path &path, const fs::path &folder)
{
    const auto relative = path.lexically_relative(folder);
    return !relative.empty() && *relative.begin() != "..";
}

class Collector
{
public:
    Collector(const CommandPlan &plan, const fs::path &study, const std::stop_token &stop)
        : m_plan(plan)
        , m_root(canonical(plan.folder))
        , m_own(ownFiles(study))
        , m_stop(stop)
    {
    }

    std::vector<TemplateFile> collect()
    {
        for (const auto &name : m_plan.templates) {
            const auto path = (fs::absolute(m_plan.folder) / name).lexically_normal();
            if (m_plan.isForeign)
                requireInside(name);
            const auto target =
                path.has_filename() ? path.filename() : path.parent_path().filename();
            if (target.empty())
                throw Error("The plan's template '" + name
                            + "' is the whole disk; name the folder that is needed");
            const auto status = statusOf(path, name);
            if (m_own.contains(canonical(path)))
                throw Error("The plan's template '" + name
                            + "' belongs to the study itself; take it out of the plan");
            if (S_ISDIR(status.st_mode))
                addFolder(canonical(path), target, 0);
            else
                addFile(path, target);
        }
        return std::move(m_found);
    }

private:
    static fs::path canonical(const fs::path &path)
    {
        std::error_code code;
        const auto found = fs::canonical(path, code);
        return code ? fs::absolute(path).lexically_normal() : found;
    }

    void requireInside(const std::string &name) const
    {
        const fs::path path(name);
        if (path.is_absolute() || std::ranges::find(path, fs::path("..")) != path.end())
            throw Error("The plan's template '" + name
                        + "' lies outside of the study's folder, where a plan that was not made "
                          "here has no business; let it follow a plan of yours with: gridhelm-cli "
                          "plan FILE.toml --update STUDY");
    }

    struct stat statusOf(const fs::path &path, const std::string &name) const
    {
        struct stat status = {};
        if (::stat(path.c_str(), &status) != 0)
            throw Error("The plan's template '" + name + "' is not in " + m_plan.folder.string()
                        + " (" + std::strerror(errno)
                        + "); put it there, or let the study follow your plan with: gridhelm-cli "
                          "plan FILE.toml --update STUDY");
        return status;
    }

    /// Links included, where it leads.
    void requireAllowed(const fs::path &path) const
    {
        if (m_plan.isForeign && canonical(path) != m_root && !isBelow(canonical(path), m_root))
            throw Error("The plan's template " + path.string() + " leads out of " + m_root.string()
                        + ", where a plan that was not made here has no business; put a file "
                          "there instead of the link");
    }

    void requireBounds() const
    {
        if (m_files > maxFiles || m_bytes > maxBytes)
            throw Error("The plan's templates are more than " + std::to_string(maxFiles)
                        + " files, or 256 GiB, which is too much for the input of a job; name the "
                          "files that "
                          "are needed");
        if (m_stop.stop_requested())
            throw Error("Interrupted while the plan's templates were read; nothing was run");
    }

    void add(TemplateFile file)
    {
        ++m_files;
        requireBounds();
        m_found.push_back(std::move(file));
    }

    void addFile(const fs::path &path, const fs::path &target)
    {
        requireAllowed(path);
        TemplateFile file{Kind::file, target, path};
        const auto opened = openRegularFile(path.c_str());
        struct stat status = {};
        if (!opened || ::fstat(opened.get(), &status) != 0)
            throw Error(unreadable(path));
        Sha256 digest;
        bool hasZero = false;
        readParts(opened, path, [&](std::string_view part) {
            digest.add(part);
            hasZero = hasZero || part.find('\0') != part.npos;
            file.bytes += part.size();
            m_bytes += part.size();
            requireBounds();
        });
        file.sha256 = digest.hex();
        file.isText = !hasZero && file.bytes <= largestText;
        file.isExecutable = (status.st_mode & 0111) != 0;
        add(std::move(file));
    }

    void addFolder(const fs::path &folder, const fs::path &target, int depth)
    {
        requireAllowed(folder);
        if (depth > deepestFolder)
            throw Error("The plan's templates are folders in folders, more than "
                        + std::to_string(deepestFolder)
                        + " of them; name the files that are needed");
        add({Kind::folder, target, folder});
        for (const auto &path : entriesOf(folder)) {
            const auto to = target / path.filename();
            struct stat link = {}, status = {};
            if (::lstat(path.c_str(), &link) != 0 || ::stat(path.c_str(), &status) != 0)
                continue; // a link that leads nowhere
            if (S_ISDIR(status.st_mode) && S_ISLNK(link.st_mode))
                addLink(path, to);
            else if (S_ISDIR(status.st_mode))
                addFolder(path, to, depth + 1);
            else if (S_ISREG(status.st_mode))
                addFile(path, to);
        }
    }

    void addLink(const fs::path &path, const fs::path &target)
    {
        requireAllowed(path);
        const auto leadsTo = canonical(path);
        TemplateFile link{Kind::linkedFolder, target, leadsTo};
        if (isBelow(path, leadsTo)) { // round in a circle
            if (m_plan.isForeign)
                throw Error("The plan's template " + path.string()
                            + " is a link to a folder that it lies in, and so has no end; take "
                              "the link away");
            link.sha256 = sha256Of(leadsTo.string());
            add(std::move(link));
            return;
        }
        if (m_links == maxLinks)
            throw Error("The plan's template " + path.string()
                        + " leads from link to link; take some of them away");
        Collector inside = *this;
        inside.m_found.clear();
        ++inside.m_links;
        inside.addFolder(leadsTo, "", 0);
        m_files = inside.m_files;
        m_bytes = inside.m_bytes;
        Sha256 digest;
        for (const auto &file : inside.m_found) {
            digest.addItem(file.target.string()).addNumber(static_cast<unsigned>(file.kind));
            digest.addItem(file.sha256).addNumber(file.isExecutable ? 1 : 0);
            link.bytes += file.bytes;
        }
        link.sha256 = digest.hex();
        add(std::move(link));
    }

    std::vector<fs::path> entriesOf(const fs::path &folder) const
    {
        std::error_code code;
        std::vector<fs::path> paths;
        for (fs::directory_iterator entry(folder, code), end; !code && entry != end;
             entry.increment(code)) {
            if (!m_own.contains(entry->path()))
                paths.push_back(entry->path());
            if (paths.size() > maxFiles)
                break; // count() says why
        }
        if (code) {
            errno = code.value();
            throw Error(unreadable(folder));
        }
        std::ranges::sort(paths);
        return paths;
    }

    const CommandPlan &m_plan;
    fs::path m_root;
    std::set<fs::path> m_own;
    std::stop_token m_stop;
    std::vector<TemplateFile> m_found;
    std::size_t m_files = 0;
    std::uint64_t m_bytes = 0;
    int m_links = 0;
};

void write(const Descriptor &to, std::string_view bytes, const fs::path &path)
{
    if (!writeAll(to.get(), bytes))
        throwFolderError(path, "A template cannot be copied");
}

} // namespace

std::vector<TemplateFile> templatesOf(const CommandPlan &plan, const fs::path &study,
                                      const std::stop_token &stop)
{
    return Collector(plan, study, stop).collect();
}

void TemplateCopies::copy(const std::vector<TemplateFile> &templates,
                          const PlaceholderValues &values)
{
    for (const auto &from : templates) {
        if (from.kind == Kind::file) {
            copyFile(from, values);
            continue;
        }
        m_others.push_back(&from);
        if (from.kind == Kind::folder)
            m_folder.makeFolder(from.target);
        else
            m_folder.makeLink(from.target, from.source);
    }
}

void TemplateCopies::copyFile(const TemplateFile &from, const PlaceholderValues &values)
{
    const auto opened = openRegularFile(from.source.c_str());
    struct stat status = {};
    if (!opened || ::fstat(opened.get(), &status) != 0)
        throw Error(unreadable(from.source));
    const auto to = m_folder.makeFile(from.target);
    m_files.push_back({&from, 0, 0, {}});
    const auto path = m_folder.path() / from.target;
    Sha256 digest;
    std::string text;
    std::uint64_t bytes = 0;
    readParts(opened, from.source, [&](std::string_view part) {
        digest.add(part);
        bytes += part.size();
        if (!from.isText)
            write(to, part, path);
        else if (bytes <= from.bytes)
            text += part;
        if (bytes > from.bytes)
            throw Error("The template " + from.source.string()
                        + " has grown since its contents were trusted; run again");
    });
    if (digest.hex() != from.sha256)
        throw Error("The template " + from.source.string()
                    + " has changed since its contents were trusted; run again");
    if (from.isText) {
        const auto filled = fillTemplate(text, values);
        write(to, filled, path);
        m_files.back().isFilled = filled != text;
    }
    ::fchmod(to.get(), (status.st_mode & 0777) | S_IWUSR);
    const std::array times{status.st_atim, status.st_mtim};
    ::futimens(to.get(), times.data());
    if (::fstat(to.get(), &status) == 0)
        m_files.back() = {&from, status.st_ino, status.st_size, status.st_mtim,
                          m_files.back().isFilled};
}

bool isLikeCopy(const fs::path &file, const TemplateFile &from, const PlaceholderValues &values)
{
    const auto contents = [](const fs::path &path) {
        std::ifstream stream(path, std::ios::binary);
        return std::string{std::istreambuf_iterator<char>(stream), {}};
    };
    std::error_code failed;
    if (fs::file_size(file, failed) != from.bytes)
        return false;
    const auto copy = contents(from.source);
    return contents(file) == copy && (!from.isText || fillTemplate(copy, values) == copy);
}

bool TemplateCopies::isUnchanged(const Copy &copy) const
{
    struct stat status = {};
    const auto path = m_folder.path() / copy.from->target;
    return ::lstat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode)
           && status.st_ino == copy.inode && status.st_size == copy.size
           && status.st_mtim.tv_sec == copy.changed.tv_sec
           && status.st_mtim.tv_nsec == copy.changed.tv_nsec;
}

bool TemplateCopies::isUnchanged(const fs::path &file) const
{
    std::error_code failed;
    return std::ranges::any_of(m_files, [&](const Copy &copy) {
        return !copy.isFilled && fs::equivalent(file, m_folder.path() / copy.from->target, failed)
               && isUnchanged(copy);
    });
}

void TemplateCopies::remove()
{
    for (const auto &copy : m_files)
        if (copy.inode == 0 || isUnchanged(copy)) // 0: it was never whole
            m_folder.removeFile(copy.from->target);
    for (const auto *other : m_others | std::views::reverse) {
        if (other->kind == Kind::folder)
            m_folder.removeFolder(other->target);
        else
            m_folder.removeFile(other->target);
    }
}

} // namespace gridhelm::data
