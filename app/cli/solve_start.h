// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a run begins with: "--start" a file or a study's field, and how much that saves.
#pragma once

#include "app/cli/commands.h"
#include "core/solvers/run/run_plan.h"
#include "core/solvers/start_field.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json_fwd.hpp>

#include <string>

namespace gridhelm::cli {

struct StartOptions
{
    std::string at;    ///< "x=0.3,y=0.6": --start is a study
    std::string field; ///< of the study or the file; empty: its first one
    bool comparesCold = false;
};

/// --start, --start-at, --start-field and --compare-cold; `start` is that of the problem's set-up.
void addStartOptions(CLI::App &command, std::string &start, StartOptions &options);

/// Makes a set-up (PoissonSetup, PmmSetup) begin with what was asked for. Throws gridhelm::Error
/// for options that do not belong together, and for a study that cannot be evaluated there.
template <typename Setup>
void setStart(Setup &setup, const StartOptions &options, const GlobalOptions &global);

/// That there is a target by which cold and warm are compared, and a field to begin with.
void requireComparable(const StartOptions &options, bool isWarm, const solvers::RunPlan &plan);

/// Adds what the start was to the settings.
void describeStart(nlohmann::json &settings, const std::string &start, const StartOptions &options);

/// The field of a study at parameters, as "x=0.3,y=0.6" has them; `field` empty: its first one.
/// Throws gridhelm::Error; also without VTK.
solvers::FieldAtPlaces fieldOfStudy(const GlobalOptions &global, const std::string &study,
                                    const StartOptions &options);

} // namespace gridhelm::cli
