// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/evaluated_mesh.h"
#include "app/cli/execution.h"
#include "app/cli/interrupted.h"
#include "app/cli/interruption.h"
#include "app/cli/mesh_series.h"
#include "app/cli/output.h"
#include "app/cli/progress_line.h"
#include "app/cli/study_console.h"
#include "app/cli/study_evaluation.h"
#include "core/support/bytes_text.h"
#include "core/support/clean_text.h"
#include "core/support/error.h"
#include "core/support/parse_numbers.h"
#include "data/mesh/mesh_writer.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <cmath>
#include <memory>

namespace gridhelm::cli {
namespace {

struct ExportOptions
{
    EvaluationOptions evaluation;
    std::string along;
    std::string steps = "51";
    std::string from;
    std::string to;
    std::string at;
    std::string output;
    bool indicator = false;
    bool overwrite = false;
};

int stepCount(const std::string &text)
{
    constexpr int most = 100000;
    const int steps = parseInteger(text, "--steps");
    if (steps < 2 || steps > most)
        throw Error(fmt::format("--steps cannot be {}: choose 2 to {}", steps, most));
    return steps;
}

/// Equally spaced in the parameter's scale, the ends exactly as given.
std::vector<double> stepsBetween(Parameter parameter, double from, double to, int count)
{
    parameter.low = from;
    parameter.high = to;
    const ParameterSpace range({parameter});
    std::vector<double> steps;
    for (int i = 0; i < count; ++i)
        steps.push_back(range.fromUnit(std::vector{i / (count - 1.0)}).front());
    return steps;
}

struct Sweep
{
    std::size_t dimension = 0;
    std::vector<double> at; ///< all parameters; the one that is swept changes
    std::vector<double> steps;
};

Sweep sweepOf(const ExportOptions &options, const StudyEvaluation &study)
{
    Sweep sweep;
    sweep.dimension = study.parameters().indexOf(options.along);
    sweep.at = study.parse(options.at, options.along);
    const auto &parameter = study.parameters()[sweep.dimension];
    const int count = stepCount(options.steps);
    const double from = options.from.empty() ? parameter.low : parseReal(options.from, "--from");
    const double to = options.to.empty() ? parameter.high : parseReal(options.to, "--to");
    if (!(from < to))
        throw Error(fmt::format("the series would go from {} to {}: let --from be less than --to",
                                from, to));
    auto first = sweep.at, last = sweep.at;
    first[sweep.dimension] = from;
    last[sweep.dimension] = to;
    study.requireRange({first, last});
    sweep.steps = stepsBetween(parameter, from, to, count);
    return sweep;
}

void runExport(const GlobalOptions &global, const ExportOptions &options)
{
    const Interruption interruption; // before there are other threads
    const auto begin = std::chrono::steady_clock::now();
    StudyEvaluation study(global, options.evaluation);
    auto sweep = sweepOf(options, study);
    EvaluatedMesh mesh(study, options.indicator ? IndicatorFields::written : IndicatorFields::left);
    MeshSeries series(options.output, data::extensionFor(*study.mesh()), options.overwrite);
    const auto requireGoing = [&] {
        if (interruption.happened())
            throw Interrupted("Interrupted: nothing was written; export again");
    };

    ProgressLine progress;
    progress.show("reading the study");
    study.expect(sweep.steps.size(), [&] { return interruption.happened(); });
    ComputedOn where;
    for (std::size_t i = 0; i < sweep.steps.size(); ++i) {
        requireGoing();
        progress.show(fmt::format("step {} of {}", i + 1, sweep.steps.size()));
        sweep.at[sweep.dimension] = sweep.steps[i];
        const auto result = study.evaluate(sweep.at);
        where |= result.computedOn;
        mesh.set(result, sweep.at);
        series.add(sweep.steps[i], mesh.data());
    }
    requireGoing();
    series.commit();
    progress.clear();

    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    const auto &parameter = study.parameters()[sweep.dimension];
    if (global.json)
        printJson({{"series", options.output},
                   {"folder", series.folder().string()},
                   {"along", parameter.name},
                   {"unit", parameter.unit},
                   {"steps", sweep.steps},
                   {"bytes", series.bytes()},
                   {"missing_points", study.missingPoints()},
                   {"seconds", seconds},
                   {"execution", executionJson(global, where)}});
    else
        printText(
            fmt::format("wrote {}: {} along {} = {} .. {}{}{}, {} in {}\n"
                        "open it with: paraview {}\n",
                        options.output, countText(sweep.steps.size(), "step"), parameter.name,
                        sweep.steps.front(), sweep.steps.back(), parameter.unit.empty() ? "" : " ",
                        cleanLine(parameter.unit), bytesText(static_cast<double>(series.bytes())),
                        seconds < 60 ? fmt::format("{:.2g} s", seconds) : durationText(seconds),
                        shellText(options.output)));
}

} // namespace

void addExportCommand(CLI::App &parent, const GlobalOptions &global)
{
    CLI::App &command = *parent.add_subcommand(
        "export", "A study's fields along one parameter, as a series of mesh files for ParaView");
    const auto options = std::make_shared<ExportOptions>();
    addEvaluationOptions(command, options->evaluation);
    command.add_option("--along", options->along, "The parameter that becomes the series' time")
        ->required()
        ->type_name("NAME");
    command.add_option("--at", options->at, "All other parameters: name=value, with commas")
        ->type_name("Re=400");
    command.add_option("--steps", options->steps, "Number of files")
        ->type_name("N")
        ->capture_default_str();
    command.add_option("--from", options->from, "Where it begins; by default the range's low end")
        ->type_name("VALUE");
    command.add_option("--to", options->to, "Where it ends; by default the range's high end")
        ->type_name("VALUE");
    command.add_option("--out", options->output, "The series; its files are in a folder beside it")
        ->required()
        ->type_name("FILE.pvd");
    command.add_flag("--indicator", options->indicator,
                     "Also write the error indicator of every value, as NAME_indicator");
    command.add_flag("--overwrite", options->overwrite, "Replace a series of this name");
    command.footer(R"(
Any parameter can be the one to go along, not only time. Steps are equally spaced; for a
parameter with a logarithmic scale their logarithms are. The series is there when all of it is:
after Ctrl-C, or if the disk is full, nothing of it is left.

Examples, after "gridhelm-cli sample plate":
  gridhelm-cli export plate.gridhelm --along x --at y=0.5,strength=120 --out moving.pvd
  gridhelm-cli export plate.gridhelm --along strength --from 50 --to 100 --steps 6 \
      --at x=0.3,y=0.6 --out stronger.pvd)");
    command.callback([&global, options] { runExport(global, *options); });
}

} // namespace gridhelm::cli
