// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/execution.h"
#include "app/cli/interruption.h"
#include "app/cli/output.h"
#include "app/cli/progress_line.h"
#include "app/cli/tune_report.h"
#include "app/machine/tuned_machine.h"
#include "core/support/error.h"
#include "core/support/parse_numbers.h"
#include "core/support/private_folder.h"
#include "core/tuning/known_cases.h"
#include "core/tuning/machine_tuning.h"
#include "core/tuning/saved_tuning.h"
#include "gpu/device_info.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <filesystem>
#include <memory>
#include <optional>
#include <variant>

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

/// Of the devices that were named: of a team each, whole.
ExecutionContext contextOf(const GlobalOptions &global)
{
    const auto &named = teamContext(global);
    const auto isPart = [](const Device &device) {
        return std::visit([](const auto &each) { return each.part.count > 1; }, device);
    };
    const auto &context =
        std::ranges::any_of(named.team(), isPart) ? executionContext(global) : named;
    return context.withTeam({})
        .withFallback(FallbackPolicy::forbidden)
        .withTuning(std::make_shared<TuningTable>());
}

/// The CPU and the GPUs, as far as they were named.
std::vector<TuningDevice> devicesOf(const GlobalOptions &global, const ExecutionContext &context)
{
    const bool namesGpus = global.devices.starts_with("gpu");
    const bool namesCpu = !namesGpus || global.devices.find("cpu") != std::string::npos;
    const bool hasGpus = global.backend == "auto" || global.backend == "cuda";
    const bool hasCpu = global.backend == "omp" || (global.backend == "auto" && namesCpu);
    std::vector<TuningDevice> devices;
    if (hasGpus) {
        // First: they have few cases, and the CPU takes what time is left.
        const auto machine = gpu::listDevices();
        devices = app::tuningGpus(context, machine);
        if (devices.empty() && !hasCpu)
            throw Error(
                fmt::format("there is no GPU whose kernels could be tuned ({}); choose the "
                            "CPU",
                            machine.reason.empty() ? "--devices leaves it out" : machine.reason));
    }
    if (hasCpu)
        devices.push_back(tuningCpu(context));
    if (devices.empty())
        throw Error(fmt::format("--backend {}: it has no constants to tune; choose auto, omp or "
                                "cuda",
                                global.backend));
    return devices;
}

/// Those of these operations; throws Error for a name that no device has.
void keepOperations(const std::vector<std::string> &operations, std::vector<TuningDevice> &devices)
{
    std::vector<TuningCase> all;
    for (const auto &device : devices)
        all.insert(all.end(), device.cases.begin(), device.cases.end());
    (void)casesOf(operations, all);
    for (auto &device : devices) {
        std::erase_if(device.cases, [&](const TuningCase &each) {
            return !operations.empty()
                   && std::ranges::find(operations, each.operation->name) == operations.end();
        });
    }
}

ComputedOn computedOn(const std::vector<TuningDevice> &devices)
{
    auto where = ComputedOn::cpu(); // which makes inputs and compares
    for (const auto &device : devices) {
        for (const auto &gpu :
             device.name == "cpu" ? std::vector<GpuDevice>() : device.context.gpus())
            where |= ComputedOn::gpu(gpu.index);
    }
    return where;
}

/// Null if it is not among them.
json fileOfCpu(const json &files)
{
    const auto of =
        std::ranges::find(files, json("cpu"), [](const json &each) { return each["device"]; });
    return of == files.end() ? json() : (*of)["file"];
}

void printKnown(const GlobalOptions &global, const std::vector<TuningDevice> &devices,
                const std::vector<TuningEntry> &entries)
{
    auto list = json::array(), files = json::array();
    for (const auto &entry : entries) {
        list.push_back(entryJson(entry));
        if (!global.json)
            printTuneRow(entry);
    }
    for (const auto &device : devices)
        files.push_back(fileJson(device, savedTuningFile(device.machine)));
    if (global.json)
        printJson({{"file", fileOfCpu(files)},
                   {"files", files},
                   {"was_tuned_before", true},
                   {"cases", std::move(list)},
                   {"execution", executionJson(global, ComputedOn::cpu())}});
    else
        printKnownEnd(entries);
}

void requireWritableFiles(const std::vector<TuningDevice> &devices)
{
    for (const auto &device : devices) {
        const auto file = savedTuningFile(device.machine);
        if (file.empty())
            throw Error("there is no folder to keep what is found in; set HOME or XDG_CACHE_HOME "
                        "to an absolute path, or say --dry-run to keep nothing");
        (void)makePrivateFolder(file.parent_path()); // what is wrong with it is said by the file
        requireWritable(file);
    }
}

/// The run of tune after all has been checked.
class Tuning
{
public:
    Tuning(const GlobalOptions &global, const TuneCommandOptions &options,
           const Interruption &signals, const std::vector<TuningDevice> &devices)
        : m_global(global)
        , m_options(options)
        , m_signals(signals)
        , m_devices(devices)
        , m_machine(machineOptions(options, signals))
        , m_warning(warningOfLoad())
    {
        m_machine.begins = [this](const TuningCase &each, std::size_t index, std::size_t count) {
            m_progress.show(fmt::format("{} of {}: {}", index + 1, count, each.text()));
        };
        m_machine.failed = [this](const TuningCase &each, const std::string &problem) {
            m_progress.clear();
            printMessage(fmt::format("gridhelm-cli: {} was not tuned: {}\n", each.text(), problem));
            ++m_failures;
        };
        m_machine.deviceBegins = [this](const TuningDevice &device) { m_device = &device; };
        m_machine.ended = [this](const TunedCase &tuned) { add(tuned); };
    }

    void run()
    {
        if (!m_warning.empty())
            printMessage(fmt::format("gridhelm-cli: {}.\n", m_warning));
        const auto begin = std::chrono::steady_clock::now();
        const auto tuned = tuneDevices(m_devices, m_machine);
        m_progress.clear();
        const double seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        auto files = json::array();
        std::vector<std::filesystem::path> kept;
        std::size_t done = 0;
        for (std::size_t i = 0; i < m_devices.size(); ++i) {
            const auto &device = m_devices[i];
            const bool isSaved =
                !m_options.keepsNothing && saveTuning(tuned[i], device.machine, device.context);
            if (isSaved)
                kept.push_back(savedTuningFile(device.machine));
            files.push_back(fileJson(device, isSaved ? kept.back() : std::filesystem::path()));
            done += tuned[i].size();
        }
        const auto wanted = countOfCases(m_devices) - m_failures;
        if (!m_global.json) {
            printTuneEnd(tuned, wanted, seconds, kept, m_signals.happened());
            return;
        }
        printJson({{"file", fileOfCpu(files)},
                   {"files", files},
                   {"was_tuned_before", false},
                   {"strategy", nameOf(m_machine.each.strategy)},
                   {"warning", m_warning},
                   {"seconds", seconds},
                   {"seconds_without_yardstick", seconds - m_atYardsticks},
                   {"not_reached", wanted - done},
                   {"interrupted", m_signals.happened()},
                   {"failed", m_failures},
                   {"cases", std::move(m_rows)},
                   {"execution", executionJson(m_global, computedOn(m_devices))}});
    }

private:
    void add(const TunedCase &tuned)
    {
        std::optional<Yardstick> yardstick;
        if (m_options.isExhaustive) {
            try {
                yardstick = measureYardstick(tuned, m_device->candidate, m_device->context,
                                             m_signals.token());
            } catch (const std::exception &problem) {
                printMessage(fmt::format("gridhelm-cli: there is no baseline for {}: {}\n",
                                         tuned.tuned.text(), problem.what()));
            }
            m_atYardsticks += yardstick ? yardstick->allSeconds : 0;
        }
        m_progress.clear();
        m_rows.push_back(caseJson(tuned, yardstick));
        if (!m_global.json)
            printTuneRow(tuned, yardstick);
    }

    const GlobalOptions &m_global;
    const TuneCommandOptions &m_options;
    const Interruption &m_signals;
    const std::vector<TuningDevice> &m_devices;
    const TuningDevice *m_device = nullptr; ///< whose cases are tuned
    MachineTuneOptions m_machine;
    std::string m_warning;
    ProgressLine m_progress;
    json m_rows = json::array();
    double m_atYardsticks = 0;
    std::size_t m_failures = 0;
};

void run(const GlobalOptions &global, const TuneCommandOptions &options)
{
    Interruption signals;
    const auto context = contextOf(global);
    (void)machineOptions(options, signals); // whether they can be
    auto devices = devicesOf(global, context);
    keepOperations(options.operations, devices);
    if (!options.isAgain && !options.keepsNothing && !options.isExhaustive) {
        const auto known = takeKnown(devices);
        if (countOfCases(devices) == 0) {
            printKnown(global, devices, known);
            return;
        }
    }
    std::erase_if(devices, [](const TuningDevice &device) { return device.cases.empty(); });
    if (!options.keepsNothing)
        requireWritableFiles(devices);
    Tuning(global, options, signals, devices).run();
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
Kernels of the CPU and of GPUs have constants that change their time, never their values: how many points go in lock-step, how
many iterations are done in one pass over memory, how large a tile is. What is found is kept in the
user's cache folder for this CPU and this number of threads, or this model of GPU and its driver, and this
version of the program, and used from then on by the window, too. GPUs are tuned where there are any:
of each model the first one; --devices cpu leaves them out, --devices gpu tunes one alone. A variant is kept if it is faster than the compiled-in one by 2 % and
by more than the noise, both run in turns. Let the machine do nothing else meanwhile.

Examples:
  gridhelm-cli tune
  gridhelm-cli tune interpolation "jacobi temporal" --again --json
  gridhelm-cli --devices gpu tune
  gridhelm-cli tune combination --exhaustive --dry-run)");
    command.callback([&global, options] { run(global, *options); });
}

} // namespace gridhelm::cli
