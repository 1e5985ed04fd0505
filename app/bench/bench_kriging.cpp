// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/kriging_cases.h"
#include "app/bench/measure.h"
#include "app/cli/commands.h"
#include "app/cli/execution.h"
#include "app/cli/output.h"
#include "app/machine/environment.h"
#include "core/kriging/field_errors.h"
#include "core/support/error.h"
#include "core/support/output_file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace gridhelm::cli {
namespace {

using nlohmann::json;

constexpr std::size_t testPlaces = 2000;
constexpr std::uint64_t testSeed = 77;

struct BenchKrigingOptions
{
    std::vector<int> runs{51, 101, 201};
    int designs = 3;
    bool isFilling = false;
    int fieldRuns = 351;
    int modes = 20;
    std::string exportFile;
};

std::string formText(const kriging::Form &form)
{
    return fmt::format("{}, {} mean{}", nameOf(form.smoothness),
                       form.linear.empty() ? "constant" : "linear",
                       form.isWarped ? ", warped" : "");
}

/// Of one output: errors left out, relative to the values, in the 2-norm.
double leaveOneOut(const kriging::Fit &fitted, const kriging::Runs &runs)
{
    double error = 0, size = 0;
    for (std::size_t i = 0; i < runs.values.size(); ++i) {
        error += fitted.leaveOneOut[i] * fitted.leaveOneOut[i];
        size += runs.values[i] * runs.values[i];
    }
    return std::sqrt(error / size);
}

/// A line for each run: case, kind, coordinates, value.
void appendLines(std::string &text, const std::string &name, const char *kind,
                 const kriging::Runs &runs)
{
    const auto d = static_cast<std::size_t>(runs.dimension);
    for (std::size_t i = 0; i < runs.runs; ++i)
        text += fmt::format("{},{},{},{}\n", name, kind,
                            fmt::join(runs.places.begin() + static_cast<std::ptrdiff_t>(i * d),
                                      runs.places.begin() + static_cast<std::ptrdiff_t>(i * d + d),
                                      ","),
                            runs.values[i]);
}

/// Fits every function on every design; the runs are appended to `lines`.
json measureErrors(const BenchKrigingOptions &options, const ExecutionContext &context,
                   std::string &lines)
{
    json cases = json::array();
    for (const auto &function : bench::krigingFunctions()) {
        const auto tests = bench::runsOf(
            function, bench::uniformPlaces(testPlaces, bench::krigingParameters, testSeed));
        for (const int count : options.runs) {
            for (int design = 1; design <= options.designs; ++design) {
                const auto place =
                    options.isFilling ? bench::fillingDesign : bench::spreadLatinHypercube;
                const auto runs = bench::runsOf(
                    function, place(static_cast<std::size_t>(count), bench::krigingParameters,
                                    static_cast<std::uint64_t>(design)));
                kriging::Fit fitted;
                const double seconds =
                    bench::secondsOf([&] { fitted = kriging::fit(runs, {}, context); });
                const auto name = fmt::format("{}-{}-{}", function.name, count, design);
                cases.push_back({{"case", name},
                                 {"function", function.name},
                                 {"runs", count},
                                 {"relative_error", bench::relativeError(fitted.model, tests)},
                                 {"leave_one_out", leaveOneOut(fitted, runs)},
                                 {"form", formText(fitted.model.mainForm())},
                                 {"evaluations", fitted.evaluations},
                                 {"seconds", seconds}});
                if (!options.exportFile.empty()) {
                    appendLines(lines, name, "run", runs);
                    appendLines(lines, name, "test", tests);
                }
            }
        }
    }
    return cases;
}

json measureField(const BenchKrigingOptions &options, const ExecutionContext &context)
{
    const auto field =
        bench::plumeModes(bench::spreadLatinHypercube(static_cast<std::size_t>(options.fieldRuns),
                                                      bench::krigingParameters, 1),
                          static_cast<std::size_t>(options.modes));
    kriging::Fit fitted;
    const double seconds =
        bench::secondsOf([&] { fitted = kriging::fit(field.coefficients, {}, context); });
    const auto errors =
        kriging::fieldLeaveOneOut(fitted.leaveOneOut, field.cutEnergies, field.squaredNorms);
    return {{"runs", options.fieldRuns},
            {"parameters", bench::krigingParameters},
            {"nodes", field.nodes},
            {"modes", field.coefficients.outputs},
            {"threads", context.cpu().threads},
            {"leave_one_out_mean", errors.mean},
            {"leave_one_out_largest", errors.largest},
            {"form", formText(fitted.model.mainForm())},
            {"evaluations", fitted.evaluations},
            {"seconds", seconds}};
}

std::string textOf(const json &cases, const json &field)
{
    std::string text = "function  runs  relative L2  left out  seconds  form\n";
    for (const auto &each : cases)
        text +=
            fmt::format("{:8} {:5} {:12.5f} {:9.5f} {:8.2f}  {}\n",
                        each["function"].get<std::string>(), each["runs"].get<int>(),
                        each["relative_error"].get<double>(), each["leave_one_out"].get<double>(),
                        each["seconds"].get<double>(), each["form"].get<std::string>());
    return text
           + fmt::format("\na field of {} nodes, {} runs, {} POD modes: {:.2f} s with {} threads, "
                         "{} likelihoods; left out {:.3g} % off on average ({})\n",
                         field["nodes"].get<int>(), field["runs"].get<int>(),
                         field["modes"].get<int>(), field["seconds"].get<double>(),
                         field["threads"].get<int>(), field["evaluations"].get<long>(),
                         100 * field["leave_one_out_mean"].get<double>(),
                         field["form"].get<std::string>());
}

void runBenchKriging(const GlobalOptions &global, const BenchKrigingOptions &options)
{
    constexpr int most = 5000;
    for (const int count : options.runs)
        if (count < 2 || count > most)
            throw Error(fmt::format("--runs must be from 2 to {}", most));
    if (options.fieldRuns < 2 || options.fieldRuns > most || options.modes < 1
        || options.designs < 1)
        throw Error(fmt::format(
            "--field-runs must be from 2 to {}, --modes and --designs at least 1", most));
    if (!options.exportFile.empty())
        requireWritable(options.exportFile);
    const auto context = benchContext(global);
    std::string lines;
    const json cases = measureErrors(options, context, lines);
    if (!options.exportFile.empty())
        writeTextFile(options.exportFile, lines);
    const json field = measureField(options, context);
    if (global.json)
        printJson({{"benchmark", "kriging"},
                   {"places", options.isFilling ? "space-filling" : "latin-hypercube"},
                   {"environment", app::environmentJson(context)},
                   {"cases", cases},
                   {"field", field}});
    else
        printText(textOf(cases, field));
}

} // namespace

void addBenchKrigingCommand(CLI::App &parent, const GlobalOptions &global)
{
    auto options = std::make_shared<BenchKrigingOptions>();
    CLI::App &command = *parent.add_subcommand(
        "kriging", "How far kriging is off at random points, and how long fitting it takes");
    command.add_option("--runs", options->runs, "Runs to fit to, several numbers by commas")
        ->type_name("N,...")
        ->delimiter(',')
        ->capture_default_str();
    command.add_option("--designs", options->designs, "Latin hypercubes of each number of runs")
        ->type_name("K")
        ->capture_default_str();
    command.add_flag(
        "--space-filling", options->isFilling,
        "Runs that plans with design = \"space-filling\" choose, in place of Latin hypercubes");
    command.add_option("--field-runs", options->fieldRuns, "Runs of the field that is timed")
        ->type_name("N")
        ->capture_default_str();
    command.add_option("--modes", options->modes, "Its POD modes, at most as many as runs")
        ->type_name("M")
        ->capture_default_str();
    command
        .add_option("--export", options->exportFile,
                    "Writes runs and test points, for others to fit (tests/peers/kriging_peer.py)")
        ->type_name("FILE.csv");
    command.footer(R"(
Five functions of five parameters: smooth (f1), a wave (f2), a bump (f3), nearly polynomial (f4), a
front (f5); 2,000 random points. The field is two plumes that move, widen and fade.

Examples:
  gridhelm-cli bench kriging --threads 2
  gridhelm-cli bench kriging --runs 51 --designs 10 --json)");
    command.callback([&global, options] { runBenchKriging(global, *options); });
}

} // namespace gridhelm::cli
