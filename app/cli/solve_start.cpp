// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/solve_start.h"

#include "app/cli/begins_like_study.h"
#include "core/solvers/setup/pmm_setup.h"
#include "core/solvers/setup/poisson_setup.h"
#include "core/support/error.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gridhelm::cli {
namespace {

void requireSensible(const std::string &start, const StartOptions &options,
                     const GlobalOptions &global)
{
    if (start.empty() && !options.at.empty())
        throw Error("--start-at says where in a study: name the study with --start");
    if (start.empty() && !options.field.empty())
        throw Error("--start-field is a field of what --start names: give a file or a study there");
    if (options.at.empty() && beginsLikeStudy(start))
        throw Error(fmt::format("--start: {} is a study: say at which of its parameters, with "
                                "--start-at NAME=VALUE,...",
                                start));
    if (!options.at.empty() && global.ranks != nullptr)
        throw Error("under mpirun a run begins with a file: write the study's field into one "
                    "before, by one process, with --iterations 0 --save start.vti");
    if (options.at.empty() && !options.field.empty() && !start.ends_with(".vti"))
        throw Error(fmt::format("--start-field is for studies and .vti files, and {} holds one "
                                "field: leave it out",
                                start));
}

} // namespace

void addStartOptions(CLI::App &command, std::string &start, StartOptions &options)
{
    command
        .add_option("--start", start,
                    "Begin with this field: a file, interpolated if it has another resolution, or "
                    "a study, with --start-at")
        ->type_name("FILE.vti|STUDY");
    command
        .add_option("--start-at", options.at,
                    "Begin with the study's field at these parameters, as its surrogate has it")
        ->type_name("NAME=VALUE,...");
    command
        .add_option("--start-field", options.field,
                    "Which field of the study or the file (default: the first one)")
        ->type_name("NAME");
    command.add_flag("--compare-cold", options.comparesCold,
                     "Do the run without --start before, and tell what the start saves");
}

template <typename Setup>
void setStart(Setup &setup, const StartOptions &options, const GlobalOptions &global)
{
    requireSensible(setup.start, options, global);
    setup.startArray = options.field;
    if (!options.at.empty())
        setup.startAt = fieldOfStudy(global, setup.start, options);
}
template void setStart(solvers::PoissonSetup &, const StartOptions &, const GlobalOptions &);
template void setStart(solvers::PmmSetup &, const StartOptions &, const GlobalOptions &);

void requireComparable(const StartOptions &options, bool isWarm, const solvers::RunPlan &plan)
{
    if (!options.comparesCold)
        return;
    if (!isWarm)
        throw Error("--compare-cold tells what a start saves: give one with --start");
    if (!plan.target)
        throw Error("--compare-cold needs to know when a run is there: say so with --until");
}

void describeStart(nlohmann::json &settings, const std::string &start, const StartOptions &options)
{
    if (!start.empty())
        settings["start"] = start;
    if (!options.at.empty())
        settings["start_at"] = options.at;
    if (!options.field.empty())
        settings["start_field"] = options.field;
}

} // namespace gridhelm::cli
