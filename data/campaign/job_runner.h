// SPDX-License-Identifier: GPL-3.0-or-later
//
// Runs one simulation: a built-in one, or a command.
#pragma once

#include "data/campaign/plan_file.h"
#include "data/mesh/snapshot_reader.h"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace gridhelm::data {

struct Execution;

struct RunRequest
{
    std::string name; ///< of its working folder: "job-12"
    /// Of the study's runSpaceOf(); that of the time-like one is not used.
    std::vector<double> parameters;
    std::vector<double> times; ///< of the time-like one, ascending; empty if there is none
};

/// Receives the snapshot of times[index] (index 0 if there are none).
using RunSink = std::function<void(std::size_t index, RunSnapshot snapshot)>;

enum class RunResult { finished, failed, cancelled };

/// Thread-safe.
class JobRunner
{
public:
    virtual ~JobRunner() = default;
    /// A failure's reason is in `log`, and whatever the simulation printed. `progress` gets the
    /// part of the work that is done, 0 .. 1, if it is known. Throws what the sink throws, and
    /// StorageError if the disk that it works on is full: then it is as if it had not been run.
    virtual RunResult run(const RunRequest &request, const RunSink &sink,
                          const std::stop_token &stop, const std::function<void(double)> &progress,
                          std::string &log) const = 0;
    /// Whether the sink is called when the simulation has ended, for one run at a time: then it may
    /// keep a lock from one call to the next, and needs no memory for several snapshots.
    virtual bool deliversAtTheEnd() const { return false; }
};

struct RunnerOptions
{
    std::filesystem::path workFolder; ///< of commands: each run gets a folder in it
    bool keepFolders = false;         ///< of runs that went well; those of failed ones are kept
    SnapshotReader reader = noSnapshotReader();
    double patience = 2; ///< seconds that a command has to end when it is asked to
    /// What the user has agreed to. If there is none, it is read from the plan.
    std::shared_ptr<const Execution> execution = {};
};

/// Throws gridhelm::Error if the plan has no simulation.
std::unique_ptr<const JobRunner> makeJobRunner(const Plan &plan, const RunnerOptions &options);

/// Fields of a built-in simulation that the plan keeps, and its mesh.
RunSnapshot describeBuiltIn(const BuiltInPlan &plan, const std::vector<std::string> &fields);

} // namespace gridhelm::data
