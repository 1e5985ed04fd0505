// SPDX-License-Identifier: GPL-3.0-or-later
//
// What refine and suggest have in common: whose error counts, and where, and what it is the error
// of.
#pragma once

#include "data/campaign/refine_step.h"
#include "data/study/study.h"

#include <CLI/CLI.hpp>

#include <string>

namespace gridhelm::cli {

struct ErrorThatCountsOptions
{
    std::string field;
    std::string at;
    std::string region;
    std::string surrogate;
};

/// --field, --at, --region and --surrogate.
void addErrorThatCounts(CLI::App &command, ErrorThatCountsOptions &options);

/// Fills field, at, region and surrogate of the step. Throws gridhelm::Error.
void setErrorThatCounts(data::RefineStep &step, const data::Study &study,
                        const ErrorThatCountsOptions &options);

} // namespace gridhelm::cli
