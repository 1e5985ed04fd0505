// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command_line.h"

#include "app/cli/commands.h"
#include "app/cli/interrupted.h"
#include "app/cli/output.h"
#include "app/ranks/rank_run.h"
#include "app/ranks/started_ranks.h"
#include "core/support/clean_text.h"
#include "core/support/error.h"
#include "core/support/version.h"
#include "gpu/device_info.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <exception>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <thread>
#include <vector>

namespace gridhelm::cli {
namespace {

constexpr const char *programName = "gridhelm-cli";

constexpr const char *mainExamples = R"(
Examples, a small tour:
  gridhelm-cli backends
      what this machine can compute with
  gridhelm-cli grid count --dim 6 --level 7
      how large is a regular sparse grid of 6 dimensions?
  gridhelm-cli grid points --dim 2 --level 4 --boundary boundary > points.csv
      the points at which to sample your function, in storage order
  gridhelm-cli grid interpolate --dim 2 --level 4 --boundary boundary \
      --values values.txt --at where.csv
      your function, decompressed at other points
  gridhelm-cli grid demo --picture plate.png
      the whole way, on a function of 6 dimensions
  gridhelm-cli solve sor --until residual=1e-6 --picture spike.png
      the potential of a spike of charge, solved and drawn
  gridhelm-cli sample plate
      a study: real simulations, compressed into one file, with measured errors

"gridhelm-cli COMMAND --help" explains each command, with examples of its own.)";

constexpr const char *gridExamples = R"(
A sparse grid is described by
  --dim d        the number of dimensions, 1 to 32
  --level n      the refinement level, 1 to 30: level vectors l with |l|_1 <= n - 1
  --caps c,...   at most c_t levels in dimension t (one number per dimension; default: n)
  --boundary b   boundary basis, at 0 and 1: zero, boundary or modified
                 (one for all dimensions, or a comma-separated list)

Examples:
  gridhelm-cli grid count --dim 10 --level 10
  gridhelm-cli grid count --dim 3 --level 6 --caps 6,6,2 --boundary boundary,modified,modified)";

constexpr const char *solveExamples = R"(
Examples:
  gridhelm-cli solve jacobi --size 512 --iterations 5000 --picture heat.png
  gridhelm-cli solve sor --size 512 --until residual=1e-8 --save u.vti
  gridhelm-cli solve pmm --nodes 81 --ball 0.5,0.5,0.5,0.1 --save times.vti
  mpirun -n 4 gridhelm-cli solve jacobi --size 4096 --iterations 1000 --save u.pvti
      four processes, of one machine or several, each with a subdomain

"gridhelm-cli solve jacobi --help", "... sor --help" and "... pmm --help" tell more. Exit codes: 0 if
the run got where it was to go, 3 if --until was not reached, 130 after Ctrl-C; in all three cases the
files are written.)";

void printVersion(bool json)
{
    nlohmann::json backends = {"reference", "omp"};
    if (gpu::isBuilt())
        backends.push_back("cuda");
    if (json) {
        printJson({{"program", programName},
                   {"version", versionString()},
                   {"commit", commitString()},
                   {"backends", backends}});
        return;
    }
    std::string names;
    for (const auto &backend : backends)
        names += (names.empty() ? "" : ", ") + backend.get<std::string>();
    printText(fmt::format("{} {}\ncommit: {}\nback ends: {}\n", programName, versionString(),
                          commitString(), names));
}

/// An error is one line, whatever a library put into its message.
void printError(std::string sentence)
{
    sentence = cleanLine(sentence);
    while (!sentence.empty() && (sentence.back() == ' ' || sentence.back() == '.'))
        sentence.pop_back();
    printMessage(fmt::format("{}: {}.\n", programName, sentence));
}

/// The command that was being parsed, e.g. "gridhelm-cli grid count".
std::string commandPath(const CLI::App &app)
{
    std::string path = programName;
    const CLI::App *command = &app;
    while (!command->get_subcommands().empty()) {
        command = command->get_subcommands().front();
        path += " " + command->get_name();
    }
    return path;
}

/// What stands before or behind any command.
void addGlobalOptions(CLI::App &app, GlobalOptions &global)
{
    app.fallthrough(); // global options may also stand behind the command; inherited by commands
    app.footer(mainExamples);
    app.add_flag("--json", global.json, "Print one JSON document on stdout instead of text");
    app.add_option(
           "--backend", global.backend,
           "What computes: reference (literal, serial), omp (OpenMP and SIMD), cuda (a GPU) "
           "or auto (the fastest of the last two, as measured here)")
        ->type_name("NAME")
        ->capture_default_str();
    app.add_option("--devices", global.devices,
                   "Where it computes: cpu, gpu (the first one), gpu:N, or auto (whatever is "
                   "there); several at once: gpu:0,1 or gpu:all, N logical devices of one: cpu/N, "
                   "gpu/N, or GPUs and CPU: gpu+cpu")
        ->type_name("NAME")
        ->capture_default_str();
    app.add_option("--threads", global.threads, "Number of threads; 0 means all")
        ->type_name("N")
        ->capture_default_str();
    app.add_flag("--version", global.version, "Print version, commit and compiled back ends");
}

CLI::App *addGridCommands(CLI::App &app, const GlobalOptions &global)
{
    CLI::App &grid = *app.add_subcommand(
        "grid", "Sparse grids: count, list and index their points, interpolate");
    grid.footer(gridExamples);
    addGridCountCommand(grid, global);
    addGridIndexCommand(grid, global);
    addGridPointsCommand(grid, global);
    addGridInterpolateCommand(grid, global);
    addGridDemoCommand(grid, global);
    return &grid;
}

CLI::App *addSolveCommands(CLI::App &app, const GlobalOptions &global)
{
    CLI::App &solve = *app.add_subcommand(
        "solve", "Iterative solvers: heat and potentials (jacobi, sor), travelling fronts (pmm), "
                 "any linear stencil (stencil)");
    solve.footer(solveExamples);
    addSolveJacobiCommand(solve, global);
    addSolveSorCommand(solve, global);
    addSolvePmmCommand(solve, global);
    addSolveStencilCommand(solve, global);
    return &solve;
}

CLI::App *addBenchCommands(CLI::App &app, const GlobalOptions &global)
{
    CLI::App &bench = *app.add_subcommand("bench", "Measure speed, beside baselines and limits");
    addBenchSparseCommand(bench, global);
    addBenchBackendsCommand(bench, global);
    addBenchTeamCommand(bench, global);
    addBenchSolversCommand(bench, global);
    addBenchDevicesCommand(bench, global);
    addBenchAnswersCommand(bench, global);
    addBenchKrigingCommand(bench, global);
    addBenchMachineCommand(bench, global);
    addBenchMlssorTableCommand(bench, global);
    addBenchAsyncTableCommand(bench, global);
    addBenchDataCommand(bench, global);
    addBenchFrameCommand(bench, global);
    addBenchAccuracyCommand(bench, global);
    addBenchLevelsCommand(bench, global);
    addBenchCoverageCommand(bench, global);
    addBenchStencilsCommand(bench, global);
    addBenchTuningCommand(bench, global);
    addBenchCudaSparseCommand(bench, global);
    addBenchCudaPoissonCommand(bench, global);
    addBenchCudaPmmCommand(bench, global);
    return &bench;
}

void addStudyCommands(CLI::App &app, [[maybe_unused]] const GlobalOptions &global)
{
#ifdef GRIDHELM_HAS_DATA
    addSampleCommand(app, global);
    addPlanCommand(app, global);
    addRunCommand(app, global);
    addImportCommand(app, global);
    addCompressCommand(app, global);
    addGrowCommand(app, global);
    addRefineCommand(app, global);
    addSuggestCommand(app, global);
    addInfoCommand(app, global);
    addCheckCommand(app, global);
    addClusterCheckCommand(
        *app.add_subcommand("cluster", "Clusters that jobs run on")->require_subcommand(1), global);
    addCopyCommand(app, global);
    addCompactCommand(app, global);
    addGenerateCommand(app, global);
#else
    addCommandsWithoutData(app);
#endif
#ifdef GRIDHELM_HAS_VTK
    addEvalCommand(app, global);
    addResponsesCommand(app, global);
    addSobolCommand(app, global);
    addUncertaintyCommand(app, global);
    addOptimizeCommand(app, global);
    addMatchCommand(app, global);
    addReportCommand(app, global);
    addExportCommand(app, global);
    addRenderCommand(app, global);
#else
    addCommandsWithoutVtk(app);
#endif
}

/// Throws if none was named, or a group of commands alone.
void requireCommand(const CLI::App &app, std::span<const CLI::App *const> groups)
{
    if (app.get_subcommands().empty())
        throw CLI::RequiredError("A command");
    for (const auto *group : groups) {
        if (group->parsed() && group->get_subcommands().empty())
            throw CLI::RequiredError("A command of " + group->get_name());
    }
}

/// Of several ranks that have failed, one tells why, and if others have not, they end with it.
void sayWhyItFailed(const std::string &sentence, app::RankRun *run)
{
    if (run == nullptr) {
        printError(sentence);
        return;
    }
    const auto failure = run->fail();
    const auto &ranks = *run->ranks();
    if (failure.isMineToTell) {
        setSpeaking(true);
        printError(failure.isOfAll ? sentence
                                   : fmt::format("rank {} of {} has failed: {}", ranks.number(),
                                                 ranks.count(), sentence));
    } else if (!failure.isOfAll) {
        std::this_thread::sleep_for(
            std::chrono::seconds(5)); // the one that tells ends this one, too
    }
    if (!failure.isOfAll)
        run->abandon(1);
}

/// The exit code of an end that is an exception, after its sentence: to be called in a handler.
/// `run`: null if this process is alone.
int sayHowItEnded(const CLI::App &app, app::RankRun *run)
{
    try {
        throw;
    } catch (const CLI::CallForHelp &) {
        // help() descends into the parsed commands by itself
        printText(app.help());
        return 0;
    } catch (const CLI::ParseError &error) {
        printError(
            fmt::format("{}; \"{} --help\" explains the command", error.what(), commandPath(app)));
        return 2;
    } catch (const EarlyEnd &end) {
        return end.exitCode;
    } catch (const Interrupted &error) {
        printError(error.what());
        return 130;
    } catch (const Error &error) {
        sayWhyItFailed(error.what(), run);
    } catch (const std::bad_alloc &) {
        sayWhyItFailed("memory ran out: ask for a smaller grid, or close other programs", run);
    } catch (const std::exception &error) {
        sayWhyItFailed(
            fmt::format("an error that should not happen ({}): please report it with the "
                        "command line",
                        error.what()),
            run);
    }
    return 1;
}

/// As one of the processes that mpirun has started, which know how to do some commands together.
std::unique_ptr<app::RankRun> joinRanks(const CLI::App &app)
{
    const auto path = commandPath(app);
    constexpr std::array forRanks{
        "solve jacobi", "solve sor",     "solve pmm",  "solve stencil",
        "eval",         "bench devices", "bench team", "grid interpolate"};
    if (std::ranges::none_of(forRanks, [&](const char *command) {
            return path == fmt::format("{} {}", programName, command);
        }))
        throw Error(fmt::format("{} is not for several processes: start it without mpirun, which "
                                "is for \"solve jacobi\", \"solve sor\", \"solve pmm\", eval, "
                                "\"grid interpolate\", \"bench devices\" and \"bench team\"",
                                path));
    return std::make_unique<app::RankRun>([](const std::string &sentence) {
        setSpeaking(true);
        printError(sentence);
    });
}

} // namespace

int runCommandLine(int argc, char **argv)
{
    CLI::App app("Gridhelm without a window: sparse grids that compress functions of many "
                 "parameters, and give them back at once.",
                 programName);
    GlobalOptions global;
    addGlobalOptions(app, global);
    addBackendsCommand(app, global);
    addTuneCommand(app, global);
    std::vector<const CLI::App *> groups{addGridCommands(app, global),
                                         addSolveCommands(app, global)};
    addStudyCommands(app, global);
    groups.push_back(addBenchCommands(app, global));

    const auto started = app::startedRanks();
    setSpeaking(started.number == 0);
    std::unique_ptr<app::RankRun> run;
    app.parse_complete_callback([&] { // before any command
        if (started.count == 1 || app.get_subcommands().empty())
            return;
        run = joinRanks(app);
        global.ranks = run->ranks();
    });
    try {
        app.parse(argc, argv);
        if (global.version)
            printVersion(global.json);
        else
            requireCommand(app, groups);
        flushOutput();
        return 0;
    } catch (...) {
        const int exitCode = [&] {
            try {
                return sayHowItEnded(app, run.get());
            } catch (const Error &error) { // the help, to a full disk
                printError(error.what());
                return 1;
            }
        }();
        // mpirun ends all when one ends with an error, also the one whose sentence it has not read.
        if (exitCode != 0 && started.number != 0)
            std::this_thread::sleep_for(std::chrono::milliseconds(500));
        return exitCode;
    }
}

} // namespace gridhelm::cli
