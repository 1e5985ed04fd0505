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

namespace gridhelm::data {

namespace {

namespace fs = std::filesystem;

constexpr const char *logName = "gridhelm.log";
constexpr std::uintmax_t largestTemplate = 16 << 20; // larger files are copied as they are
constexpr std::streamoff logKept = 64 << 10;
/// Of the range of the time-like parameter.
constexpr double timeTolerance = 1e-6;

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
        const auto to = folder / name / fs::relative(entry.path(), from);
        if (entry.is_directory())
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
            fs::remove_all(folder);
            fs::create_directories(folder);
            for (const auto &path : m_plan.templates)
                copyTemplate(path, folder, values);
            const auto outcome = runChild(childRequest(request, folder, values), stop);
            log = logText(folder / logName);
            if (outcome.end == ChildOutcome::End::stopped) {
                fs::remove_all(folder);
                return RunResult::cancelled;
            }
            failure = sentence(outcome);
        } catch (const Error &error) {
            failure = error.what();
        } catch (const fs::filesystem_error &error) {
            failure = std::string("the job's folder cannot be made (") + error.what() + ")";
        }
        if (failure.empty()) {
            std::vector<RunSnapshot> snapshots;
            try {
                snapshots = readResults(request, folder, values);
            } catch (const Error &error) {
                failure = error.what();
            }
            for (std::size_t i = 0; i < snapshots.size(); ++i)
                sink(i, std::move(snapshots[i]));
        }
        if (!failure.empty()) {
            log += (log.empty() || log.back() == '\n' ? "" : "\n") + ("gridhelm: " + failure)
                   + "\n(its folder is kept: " + folder.string() + ")";
            return RunResult::failed;
        }
        std::error_code ignored;
        if (!m_options.keepFolders) {
            fs::remove_all(folder, ignored);
            fs::remove(m_options.workFolder, ignored); // if it is empty
        }
        return RunResult::finished;
    }

private:
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

    /// One snapshot for each wanted time, or one.
    std::vector<RunSnapshot> readResults(const RunRequest &request, const fs::path &folder,
                                         PlaceholderValues values) const
    {
        const auto time = m_space.timeLike();
        std::vector<RunSnapshot> found;
        const auto read = [&](const std::string &pattern,
                              const std::function<void(RunSnapshot)> &take) {
            const std::scoped_lock lock(m_reading); // readers need not be thread-safe
            m_options.reader(theFileOf(folder, pattern), take);
        };
        if (!time || m_plan.result.find("{" + m_space[*time].name + "}") != std::string::npos) {
            for (std::size_t i = 0; i < std::max<std::size_t>(request.times.size(), 1); ++i) {
                if (time)
                    values[m_space[*time].name] = numberText(request.times[i]);
                std::optional<RunSnapshot> last;
                read(fillTemplate(m_plan.result, values), [&](RunSnapshot snapshot) {
                    last = keepFields(std::move(snapshot), m_names);
                });
                if (!last)
                    throw Error("the result holds no snapshot");
                found.push_back(std::move(*last));
            }
            return found;
        }
        std::vector<std::optional<RunSnapshot>> wanted(request.times.size());
        const double tolerance = timeTolerance * (m_space[*time].high - m_space[*time].low);
        std::string there;
        read(fillTemplate(m_plan.result, values), [&](RunSnapshot snapshot) {
            if (!snapshot.time)
                throw Error("the result does not say its times; let the plan's 'result' be one "
                            "file for each, with {"
                            + m_space[*time].name + "}");
            if (there.size() < 200)
                there += (there.empty() ? "" : ", ") + numberText(*snapshot.time);
            for (std::size_t i = 0; i < wanted.size(); ++i) {
                if (std::abs(*snapshot.time - request.times[i]) <= tolerance) {
                    wanted[i] = keepFields(std::move(snapshot), m_names);
                    return;
                }
            }
        });
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            if (!wanted[i])
                throw Error("the result lacks " + m_space[*time].name + " = "
                            + numberText(request.times[i]) + "; it has: " + there);
            found.push_back(std::move(*wanted[i]));
        }
        return found;
    }

    ParameterSpace m_space;
    CommandPlan m_plan;
    std::vector<std::string> m_names;
    RunnerOptions m_options;
    mutable std::mutex m_reading;
};

} // namespace

std::unique_ptr<const JobRunner> makeCommandRunner(const Plan &plan, const RunnerOptions &options)
{
    return std::make_unique<CommandRunner>(plan, options);
}

} // namespace gridhelm::data
