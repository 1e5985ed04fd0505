// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/evaluated_mesh.h"
#include "app/cli/execution.h"
#include "app/cli/export_page.h"
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
    // Of an interactive page in place of a series; `more` studies are below the first.
    std::string html, error, maxSize;
    std::vector<std::string> more;
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

/// What each of the two forms of the command takes.
void requireOneForm(const ExportOptions &options)
{
    const bool isPage = !options.html.empty();
    const bool isSeries = !options.along.empty() || !options.output.empty();
    if (isPage == isSeries)
        throw Error(isPage ? "--html writes a page, --along and --out write a series of files: "
                             "leave one of them out"
                           : "say what to write: --html FILE.html for an interactive page, or "
                             "--along NAME --out FILE.pvd for a series of files");
    if (isSeries && (options.along.empty() || options.output.empty()))
        throw Error("a series needs both --along NAME and --out FILE.pvd");
    if (isSeries && !(options.error.empty() && options.maxSize.empty() && options.more.empty()))
        throw Error("--error, --max-size and several studies are of interactive pages: add --html "
                    "FILE.html in place of --along and --out");
}

void runEither(const GlobalOptions &global, const ExportOptions &options)
{
    requireOneForm(options);
    if (options.html.empty()) {
        runExport(global, options);
        return;
    }
    auto studies = options.more;
    studies.insert(studies.begin(), options.evaluation.study);
    exportPage(global, {studies, options.html, options.evaluation.fields, options.at, options.error,
                        options.maxSize, options.overwrite});
}

} // namespace

void addExportCommand(CLI::App &parent, const GlobalOptions &global)
{
    CLI::App &command = *parent.add_subcommand(
        "export",
        "A study as one interactive page, or its fields along one parameter as a series of "
        "mesh files");
    const auto options = std::make_shared<ExportOptions>();
    addEvaluationOptions(command, options->evaluation);
    command.add_option("more", options->more, "With --html: further studies, on the same page")
        ->type_name("STUDY");
    command
        .add_option("--html", options->html,
                    "An interactive page for any browser, in one file: sliders, fields, responses")
        ->type_name("FILE.html");
    command
        .add_option("--error", options->error,
                    "What the page may be off the study's values; half of the measured error by "
                    "default")
        ->type_name("0.5%");
    command
        .add_option("--max-size", options->maxSize,
                    "Take bits away, then points of the mesh, until the page is no larger")
        ->type_name("5MB");
    command.add_option("--along", options->along, "The parameter that becomes the series' time")
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
        ->type_name("FILE.pvd");
    command.add_flag("--indicator", options->indicator,
                     "Also write the error indicator of every value, as NAME_indicator");
    command.add_flag("--overwrite", options->overwrite, "Replace what has this name");
    command.footer(R"(
The page (--html) needs no program, network or server: send it to anybody. It opens at --at, or in
the middle of the ranges, and says what was measured of the study's errors and what it adds to them.

Any parameter can be the one to go along, not only time. Steps are equally spaced; for a
parameter with a logarithmic scale their logarithms are. The series is there when all of it is:
after Ctrl-C, or if the disk is full, nothing of it is left.

Examples, after "gridhelm-cli sample plate":
  gridhelm-cli export plate.gridhelm --html plate.html
  gridhelm-cli export plate.gridhelm --along x --at y=0.5,strength=120 --out moving.pvd
  gridhelm-cli export plate.gridhelm --along strength --from 50 --to 100 --steps 6 \
      --at x=0.3,y=0.6 --out stronger.pvd)");
    command.callback([&global, options] { runEither(global, *options); });
}

} // namespace gridhelm::cli
