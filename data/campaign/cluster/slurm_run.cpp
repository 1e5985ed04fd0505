// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/cluster/slurm_run.h"

#include "core/support/error.h"
#include "data/campaign/cluster/slurm_ends.h"
#include "data/campaign/cluster/slurm_limits.h"
#include "data/campaign/template_files.h"
#include "data/study/storage_error.h"

#include <algorithm>
#include <map>
#include <utility>

namespace gridhelm::data {

Doubt conclude(SlurmRun &run, const RunSeen &seen)
{
    constexpr int patience = 2; // what is written there is not seen at once on every file system
    using Place = RunSeen::Place;
    run.isKnown = true;
    auto &state = run.status.state;
    if (hasEnded(state))
        return Doubt::none;
    if (seen.place == Place::claimed) {
        state = run.isCancelled ? RunState::cancelled : RunState::lost;
        return Doubt::none;
    }
    if (seen.place == Place::ended && seen.code) {
        state = RunState::running;
        return *seen.code == 0 ? Doubt::none : Doubt::howItFailed;
    }
    if (seen.isQueued) {
        state = seen.isPending ? RunState::queued : RunState::running;
        run.missed = 0;
        return Doubt::none;
    }
    if (seen.place == Place::nowhere || seen.place == Place::waits)
        return Doubt::whetherItStarts;
    state = RunState::running;
    return ++run.missed >= patience ? Doubt::howItFailed : Doubt::none;
}

bool isEndUnsaid(SlurmRun &run, std::string_view word, const SlurmRetry &retry)
{
    constexpr int patience = 3;
    return word.empty() && (retry.time > 1 || retry.memory > 1) && ++run.missed < patience;
}

void concludeClaim(SlurmRun &run, bool isClaimed)
{
    run.status.state = !isClaimed        ? RunState::running
                       : run.isCancelled ? RunState::cancelled
                                         : RunState::lost;
}

bool concludeUnfetched(SlurmRun &run, const std::string &why)
{
    constexpr int patience = 3;
    if (++run.unfetched < patience)
        return false;
    run.status.state = RunState::failed;
    run.status.log = "gridhelm: " + why;
    return true;
}

void concludeFailure(SlurmRun &run, std::string_view word, std::optional<int> code, std::string log,
                     const SlurmSettings &settings)
{
    const auto raised = run.request ? run.request->raised : RaisedLimits();
    run.status.failedAt = limitOf(word);
    run.status.state = run.isCancelled ? RunState::cancelled : RunState::failed;
    addLogLine(log, "gridhelm: " + failureText(word, code, raisedSettings(settings, raised)));
    run.status.log = std::move(log);
}

std::vector<std::vector<const RunRequest *>> arraysOf(std::span<const RunRequest> runs,
                                                      std::size_t most)
{
    std::map<std::pair<int, int>, std::vector<const RunRequest *>> alike;
    for (const auto &request : runs)
        alike[{request.raised.time, request.raised.memory}].push_back(&request);
    std::vector<std::vector<const RunRequest *>> arrays;
    for (const auto &[raised, requests] : alike) {
        for (std::size_t i = 0; i < requests.size(); ++i) {
            if (i % most == 0)
                arrays.emplace_back();
            arrays.back().push_back(requests[i]);
        }
    }
    return arrays;
}

RunParcel parcelOf(const CommandOfPlan &of, const RunRequest &request, const std::string &folder)
{
    const CommandJob job(of, request);
    const auto there = std::filesystem::path(folder) / request.token / "run";
    const auto values = job.placeholders(there);
    return {request.token, job.arguments(values), job.environment(there, values),
            [&of, name = request.name, values](const auto &take) {
                const auto here = of.folders.begin(name);
                try {
                    TemplateCopies(here).copy(of.execution->templates, values);
                    take(here.path());
                } catch (...) {
                    of.folders.remove(name);
                    throw;
                }
                of.folders.remove(name);
            }};
}

RunStatus readResultsOf(const CommandOfPlan &of, SlurmRun &run, const RunSink &sink,
                        const std::stop_token &stop)
{
    auto status = run.status;
    const auto &name = run.request->name;
    try {
        const CommandJob job(of, *run.request);
        const auto &folder = run.folder->path();
        const auto isOld = [&](const std::filesystem::path &file) {
            return std::ranges::any_of(of.execution->templates, [&](const TemplateFile &from) {
                return from.kind == TemplateFile::Kind::file
                       && file.lexically_relative(folder) == from.target
                       && isLikeCopy(file, from, job.placeholders(folder));
            });
        };
        for (const auto &note : job.readResults(folder, isOld, sink, stop))
            addLogLine(status.log, note + "\n");
        if (of.options.keepFolders)
            of.folders.keep(name);
        else
            of.folders.remove(name);
    } catch (const StorageError &) {
        of.folders.remove(name);
        run.folder.reset();
        throw;
    } catch (const ReadingStopped &) {
        of.folders.remove(name);
        status.state = RunState::cancelled;
    } catch (const Error &error) {
        addLogLine(status.log, std::string("gridhelm: ") + error.what());
        addLogLine(status.log, "(its folder is kept: " + run.folder->path().string() + ")");
        of.folders.keep(name);
        status.state = RunState::failed;
    }
    run.folder.reset();
    return status;
}

} // namespace gridhelm::data
