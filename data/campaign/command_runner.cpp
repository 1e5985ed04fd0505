// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/command_runner.h"

#include "core/support/error.h"
#include "data/campaign/child_process.h"
#include "data/campaign/fill_template.h"
#include "data/study/run_space.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fnmatch.h>
#include <fstream>
#include <iterator>
#include <mutex>
#include <optional>
#include <set>

namespace gridhelm::data {

namespace {

namespace fs = std::filesystem;

constexpr const char *logName = "gridhelm.log";
constexpr std::uintmax_t largestTemplate = 16 << 20; // larger files are copied as they are
constexpr std::streamoff logKept = 64 << 10;

void copyFilled(const fs::path &from, const fs::path &to, const PlaceholderValues &values)
{
    if (fs::file_size(from) > largestTemplate) {
        fs::copy_file(from, to, fs::copy_options::overwrite_existing);
        return;
    }
    std::ifstream in(from, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    std::ofstream out(to, std::ios::binary);
    out << (text.find('\0') == std::string::npos ? fillTemplate(text, values) : text);
    out.close();
    if (!in || !out)
        throw Error("the template " + from.string() + " cannot be copied to " + to.string()
                    + "; check that it may be read, and that the disk is not full");
    fs::permissions(to, fs::status(from).permissions() | fs::perms::owner_write);
}

void copyTemplate(const fs::path &from, const fs::path &folder, const PlaceholderValues &values)
{
    const auto name = from.has_filename() ? from.filename() : from.parent_path().filename();
    if (!fs::is_directory(from)) {
        copyFilled(from, folder / name, values);
        return;
    }
    fs::create_directories(folder / name);
    for (const auto &entry : fs::recursive_directory_iterator(from)) {
        const auto to = folder / name / entry.path().lexically_relative(from);
        if (entry.is_directory() && entry.is_symlink())
            fs::create_directory_symlink(fs::canonical(entry.path()), to); // shared by all jobs
        else if (entry.is_directory())
            fs::create_directories(to);
        else if (entry.is_regular_file())
            copyFilled(entry.path(), to, values);
    }
}

/// Files that a pattern with * and ? names, component by component, sorted.
std::vector<fs::path> filesOf(const fs::path &folder, const fs::path &pattern)
{
    std::vector<fs::path> found{pattern.is_absolute() ? fs::path() : folder};
    for (const auto &component : pattern) {
        const auto text = component.string();
        std::vector<fs::path> next;
        for (const auto &base : found) {
            std::error_code code;
            if (text.find_first_of("*?[") == std::string::npos || fs::exists(base / text, code)) {
                next.push_back(base / component);
                continue;
            }
            for (const auto &entry : fs::directory_iterator(base, code)) {
                if (fnmatch(text.c_str(), entry.path().filename().c_str(), FNM_PERIOD) == 0)
                    next.push_back(entry.path());
            }
        }
        found = std::move(next);
    }
    std::error_code code;
    std::erase_if(found, [&](const auto &path) { return !fs::exists(path, code); });
    std::sort(found.begin(), found.end());
    return found;
}

fs::path theFileOf(const fs::path &folder, const std::string &pattern)
{
    const auto files = filesOf(folder, pattern);
    if (files.empty())
        throw Error("the command ended, but there is no result " + pattern + " in "
                    + folder.string() + "; correct the plan's 'result', or the command");
    if (files.size() > 1)
        throw Error("there are " + std::to_string(files.size()) + " files " + pattern + " in "
                    + folder.string()
                    + "; let the plan's 'result' name one, with {t} say, or a series");
    return files.front();
}

/// The end of the command's output.
std::string logText(const fs::path &path)
{
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    const auto size = static_cast<std::streamoff>(file.tellg());
    if (!file || size <= 0)
        return {};
    file.seekg(std::max<std::streamoff>(0, size - logKept));
    std::string text{std::istreambuf_iterator<char>(file), {}};
    std::replace(text.begin(), text.end(), '\0', '?');
    return size > logKept ? "(... only the end is kept)\n" + text : text;
}

/// Ctrl-C while results are read.
using Stopped = ReadingStopped;

class CommandRunner : public JobRunner
{
public:
    CommandRunner(const Plan &plan, const RunnerOptions &options)
        : m_space(runSpaceOf(plan.description.space))
        , m_plan(std::get<CommandPlan>(plan.simulation))
        , m_names(plan.fields)
        , m_options(options)
    {
    }

    RunResult run(const RunRequest &request, const RunSink &sink, const std::stop_token &stop,
                  const std::function<void(double)> &, std::string &log) const override
    {
        const auto folder = fs::absolute(m_options.workFolder) / request.name;
        const auto values = placeholders(request, folder);
        std::string failure;
        try {
            makeEmpty(folder);
            for (const auto &path : m_plan.templates)
                copyTemplate(path, folder, values);
            const auto outcome = runChild(childRequest(request, folder, values), stop);
            log = logText(folder / logName);
            if (outcome.end == ChildOutcome::End::stopped) {
                remove(folder);
                return RunResult::cancelled;
            }
            failure = sentence(outcome);
        } catch (const Error &error) {
            failure = error.what();
        } catch (const fs::filesystem_error &error) {
            failure = std::string("the job's folder cannot be made (") + error.what() + ")";
        }
        if (failure.empty()) {
            try {
                for (const auto &note : readResults(request, folder, values, sink, stop))
                    log += (log.empty() || log.back() == '\n' ? "" : "\n") + note + "\n";
            } catch (const Stopped &) {
                remove(folder);
                return RunResult::cancelled;
            } catch (const Error &error) {
                failure = error.what();
            }
        }
        if (!failure.empty()) {
            log += (log.empty() || log.back() == '\n' ? "" : "\n") + ("gridhelm: " + failure)
                   + "\n(its folder is kept: " + folder.string() + ")";
            return RunResult::failed;
        }
        if (!m_options.keepFolders)
            remove(folder);
        return RunResult::finished;
    }

    bool deliversAtTheEnd() const override { return true; } // m_reading lets in one at a time

private:
    void makeEmpty(const fs::path &folder) const
    {
        fs::remove_all(folder);
        const std::scoped_lock lock(m_folders);
        fs::create_directories(folder);
    }

    void remove(const fs::path &folder) const
    {
        std::error_code ignored;
        fs::remove_all(folder, ignored);
        const std::scoped_lock lock(m_folders);
        fs::remove(m_options.workFolder, ignored); // if it is empty
    }

    PlaceholderValues placeholders(const RunRequest &request, const fs::path &folder) const
    {
        PlaceholderValues values{{"job", request.name}, {"dir", folder.string()}};
        for (std::size_t t = 0; t < request.parameters.size(); ++t)
            values[m_space[t].name] = numberText(request.parameters[t]);
        if (const auto time = m_space.timeLike()) {
            std::string times;
            for (double value : request.times)
                times += (times.empty() ? "" : " ") + numberText(value);
            values["times"] = times;
            values["last"] = numberText(request.times.back());
            values.erase(m_space[*time].name); // means the result's time
        }
        return values;
    }

    ChildRequest childRequest(const RunRequest &request, const fs::path &folder,
                              const PlaceholderValues &values) const
    {
        ChildRequest child;
        if (m_plan.shell) {
            child.arguments = {"/bin/sh", "-c",
                               fillShellTemplate(m_plan.arguments.front(), values)};
        } else {
            for (const auto &argument : m_plan.arguments)
                child.arguments.push_back(fillTemplate(argument, values));
        }
        child.folder = folder;
        child.log = folder / logName;
        child.timeLimit = m_plan.timeLimit;
        child.patience = m_options.patience;
        child.environment = {{"GRIDHELM_JOB", request.name}, {"GRIDHELM_DIR", folder.string()}};
        for (const auto &[name, value] : m_plan.environment)
            child.environment.emplace_back(name, fillTemplate(value, values));
        return child;
    }

    std::string sentence(const ChildOutcome &outcome) const
    {
        switch (outcome.end) {
        case ChildOutcome::End::exited:
            return outcome.code == 0
                       ? std::string()
                       : "the command ended with exit code " + std::to_string(outcome.code);
        case ChildOutcome::End::killed:
            return std::string("the command was ended by a signal (") + strsignal(outcome.code)
                   + ")";
        case ChildOutcome::End::timedOut:
            return "the command ran longer than its time limit of " + numberText(m_plan.timeLimit)
                   + " s and was ended; raise the plan's time-limit if that is too short";
        case ChildOutcome::End::stopped:
            break;
        }
        return {};
    }

    /// Hands one snapshot for each wanted time over, or one, and returns notes about what was left
    /// out of them.
    std::set<std::string> readResults(const RunRequest &request, const fs::path &folder,
                                      PlaceholderValues values, const RunSink &sink,
                                      const std::stop_token &stop) const
    {
        const std::scoped_lock lock(m_reading); // see deliversAtTheEnd()
        std::set<std::string> notes;
        const auto deliver = [&](std::size_t index, RunSnapshot snapshot) {
            for (auto &note : snapshot.notes)
                notes.insert("note: " + note);
            sink(index, keepFields(std::move(snapshot), m_names));
        };
        const auto read = [&](const fs::path &file, const std::function<void(RunSnapshot)> &take) {
            m_options.reader(
                file,
                [&](RunSnapshot snapshot) {
                    if (stop.stop_requested())
                        throw Stopped();
                    take(std::move(snapshot));
                },
                stop);
        };
        const auto time = m_space.timeLike();
        if (!time || m_plan.result.find("{" + m_space[*time].name + "}") != std::string::npos) {
            for (std::size_t i = 0; i < std::max<std::size_t>(request.times.size(), 1); ++i) {
                if (time)
                    values[m_space[*time].name] = numberText(request.times[i]);
                const auto file = theFileOf(folder, fillTemplate(m_plan.result, values));
                std::optional<RunSnapshot> last; // of a series: how it ended
                read(file, [&](RunSnapshot snapshot) { last = std::move(snapshot); });
                if (!last)
                    throw Error("the result " + file.string() + " holds no snapshot");
                deliver(i, std::move(*last));
            }
            return notes;
        }
        std::vector<bool> found(request.times.size());
        std::string there;
        read(theFileOf(folder, fillTemplate(m_plan.result, values)), [&](RunSnapshot snapshot) {
            if (!snapshot.time)
                throw Error("the result does not say its times; let the plan's 'result' be one "
                            "file for each, with {"
                            + m_space[*time].name + "}, or a series (.pvd, .series)");
            if (there.size() < 200)
                there += (there.empty() ? "" : ", ") + numberText(*snapshot.time);
            for (std::size_t i = 0; i < found.size(); ++i) {
                if (!found[i] && isSameTime(m_space[*time], request.times[i], *snapshot.time)) {
                    found[i] = true;
                    deliver(i, std::move(snapshot));
                    return;
                }
            }
        });
        const auto lacks = std::find(found.begin(), found.end(), false);
        if (lacks != found.end())
            throw Error("the result lacks " + m_space[*time].name + " = "
                        + numberText(request.times[static_cast<std::size_t>(lacks - found.begin())])
                        + "; it has: " + there);
        return notes;
    }

    ParameterSpace m_space;
    CommandPlan m_plan;
    std::vector<std::string> m_names;
    RunnerOptions m_options;
    mutable std::mutex m_reading;
    mutable std::mutex m_folders; ///< one job must not remove what another one is about to use
};

} // namespace

std::unique_ptr<const JobRunner> makeCommandRunner(const Plan &plan, const RunnerOptions &options)
{
    return std::make_unique<CommandRunner>(plan, options);
}

} // namespace gridhelm::data
