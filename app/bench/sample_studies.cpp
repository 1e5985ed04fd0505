// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/sample_studies.h"

#include "core/support/error.h"

namespace gridhelm::bench {

void addSimulationOption(CLI::App &command, SampleStudiesOptions &options)
{
    command.add_option("--simulation", options.simulation, "cavity, plate or folds (default: all)")
        ->type_name("NAME");
}

void addStudyFolderOption(CLI::App &command, SampleStudiesOptions &options)
{
    command
        .add_option("--folder", options.folder,
                    "Where the studies are made, and removed afterwards")
        ->type_name("DIR")
        ->capture_default_str();
}

std::vector<data::BuiltInSample> samplesCalled(const std::string &name)
{
    const auto all = data::builtInSamples();
    if (name.empty())
        return {all.begin(), all.end()};
    return {data::builtInSample(name)};
}

void requireNoFailure(const data::CampaignReport &report)
{
    if (report.failed > 0)
        throw Error("a run of the simulation failed (" + report.firstFailure
                    + "), so that there is no table");
}

} // namespace gridhelm::bench
