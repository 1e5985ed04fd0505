// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where the runs of one step go, in place of what the plan's [run] says, as a person names it:
//
//     local                 this computer
//     slurm                 the plan's cluster
//     slurm:HOST[:FOLDER]   this one, as scp has hosts and folders; all else as the plan's [run]
//                           says if that is on = "slurm", and as it is by default if not
#pragma once

#include "data/campaign/run_plan.h"

#include <string>
#include <string_view>

namespace gridhelm::data {

struct Plan;
class JobRunner;

/// The plan's own [run] if `on` is empty. Throws gridhelm::Error for what is none of the above, a
/// host that ssh would misunderstand, a plan that names no cluster, and a simulation that cannot be
/// sent to one.
RunPlan runOn(const Plan &plan, std::string_view on);

/// The host of a plan's cluster, as for ssh; empty if its runs go to none.
std::string clusterOf(const RunPlan &run);

/// As runOn() takes it: "local", "slurm:me@login.cluster"; what studies remember a cluster by, too.
/// The folder is left out where it is the one by default.
std::string nameOf(const RunPlan &run);
/// The same of who runs a step.
std::string placeOf(const JobRunner &runner);

} // namespace gridhelm::data
