// SPDX-License-Identifier: GPL-3.0-or-later
//
// The sub-commands. Each is registered by one function, in the file of the same name; a command
// runs after the whole line has been parsed, and throws gridhelm::Error when it cannot be done.
#pragma once

#include "core/execution/ranks.h"

#include <CLI/CLI.hpp>

#include <memory>
#include <string>

namespace gridhelm::cli {

/// Options that may stand anywhere on the line.
struct GlobalOptions
{
    bool json = false; ///< one JSON document on stdout instead of text
    bool version = false;
    // What they mean is said in execution.h.
    std::string backend = "auto";
    std::string devices = "auto";
    std::string threads = "0";
    /// Of the processes that mpirun has started; null if this one is alone. All do the command.
    std::shared_ptr<Ranks> ranks;
};

/// Thrown by a command that has printed and written all there is, but did not get where it was to
/// go: after Ctrl-C (130), or if a target was not reached (3).
struct EarlyEnd
{
    int exitCode;
};

void addBackendsCommand(CLI::App &parent, const GlobalOptions &global);
void addTuneCommand(CLI::App &parent, const GlobalOptions &global);

void addGridCountCommand(CLI::App &parent, const GlobalOptions &global);
void addGridIndexCommand(CLI::App &parent, const GlobalOptions &global);
void addGridPointsCommand(CLI::App &parent, const GlobalOptions &global);
void addGridInterpolateCommand(CLI::App &parent, const GlobalOptions &global);
void addGridDemoCommand(CLI::App &parent, const GlobalOptions &global);

void addSolveJacobiCommand(CLI::App &parent, const GlobalOptions &global);
void addSolveSorCommand(CLI::App &parent, const GlobalOptions &global);
void addSolvePmmCommand(CLI::App &parent, const GlobalOptions &global);
// With the simulation database (GRIDHELM_HAS_DATA).
void addSolveStencilCommand(CLI::App &parent, const GlobalOptions &global);
void addGenerateCommand(CLI::App &parent, const GlobalOptions &global);
void addPlanCommand(CLI::App &parent, const GlobalOptions &global);
void addRunCommand(CLI::App &parent, const GlobalOptions &global);
void addCompressCommand(CLI::App &parent, const GlobalOptions &global);
void addGrowCommand(CLI::App &parent, const GlobalOptions &global);
void addRefineCommand(CLI::App &parent, const GlobalOptions &global);
void addInfoCommand(CLI::App &parent, const GlobalOptions &global);
void addCompactCommand(CLI::App &parent, const GlobalOptions &global);
void addCopyCommand(CLI::App &parent, const GlobalOptions &global);
void addCheckCommand(CLI::App &parent, const GlobalOptions &global);
void addClusterCheckCommand(CLI::App &parent, const GlobalOptions &global);
void addImportCommand(CLI::App &parent, const GlobalOptions &global);
void addSuggestCommand(CLI::App &parent, const GlobalOptions &global);
void addSampleCommand(CLI::App &parent, const GlobalOptions &global);
/// Without it: commands of these names that say so; addSolveStencilCommand() adds one as well.
void addCommandsWithoutData(CLI::App &parent);
// With VTK, too (GRIDHELM_HAS_VTK).
void addEvalCommand(CLI::App &parent, const GlobalOptions &global);
void addResponsesCommand(CLI::App &parent, const GlobalOptions &global);
void addSobolCommand(CLI::App &parent, const GlobalOptions &global);
void addUncertaintyCommand(CLI::App &parent, const GlobalOptions &global);
void addOptimizeCommand(CLI::App &parent, const GlobalOptions &global);
void addMatchCommand(CLI::App &parent, const GlobalOptions &global);
void addReportCommand(CLI::App &parent, const GlobalOptions &global);
void addExportCommand(CLI::App &parent, const GlobalOptions &global);
void addRenderCommand(CLI::App &parent, const GlobalOptions &global);
/// Without it: commands of these names that say so.
void addCommandsWithoutVtk(CLI::App &parent);

void addBenchSparseCommand(CLI::App &parent, const GlobalOptions &global);
void addBenchBackendsCommand(CLI::App &parent, const GlobalOptions &global);
void addBenchTeamCommand(CLI::App &parent, const GlobalOptions &global);
void addBenchSolversCommand(CLI::App &parent, const GlobalOptions &global);
void addBenchDevicesCommand(CLI::App &parent, const GlobalOptions &global);
void addBenchAnswersCommand(CLI::App &parent, const GlobalOptions &global);
void addBenchKrigingCommand(CLI::App &parent, const GlobalOptions &global);
void addBenchMachineCommand(CLI::App &parent, const GlobalOptions &global);
void addBenchMlssorTableCommand(CLI::App &parent, const GlobalOptions &global);
void addBenchAsyncTableCommand(CLI::App &parent, const GlobalOptions &global);
// Without CUDA's kernels: commands of these names that say so.
void addBenchCudaSparseCommand(CLI::App &parent, const GlobalOptions &global);
void addBenchCudaPmmCommand(CLI::App &parent, const GlobalOptions &global);
void addBenchCudaPoissonCommand(CLI::App &parent, const GlobalOptions &global);
// Without the database: commands of these names that say so.
void addBenchDataCommand(CLI::App &parent, const GlobalOptions &global);
void addBenchFrameCommand(CLI::App &parent, const GlobalOptions &global);
void addBenchAccuracyCommand(CLI::App &parent, const GlobalOptions &global);
void addBenchLevelsCommand(CLI::App &parent, const GlobalOptions &global);
void addBenchCoverageCommand(CLI::App &parent, const GlobalOptions &global);
void addBenchStencilsCommand(CLI::App &parent, const GlobalOptions &global);
void addBenchTuningCommand(CLI::App &parent, const GlobalOptions &global);

} // namespace gridhelm::cli
