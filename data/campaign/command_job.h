// SPDX-License-Identifier: GPL-3.0-or-later
//
// One run of a plan's command, wherever it is executed: what it is given, and what is read of it.
#pragma once

#include "data/campaign/execution.h"
#include "data/campaign/fill_template.h"
#include "data/campaign/job_runner.h"
#include "data/campaign/plan_file.h"
#include "data/campaign/work_folder.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace gridhelm::data {

/// What all runs of a plan share. Throws gridhelm::Error for templates that cannot be read, and if
/// something lies where the jobs' folder is to be.
struct CommandOfPlan
{
    CommandOfPlan(const Plan &of, const RunnerOptions &with);

    ParameterSpace space; ///< runSpaceOf() the study's
    CommandPlan plan;
    std::vector<std::string> names; ///< of the fields to keep; empty: all
    RunnerOptions options;
    WorkFolder folders;
    std::shared_ptr<const Execution> execution;
};

class CommandJob
{
public:
    /// `of` has to outlive it.
    CommandJob(const CommandOfPlan &of, RunRequest request)
        : m_of(of)
        , m_request(std::move(request))
    {
    }

    const RunRequest &request() const { return m_request; }

    // `folder`: where it runs, on the machine where it runs.
    PlaceholderValues placeholders(const std::filesystem::path &folder) const;
    /// The program, and what it gets.
    std::vector<std::string> arguments(const PlaceholderValues &values) const;
    std::vector<std::pair<std::string, std::string>>
    environment(const std::filesystem::path &folder, const PlaceholderValues &values) const;

    /// Whether a file was there before the command began, and is as it was.
    using IsOld = std::function<bool(const std::filesystem::path &)>;

    /// Hands one snapshot for each wanted time over, or one, and returns notes about what was left
    /// out of them. Throws gridhelm::Error for what is no result (a file that is old, unless it is
    /// OpenFOAM's name of a case), ReadingStopped, and what the sink throws.
    std::set<std::string> readResults(const std::filesystem::path &folder, const IsOld &isOld,
                                      const RunSink &sink, const std::stop_token &stop) const;

private:
    std::filesystem::path resultIn(const std::filesystem::path &folder,
                                   const PlaceholderValues &values,
                                   std::optional<double> time) const;

    const CommandOfPlan &m_of;
    RunRequest m_request;
};

/// `text` in a line of its own at the end of `log`.
void addLogLine(std::string &log, const std::string &text);

/// What an exit code means by convention, to be said behind it; empty if nothing.
std::string meaningOf(int exitCode);

} // namespace gridhelm::data
