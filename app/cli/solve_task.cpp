// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/solve_task.h"

#include "app/bench/measure.h"
#include "app/cli/backend_choice.h"
#include "app/cli/data_files.h"
#include "app/cli/interruption.h"
#include "app/cli/output.h"
#include "app/cli/parse_numbers.h"
#include "core/solvers/vti_file.h"
#include "core/support/checked_math.h"
#include "core/support/error.h"
#include "core/support/memory_check.h"
#include "core/support/pin_threads.h"
#include "core/support/system_info.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace gridhelm::cli {
namespace {

using solvers::FieldView;

std::vector<float> layersOf(const FieldView &field, int layers)
{
    const double highest = highestOf(field);
    const auto index = [&](auto values) {
        std::vector<float> result;
        result.reserve(values.size());
        for (auto value : values)
            result.push_back(
                static_cast<float>(layerOf(static_cast<double>(value), highest, layers)));
        return result;
    };
    return std::visit(index, field.values);
}

void saveField(const SolveTask &task, const FieldView &field)
{
    std::vector<solvers::ImageArrayView> arrays{{task.fieldName, field.values}};
    std::vector<float> layers;
    if (task.output.layers) {
        layers = layersOf(field, *task.output.layers);
        arrays.push_back({"layer", std::span<const float>(layers)});
    }
    OutputFile file(task.output.save);
    solvers::writeVti(file.temporaryPath(), {field.points, field.origin, field.spacing}, arrays);
    file.commit();
}

/// Returns the names of the files.
nlohmann::json writeFiles(const SolveTask &task, const solvers::Stepper &stepper,
                          const RunResult &result)
{
    nlohmann::json files = nlohmann::json::object();
    const auto &output = task.output;
    if (!output.save.empty()) {
        saveField(task, stepper.field());
        files["save"] = output.save;
    }
    if (!output.picture.empty()) {
        const auto slice = sliceOf(stepper.field(), output.slice);
        drawSolution(slice, output.bands, result.history, task.shown, task.plan.unit)
            .writePng(output.picture);
        files["picture"] = output.picture;
    }
    if (!output.history.empty()) {
        writeText(output.history, csvOf(result.history));
        files["history"] = output.history;
    }
    return files;
}

} // namespace

void addSolveOutputOptions(CLI::App &command, SolveOutputOptions &options)
{
    command
        .add_option("--save", options.save,
                    "Save the field as VTK image data, which ParaView opens")
        ->type_name("FILE.vti");
    command
        .add_option("--picture", options.picture,
                    "Draw the field and, beside it, how the run converged")
        ->type_name("FILE.png");
    command.add_option("--slice", options.slice, "The plane of a 3D field that is drawn")
        ->type_name("AXIS=0..1");
    command.add_option("--history", options.history, "Write all figures of the run, by iteration")
        ->type_name("FILE.csv");
}

SolveOutput solveOutput(const SolveOutputOptions &options, const SliceChoice &usualSlice)
{
    SolveOutput output{options.save, options.picture, options.history, usualSlice, {}, {}};
    if (options.slice)
        output.slice = parseSlice(*options.slice);
    if (options.layers) {
        constexpr int most = 10000;
        output.layers = parseInteger(*options.layers, "--layers");
        if (*output.layers < 1 || *output.layers > most)
            throw Error(fmt::format("--layers: {} layers are not possible: choose 1 to {}",
                                    *output.layers, most));
    }
    for (const auto *name : {&output.save, &output.picture, &output.history}) {
        if (!name->empty())
            requireWritable(*name);
    }
    return output;
}

void solve(const GlobalOptions &global, const SolveTask &task)
{
    const Interruption interruption;
    std::optional<PinnedThreads> pinned;
    if (task.pin)
        pinned.emplace(task.threads);
    const auto stepper = task.makeStepper();
    const RunResult result =
        runSolver(*stepper, task.plan, interruption.token(), pinned ? &*pinned : nullptr);
    const auto files = writeFiles(task, *stepper, result);

    if (global.json) {
        auto document = jsonOf(result, task.plan);
        document["method"] = stepper->method();
        document["settings"] = task.settings;
        document["settings"]["threads"] = task.threads;
        document["settings"]["pinned"] = task.pin;
        document["environment"] = bench::environment(task.threads);
        document["files"] = files;
        printJson(document);
    } else {
        std::string text = fmt::format("{}, {} thread{}{}\n", task.title, task.threads,
                                       task.threads == 1 ? "" : "s", task.pin ? ", pinned" : "");
        text += summaryOf(result, task.plan, task.unknowns);
        for (const auto &file : files.items())
            text += fmt::format("{:<10} {}\n", file.key(), file.value().get<std::string>());
        printText(text);
    }
    flushOutput();
    if (const int code = exitCodeOf(result, task.plan))
        throw EarlyEnd{code};
}

int solverThreads(const GlobalOptions &global)
{
    if (global.backend != "auto" && global.backend != "omp")
        throw Error(
            fmt::format("the solvers have no back end \"{}\": use auto or omp", global.backend));
    const int threads = threadCount(global);
    return threads == 0 ? querySystemInfo().threadCount : threads;
}

void addPrecisionOption(CLI::App &command, std::string &precision)
{
    command.add_option("--precision", precision, "float or double")
        ->type_name("TYPE")
        ->capture_default_str();
}

solvers::Precision parsePrecision(const std::string &text)
{
    if (text == "float")
        return solvers::Precision::float32;
    if (text == "double")
        return solvers::Precision::float64;
    throw Error(fmt::format("--precision: there is no \"{}\": choose float or double", text));
}

std::string_view nameOf(solvers::Precision precision)
{
    return precision == solvers::Precision::float32 ? "float" : "double";
}

std::vector<std::size_t> parseSize(const std::string &text, std::string_view what)
{
    std::vector<std::size_t> size;
    std::uint64_t count = 1;
    std::string_view rest = text;
    for (;;) {
        const auto cross = rest.find('x');
        size.push_back(parseIndex(rest.substr(0, cross), what));
        count = checkedMultiply(count, size.back());
        if (cross == std::string_view::npos)
            break;
        rest.remove_prefix(cross + 1);
    }
    if (size.size() > 3)
        throw Error(
            fmt::format("{}: {} has more than 3 directions: write e.g. 64x64x64", what, text));
    if (count == 0)
        throw Error(
            fmt::format("{}: {} has no points: choose at least 1 in each direction", what, text));
    return size;
}

std::array<double, 3> parsePosition(const std::string &text, std::string_view what,
                                    std::array<double, 3> usual, std::size_t optional)
{
    std::vector<double> numbers;
    parseReals(text, what, numbers);
    if (numbers.size() > 3 || numbers.size() + optional < 3)
        throw Error(fmt::format("{}: \"{}\" has {} numbers: write {}, separated by commas", what,
                                text, numbers.size(),
                                optional == 0 ? "x, y and z" : "x, y and (in 3D) z"));
    std::copy(numbers.begin(), numbers.end(), usual.begin());
    return usual;
}

Formula parseFormula(const std::string &text, std::string_view what)
{
    const auto colon = text.find(':');
    Formula formula{text.substr(0, colon), {}};
    if (colon != std::string::npos)
        parseReals(std::string_view(text).substr(colon + 1), what, formula.numbers);
    return formula;
}

bool isFileName(const std::string &text)
{
    return text.substr(0, text.find(':')).find_first_of("./") != std::string::npos;
}

std::vector<double> readPointValues(const std::string &path,
                                    const std::array<std::size_t, 3> &points, std::string_view what)
{
    const std::uint64_t count = checkedMultiply(checkedMultiply(points[0], points[1]), points[2]);
    requireMemory(static_cast<double>(checkedMultiply(count, sizeof(double))), path,
                  "choose a smaller grid");
    if (!path.ends_with(".vti"))
        return readValues(path, count,
                          fmt::format("check the size of the grid, and that {} has "
                                      "one value for each of its points, x fastest",
                                      what));
    const auto image = solvers::readVti(path);
    if (image.grid.points != points)
        throw Error(fmt::format("{} holds {} points, but {} is for {}: choose the same size", path,
                                describeSize(image.grid.points, 3), what, describeSize(points, 3)));
    return std::visit(
        [](const auto &values) { return std::vector<double>(values.begin(), values.end()); },
        image.arrays.front().values);
}

std::string describeSize(const std::array<std::size_t, 3> &points, int dimension)
{
    return dimension == 2 ? fmt::format("{} x {}", points[0], points[1])
                          : fmt::format("{} x {} x {}", points[0], points[1], points[2]);
}

} // namespace gridhelm::cli
