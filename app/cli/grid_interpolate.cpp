// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/data_files.h"
#include "app/cli/execution.h"
#include "app/cli/grid_options.h"
#include "app/cli/output.h"
#include "core/sparse/team/rank_evaluator.h"
#include "core/support/error.h"
#include "core/support/value_file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <memory>
#include <span>

namespace gridhelm::cli {
namespace {

struct InterpolateOptions
{
    GridOptions grid;
    std::string values;
    std::string points;
    std::string precision = "double";
    std::string output;
};

struct Interpolated
{
    std::vector<double> values;
    std::vector<double> indicator;
    ComputedOn computedOn{};
};

template <typename T>
Interpolated interpolate(const sparse::Backend &backend, const std::shared_ptr<Ranks> &ranks,
                         std::shared_ptr<const sparse::SparseGrid> grid, std::vector<T> values,
                         const std::vector<T> &points)
{
    const int dimension = grid->dimension();
    auto where = backend.hierarchize(*grid, std::span<T>(values));
    auto evaluator = backend.load(std::move(grid), std::move(values));
    if (ranks)
        evaluator = sparse::makeRankEvaluator<T>(std::move(evaluator), ranks);
    const sparse::PointsView<T> view{points, dimension};
    std::vector<T> results(view.count()), indicator(view.count());
    where |= evaluator->evaluate(view, {results, indicator}).computedOn;
    return {{results.begin(), results.end()}, {indicator.begin(), indicator.end()}, where};
}

std::vector<float> inSinglePrecision(const std::vector<double> &values)
{
    std::vector<float> result;
    result.reserve(values.size());
    for (const double value : values)
        result.push_back(static_cast<float>(value));
    return result;
}

/// The shortest text that reads back as the same number; single precision needs fewer digits.
std::string numberText(double value, bool isSingle)
{
    return isSingle ? fmt::format("{}", static_cast<float>(value)) : fmt::format("{}", value);
}

void write(const GlobalOptions &global, const InterpolateOptions &options,
           const Interpolated &result, bool isSingle)
{
    for (std::size_t j = 0; j < result.values.size(); ++j)
        if (!std::isfinite(result.values[j]))
            throw Error(
                fmt::format("the result at point {} is not finite: the values are too large "
                            "for {} precision",
                            j + 1, isSingle ? "single" : "double"));
    if (global.json) {
        writeText(options.output,
                  nlohmann::json{{"values", result.values},
                                 {"indicator", result.indicator},
                                 {"execution", executionJson(global, result.computedOn)}}
                          .dump()
                      + "\n");
        return;
    }
    std::string text;
    for (const double value : result.values)
        text += numberText(value, isSingle) + "\n";
    writeText(options.output, text);
}

void run(const GlobalOptions &global, const InterpolateOptions &options)
{
    const bool isSingle = options.precision == "float";
    if (!isSingle && options.precision != "double")
        throw Error(
            fmt::format("there is no precision \"{}\": use double or float", options.precision));
    if (options.values == "-" && options.points == "-")
        throw Error("--values and --at cannot both be stdin: put one of them into a file");
    if (global.ranks && (options.values == "-" || options.points == "-"))
        throw Error("of processes that mpirun has started one has a stdin: put --values and --at "
                    "into files");
    const auto backend = makeBackend(global);
    const sparse::GridShape shape = gridShape(options.grid);
    const std::uint64_t count = sparse::countGrid(shape).points;
    if (!options.output.empty())
        doneByFirst(global.ranks.get(), [&] { requireWritable(options.output); });
    const auto points = readPoints(options.points, shape.dimension());
    sparse::requireFitsInMemory(shape, 2 * sizeof(double));
    auto values = readValues(options.values, count,
                             "check --dim, --level, --caps and --boundary, and that the file is "
                             "complete");
    const auto grid = std::make_shared<const sparse::SparseGrid>(shape);

    const Interpolated result =
        isSingle ? interpolate(*backend, global.ranks, grid, inSinglePrecision(values),
                               inSinglePrecision(points))
                 : interpolate(*backend, global.ranks, grid, std::move(values), points);
    doneByFirst(global.ranks.get(), [&] { write(global, options, result, isSingle); });
}

} // namespace

void addGridInterpolateCommand(CLI::App &parent, const GlobalOptions &global)
{
    CLI::App &command = *parent.add_subcommand(
        "interpolate", "Compress a function's values, and evaluate it at other points");
    const auto options = std::make_shared<InterpolateOptions>();
    addGridOptions(command, options->grid);
    command
        .add_option(
            "--values", options->values,
            "The function at the grid's points, in storage order (see \"grid points\"): one "
            "a line, or raw little-endian float64 if the name ends in .f64; - is stdin")
        ->type_name("FILE")
        ->required();
    command
        .add_option("--at", options->points,
                    "Where to evaluate: a table, one point of [0, 1]^D a row; - is stdin")
        ->type_name("FILE")
        ->required();
    command.add_option("--precision", options->precision, "Compute in double or float")
        ->type_name("P")
        ->capture_default_str();
    command.add_option("--output", options->output, "Write to this file instead of stdout")
        ->type_name("FILE");
    command.footer(R"(
Prints one value a line. With --json also the indicator of each value: the part that the grid's
finest group of points contributes, an estimate of the error that needs no further samples.
Processes that mpirun has started evaluate a chunk of the points each; the first one writes.

Examples:
  gridhelm-cli grid interpolate --dim 2 --level 4 --boundary boundary \
      --values values.txt --at where.csv
  echo 0.3,0.7 | gridhelm-cli grid interpolate --dim 2 --level 9 --values run.f64 --at - --json
  gridhelm-cli grid interpolate --dim 3 --level 6 --caps 6,6,2 --values v.txt --at p.csv \
      --backend reference
  mpirun -n 4 gridhelm-cli grid interpolate --dim 6 --level 8 --values run.f64 --at p.csv \
      --output results.txt)");
    command.callback([&global, options] { run(global, *options); });
}

} // namespace gridhelm::cli
