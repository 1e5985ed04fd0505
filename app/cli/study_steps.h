// SPDX-License-Identifier: GPL-3.0-or-later
//
// run and compress, as steps that sample takes, too. Ctrl-C throws Interrupted, with the study in
// order.
#pragma once

#include "data/campaign/campaign.h"
#include "data/compress/compress.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace gridhelm::cli {

struct RunStep
{
    int jobs = 1;
    bool retryFailed = false;
    bool keepFolders = false;
    std::optional<data::JobId> only = std::nullopt;
};

/// Throws Error if the study says no simulation.
data::CampaignReport runStep(data::StudyWriter &writer, const RunStep &step);

/// As growGrid() takes them: those that the space has, the highest level for the others.
std::vector<int> levelCapsOf(const ParameterSpace &space);

/// Of the places at which compress makes hold-outs.
inline constexpr std::uint64_t holdOutSeed = 1;

/// Runs the simulation at these places and stores what comes as hold-outs.
data::CampaignReport holdOutStep(data::StudyWriter &writer,
                                 const std::vector<std::vector<double>> &parameters, int threads);

struct CompressStep
{
    bool allowMissing = false;
    bool raw = false;
    std::size_t holdOuts = 0; ///< that there shall be
    int threads = 1;
};

struct CompressStepReport
{
    data::CompressReport compress;
    data::CampaignReport holdOuts;
    std::string note; ///< for people; empty if there is none
};

/// Makes hold-outs, computes coefficients, and measures errors.
CompressStepReport compressStep(data::StudyWriter &writer, const CompressStep &step);

} // namespace gridhelm::cli
