// SPDX-License-Identifier: GPL-3.0-or-later
//
// What benchmarks have in common that make studies of the built-in samples.
#pragma once

#include "data/campaign/built_in_samples.h"
#include "data/campaign/campaign.h"

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace gridhelm::bench {

struct SampleStudiesOptions
{
    std::string simulation; ///< see samplesCalled()
    std::string folder = ".";
};

/// --simulation.
void addSimulationOption(CLI::App &command, SampleStudiesOptions &options);
/// --folder.
void addStudyFolderOption(CLI::App &command, SampleStudiesOptions &options);

/// The sample of this name, or all for none. Throws gridhelm::Error for a name that none has.
std::vector<data::BuiltInSample> samplesCalled(const std::string &name);

/// Throws gridhelm::Error if one of a campaign's runs has failed.
void requireNoFailure(const data::CampaignReport &report);

} // namespace gridhelm::bench
