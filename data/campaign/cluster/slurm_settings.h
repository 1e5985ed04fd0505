// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/campaign/run_plan.h"
#include "data/campaign/runner_type.h"

#include <chrono>
#include <string>
#include <vector>

namespace gridhelm::data {

/// Of failures that a limit explains: by what the limit is multiplied, 1 if it is not tried again.
struct SlurmRetry
{
    double time = 1, memory = 1;
    int atMost = 2; ///< tries of a run with more, of both together
};

/// A plan's [run] with on = "slurm".
struct SlurmSettings
{
    std::string host;   ///< as for ssh, or "local": Slurm's commands are here
    std::string folder; ///< there; relative to the home folder
    std::string partition, account, qos;
    std::string time, memory; ///< of each run, as sbatch has them
    int cores = 1;            ///< of each run
    SlurmRetry retry;
    std::string modules;       ///< to load, separated by blanks
    std::string setup;         ///< lines for the shell before each command
    int atOnce = 100;          ///< runs of one array that Slurm starts at a time
    int mostQueued = 1000;     ///< runs that the cluster holds at once
    bool keep = false;         ///< folders there of runs that are stored
    bool cancelOnStop = false; ///< or else the runs go on when the campaign is stopped
    std::chrono::milliseconds pollEvery{60'000};
};

std::vector<RunnerOption> slurmOptions();
/// With all options as they are by default.
RunPlan slurmRunPlan();
/// Throws gridhelm::Error for a value that Slurm or ssh would misunderstand.
SlurmSettings slurmSettings(const RunPlan &run);

} // namespace gridhelm::data
