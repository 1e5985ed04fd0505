// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/execution.h"
#include "app/cli/interruption.h"
#include "app/cli/output.h"
#include "app/cli/progress_line.h"
#include "core/support/error.h"
#include "core/support/parse_numbers.h"
#include "core/tuning/cpu_cases.h"
#include "core/tuning/machine_tuning.h"
#include "core/tuning/saved_tuning.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <filesystem>
#include <memory>
#include <optional>

namespace gridhelm::cli {
namespace {

using namespace tuning;
using nlohmann::json;

constexpr double usualBudget = 60, unlimited = 1e9; ///< seconds

struct TuneCommandOptions
{
    std::vector<std::string> operations;
    std::string budget;
    std::string strategy = "partitions";
    std::string trials = "0";
    bool isExhaustive = false;
    bool isWhole = false;
    bool isAgain = false;
    bool keepsNothing = false;
};

/// Where the yardstick's best variant is, beside the one that was found.
struct Yardstick
{
    Variant best;
    double quality = 1; ///< seconds of its best divided by those of ours: below 1, ours is slower
    double seconds = 0; ///< that its search took
    double allSeconds = 0; ///< with the comparison
};

json jsonOf(const TunedCase &tuned, const std::optional<Yardstick> &yardstick)
{
    const auto &operation = *tuned.tuned.operation;
    auto trials = json::array();
    for (const auto &trial : tuned.tried)
        trials.push_back({{"constants", constantsOf(operation, trial.variant)},
                          {"estimated_seconds", trial.seconds}});
    json result = {{"operation", tuned.tuned.key.operation},
                   {"value_bytes", tuned.tuned.key.valueBytes},
                   {"work", dispatch::textOf(tuned.tuned.work)},
                   {"compiled_in", constantsOf(operation, tuned.compiledIn)},
                   {"best", constantsOf(operation, tuned.best)},
                   {"kept", tuned.isKept},
                   {"disturbed", tuned.isDisturbed},
                   {"cut", tuned.isCut},
                   {"gain", tuned.gain},
                   {"gain_lower_quartile", tuned.certainGain},
                   {"seconds", tuned.seconds},
                   {"search_seconds", tuned.searchSeconds},
                   {"variants", tuned.variants},
                   {"trials", std::move(trials)}};
    if (yardstick)
        result["exhaustive"] = {{"best", constantsOf(operation, yardstick->best)},
                                {"quality", yardstick->quality},
                                {"search_seconds", yardstick->seconds}};
    return result;
}

void printRow(const TunedCase &tuned, const std::optional<Yardstick> &yardstick)
{
    const auto &operation = *tuned.tuned.operation;
    auto text = fmt::format("{:<78} {:>9.3f} ms  {:>2} of {:>3} tried  ", tuned.tuned.text(),
                            1e3 * tuned.seconds, tuned.tried.size(), tuned.variants);
    text += tuned.isKept ? fmt::format("{:.2f}x with {}", tuned.gain, textOf(operation, tuned.best))
            : tuned.isCut && !tuned.isDisturbed
                ? "as compiled in: the time was over before all were tried"
            : tuned.isDisturbed
                ? "as compiled in: other programs took the cores away, call it again without them"
                : "as compiled in";
    if (yardstick)
        text += fmt::format("; {:.1f} % of the best of all ({}), in {:.2g} % of its time",
                            100 * yardstick->quality, textOf(operation, yardstick->best),
                            100 * tuned.searchSeconds / yardstick->seconds);
    printText(text + "\n");
}

/// All variants on the whole work, however long that takes, and the found one beside their best.
/// Nothing after a stop.
std::optional<Yardstick> measureYardstick(const TunedCase &tuned,
                                          const dispatch::Candidate &candidate,
                                          const ExecutionContext &context,
                                          const std::stop_token &stop)
{
    const auto begin = std::chrono::steady_clock::now();
    const auto all = tune(
        tuned.tuned, candidate, context,
        {.strategy = Strategy::exhaustive, .isReduced = false, .comparisons = 1, .stop = stop});
    const auto fastest = std::ranges::min_element(all.tried, {}, &Trial::seconds);
    Yardstick yardstick{fastest->variant, 1, all.searchSeconds, 0};
    const auto &ours = tuned.isKept ? tuned.best : tuned.compiledIn;
    if (yardstick.best != ours && !stop.stop_requested())
        yardstick.quality = compare(tuned.tuned, candidate, context, yardstick.best, ours, 7);
    if (stop.stop_requested())
        return std::nullopt;
    yardstick.allSeconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return yardstick;
}

MachineTuneOptions machineOptions(const TuneCommandOptions &options, const Interruption &signals)
{
    MachineTuneOptions machine;
    machine.budget = !options.budget.empty() ? parseReal(options.budget, "--budget")
                     : options.isExhaustive  ? unlimited
                                             : usualBudget;
    if (!std::isfinite(machine.budget) || machine.budget <= 0)
        throw Error(
            fmt::format("--budget {}: a time is a number of seconds above 0", options.budget));
    const auto strategy = strategyNamed(options.strategy);
    if (!strategy)
        throw Error(fmt::format("--strategy {}: choose partitions, climbing, annealing, random or "
                                "exhaustive",
                                options.strategy));
    machine.each.strategy = *strategy;
    if (const auto trials = parseIndex(options.trials, "--trials"); trials > 0)
        machine.each.trials = static_cast<std::size_t>(trials);
    machine.each.isReduced = !options.isWhole;
    machine.each.stop = signals.token();
    return machine;
}

/// What a machine has already, printed.
void printKnown(const GlobalOptions &global, const std::vector<TuningEntry> &entries,
                const std::filesystem::path &file)
{
    auto list = json::array();
    std::size_t faster = 0;
    for (const auto &entry : entries) {
        faster += entry.gain > 1 ? 1 : 0;
        list.push_back({{"operation", entry.key.operation},
                        {"value_bytes", entry.key.valueBytes},
                        {"work", entry.work},
                        {"constants", entry.constants},
                        {"gain", entry.gain},
                        {"seconds", entry.seconds}});
        if (global.json)
            continue;
        auto text = fmt::format("{:<78} {:>9.3f} ms  ", caseText(entry.key, entry.work),
                                1e3 * entry.seconds);
        if (entry.gain <= 1) {
            text += "as compiled in";
        } else {
            text += fmt::format("{:.2f}x with ", entry.gain);
            for (const auto &[name, value] : entry.constants)
                text += fmt::format("{}{} {}", text.ends_with("with ") ? "" : ", ", name, value);
        }
        printText(text + "\n");
    }
    if (global.json)
        printJson({{"file", file.string()},
                   {"was_tuned_before", true},
                   {"cases", std::move(list)},
                   {"execution", executionJson(global, ComputedOn::cpu())}});
    else
        printText(
            fmt::format("\nThis machine has been tuned: {} of {} are faster than compiled in. "
                        "--again tunes once more.\n",
                        faster, entries.size()));
}

void printEnd(const std::vector<TunedCase> &tuned, std::size_t wanted, double seconds,
              const std::filesystem::path &file, bool isSaved)
{
    std::size_t kept = 0;
    for (const auto &each : tuned)
        kept += each.isKept ? 1 : 0;
    auto text = fmt::format("\n{} of {} operations and sizes are faster than compiled in; {:.3g} s",
                            kept, tuned.size(), seconds);
    if (tuned.size() < wanted)
        text +=
            fmt::format("; not reached in the time: {}; call it again, or with a larger --budget",
                        wanted - tuned.size());
    printText(text + (isSaved ? fmt::format("\nkept in {}\n", file.string()) : "\n"));
}

/// Those that have been tuned before.
std::vector<TuningEntry> entriesOf(const std::vector<TuningCase> &cases,
                                   const std::vector<TuningEntry> &known)
{
    std::vector<TuningEntry> entries;
    for (const auto &each : cases) {
        const auto entry = std::ranges::find(known, each.key, &TuningEntry::key);
        if (entry != known.end())
            entries.push_back(*entry);
    }
    return entries;
}

void run(const GlobalOptions &global, const TuneCommandOptions &options)
{
    Interruption signals;
    const auto context = benchContext(global);
    if (global.backend != "auto" && global.backend != "omp")
        throw Error(
            fmt::format("--backend {}: only the CPU's constants are tuned and kept yet; what "
                        "others could gain, \"--devices gpu bench tuning\" measures. Choose "
                        "omp",
                        global.backend));
    auto machine = machineOptions(options, signals);
    auto cases = casesOf(options.operations, cpuCases(context.cpu().threads));
    const auto file = savedTuningFile(context);
    if (!options.isAgain && !options.keepsNothing && !options.isExhaustive) {
        const auto known = entriesOf(cases, savedTuning(context));
        if (known.size() == cases.size()) {
            printKnown(global, known, file);
            return;
        }
        std::erase_if(cases, [&](const TuningCase &each) {
            return std::ranges::find(known, each.key, &TuningEntry::key) != known.end();
        });
    }
    if (!options.keepsNothing && !file.empty()) {
        std::error_code ignored; // what is wrong with the folder is said by the file
        std::filesystem::create_directories(file.parent_path(), ignored);
        requireWritable(file);
    }
    const auto warning = warningOfLoad();
    if (!warning.empty())
        printMessage(fmt::format("gridhelm-cli: {}.\n", warning));
    const auto candidate = dispatch::cpuCandidate();
    const auto untuned = context.withTuning(std::make_shared<TuningTable>());
    ProgressLine progress;
    auto rows = json::array();
    const auto begin = std::chrono::steady_clock::now();
    double atYardsticks = 0;
    std::size_t failures = 0;
    machine.begins = [&](const TuningCase &each, std::size_t index, std::size_t count) {
        progress.show(fmt::format("{} of {}: {}", index + 1, count, each.text()));
    };
    machine.failed = [&](const TuningCase &each, const std::string &problem) {
        progress.clear();
        printMessage(fmt::format("gridhelm-cli: {} was not tuned: {}\n", each.text(), problem));
        ++failures;
    };
    machine.ended = [&](const TunedCase &tuned) {
        std::optional<Yardstick> yardstick;
        if (options.isExhaustive) {
            try {
                yardstick = measureYardstick(tuned, candidate, untuned, signals.token());
            } catch (const std::exception &problem) {
                printMessage(fmt::format("gridhelm-cli: there is no yardstick for {}: {}\n",
                                         tuned.tuned.text(), problem.what()));
            }
            atYardsticks += yardstick ? yardstick->allSeconds : 0;
        }
        progress.clear();
        rows.push_back(jsonOf(tuned, yardstick));
        if (!global.json)
            printRow(tuned, yardstick);
    };
    const auto tuned = tuneMachine(cases, candidate, untuned, machine);
    progress.clear();
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    const bool isSaved = !options.keepsNothing && saveTuning(tuned, context);
    if (global.json)
        printJson({{"file", isSaved ? json(file.string()) : json()},
                   {"was_tuned_before", false},
                   {"strategy", nameOf(machine.each.strategy)},
                   {"warning", warning},
                   {"seconds", seconds},
                   {"seconds_without_yardstick", seconds - atYardsticks},
                   {"not_reached", cases.size() - failures - tuned.size()},
                   {"failed", failures},
                   {"cases", std::move(rows)},
                   {"execution", executionJson(global, ComputedOn::cpu())}});
    else
        printEnd(tuned, cases.size() - failures, seconds, file, isSaved);
    if (signals.happened())
        throw EarlyEnd{130};
}

} // namespace

void addTuneCommand(CLI::App &parent, const GlobalOptions &global)
{
    CLI::App &command = *parent.add_subcommand(
        "tune", "Find the constants of kernels that suit this machine, and keep them");
    const auto options = std::make_shared<TuneCommandOptions>();
    command.add_option("operations", options->operations, "Some operations only; all without")
        ->type_name("OPERATION");
    command
        .add_option("--budget", options->budget,
                    "Seconds after which no further case begins (default: 60; with --exhaustive "
                    "no limit)")
        ->type_name("SECONDS");
    command
        .add_option("--strategy", options->strategy,
                    "partitions, climbing, annealing, random or exhaustive")
        ->capture_default_str();
    command
        .add_option("--trials", options->trials,
                    "Of annealing and random: so many variants of each; 0: all that the budget "
                    "allows")
        ->capture_default_str();
    command.add_flag("--exhaustive", options->isExhaustive,
                     "Measure all variants of the whole work, too, and what was found beside their "
                     "best: takes very long");
    command.add_flag("--whole", options->isWhole, "Time the whole work instead of smaller inputs");
    command.add_flag("--again", options->isAgain, "Even if this machine has been tuned");
    command.add_flag("--dry-run", options->keepsNothing, "Keep nothing");
    command.footer(R"(
Kernels have constants that change their time, never their values: how many points go in lock-step, how
many iterations are done in one pass over memory, how large a tile is. What is found is kept in the
user's cache folder for this machine, this number of threads and this version of the program, and used
from then on by the window, too. A variant is kept if it is faster than the compiled-in one by 2 % and
by more than the noise, both run in turns. Let the machine do nothing else meanwhile.

Examples:
  gridhelm-cli tune
  gridhelm-cli tune interpolation "jacobi temporal" --again --json
  gridhelm-cli tune combination --exhaustive --dry-run)");
    command.callback([&global, options] { run(global, *options); });
}

} // namespace gridhelm::cli
