// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/measure.h"
#include "app/cli/commands.h"
#include "app/cli/execution.h"
#include "app/cli/output.h"
#include "app/machine/environment.h"
#include "app/machine/map_devices.h"
#include "core/answers/posterior.h"
#include "core/answers/shapley_effects.h"
#include "core/answers/sobol_maps.h"
#include "core/answers/uncertainty.h"
#include "core/modes/modal_surrogate.h"
#include "core/sparse/sparse_grid_surrogate.h"
#include "core/support/error.h"
#include "core/support/memory_check.h"
#include "core/support/uniform_random.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>
#include <memory>
#include <random>
#include <utility>
#include <vector>

namespace gridhelm::cli {
namespace {

using nlohmann::json;

constexpr int parameters = 5;
constexpr std::size_t responses = 20, sensors = 50, samples = 2000, curvePoints = 41;

struct BenchAnswersOptions
{
    std::size_t modes = 100;
    std::size_t mapValues = 2'000'000;
    std::size_t percentileValues = 200'000;
    int level = 5;
    int repeats = 3;
};

std::vector<double> randomNumbers(std::size_t count, std::uint64_t seed)
{
    std::mt19937_64 engine(seed);
    std::vector<double> numbers(count);
    for (auto &number : numbers)
        number = 2 * uniformRandom(engine) - 1;
    return numbers;
}

/// A sparse grid of five parameters over modes whose coefficients fall with level and mode, as
/// those of smooth fields do.
std::shared_ptr<const Surrogate> surrogateOf(const BenchAnswersOptions &options)
{
    const auto grid = std::make_shared<const sparse::SparseGrid>(
        sparse::GridShape(parameters, options.level, {},
                          std::vector(parameters, sparse::BoundaryTreatment::modified)));
    auto modal = std::make_shared<modes::ModalRows>();
    modal->modes = options.modes;
    modal->residuals.assign(grid->points(), 0.0F);
    std::mt19937_64 engine(5);
    for (int group = 0; group < grid->groups(); ++group)
        for (auto b = grid->groupFirstPoint(group); b < grid->groupFirstPoint(group + 1); ++b)
            for (std::size_t m = 0; m < options.modes; ++m)
                modal->coefficients.push_back(
                    static_cast<float>((2 * uniformRandom(engine) - 1) / (1 << (2 * group))
                                       / (1 + static_cast<double>(m))));
    return std::make_shared<modes::ModalSurrogate>(
        std::make_shared<sparse::SparseGridSurrogate>(grid), modal);
}

/// The shortest of several runs.
template <typename Action>
double seconds(int repeats, Action action)
{
    double least = std::numeric_limits<double>::infinity();
    for (int i = 0; i < repeats; ++i)
        least = std::min(least, bench::secondsOf(action));
    return least;
}

answers::Inputs unitInputs()
{
    std::vector<Parameter> all;
    for (int t = 0; t < parameters; ++t)
        all.push_back({fmt::format("x{}", t), "", 0, 1});
    return answers::uniformInputs(ParameterSpace(all));
}

json measureMaps(const BenchAnswersOptions &options, const Surrogate &surrogate,
                 const ExecutionContext &context, bool usesGpu)
{
    const auto &cpu = context.cpu();
    const auto inputs = unitInputs();
    const std::size_t columns = std::max(options.mapValues, options.percentileValues);
    requireMemory(static_cast<double>(columns) * static_cast<double>(options.modes) * sizeof(float),
                  "the POD modes of this benchmark", "take fewer --values");
    std::vector<float> rows(options.modes * columns);
    std::mt19937_64 engine(6);
    for (auto &value : rows)
        value = static_cast<float>(2 * uniformRandom(engine) - 1);
    const linalg::MatrixView<const float> forMaps{rows.data(), options.modes, options.mapValues,
                                                  columns};
    const linalg::MatrixView<const float> forPercentiles{rows.data(), options.modes,
                                                         options.percentileValues, columns};
    answers::WeightCovariances covariances;
    const double expansion = seconds(options.repeats, [&] {
        covariances = answers::weightCovariances(surrogate, inputs, 0, 1, cpu);
    });
    const double maps =
        seconds(options.repeats, [&] { answers::sobolMaps(covariances, forMaps, cpu); });
    const auto places = answers::samplePlaces(inputs, samples, 1);
    const double percentiles = seconds(options.repeats, [&] {
        answers::uncertaintyMaps(surrogate, forPercentiles, places, std::vector{0.05, 0.5, 0.95},
                                 std::nullopt, cpu);
    });
    json result = {{"covariances_s", expansion},
                   {"sobol_maps_s", maps},
                   {"sobol_maps_values", options.mapValues},
                   {"percentile_maps_s", percentiles},
                   {"percentile_maps_values", options.percentileValues},
                   {"percentile_maps_samples", samples}};
    if (usesGpu) { // the first time is that of its start, too
        const auto onGpu = app::squareSummer(context, true);
        const auto measure = [&] { answers::sobolMaps(covariances, forMaps, onGpu); };
        result["sobol_maps_gpu_first_s"] = bench::secondsOf(measure);
        result["sobol_maps_gpu_s"] = seconds(options.repeats, measure);
    }
    return result;
}

/// Shapley effects of one response of correlated parameters, and the spread of one with its
/// density.
json measureUncertainty(const BenchAnswersOptions &options,
                        const std::shared_ptr<const Surrogate> &surrogate, const CpuDevice &cpu)
{
    const answers::ResponseModel model({{surrogate, randomNumbers(options.modes, 3)}}, {0.0});
    auto inputs = unitInputs();
    inputs.rankCorrelations.assign(parameters * parameters, 0.3);
    for (std::size_t t = 0; t < parameters; ++t)
        inputs.rankCorrelations[t * parameters + t] = 1;
    answers::ShapleyEffects effects;
    const double shapley = seconds(options.repeats, [&] {
        effects =
            answers::shapleyEffects(model, inputs, answers::usualShapleySamples(false), 1, cpu);
    });
    const double spread = seconds(options.repeats, [&] {
        const auto places = answers::samplePlaces(inputs, answers::usualSamples(false), 1);
        auto values = answers::responsesAt(model, places, cpu);
        answers::spreadOf(std::move(values.front()), std::vector{0.05, 0.5, 0.95}, 0.0, 30);
    });
    return {{"shapley_s", shapley},
            {"shapley_evaluations", effects.evaluations},
            {"shapley_largest_error", *std::ranges::max_element(effects.errors)},
            {"spread_s", spread},
            {"spread_samples", answers::usualSamples(false)}};
}

json measureResponses(const BenchAnswersOptions &options,
                      const std::shared_ptr<const Surrogate> &surrogate, const CpuDevice &cpu)
{
    const answers::ResponseModel model({{surrogate, randomNumbers(options.modes * responses, 1)}},
                                       std::vector<double>(responses, 0.0));
    const std::vector<double> x{0.31, 0.42, 0.53, 0.64, 0.75};
    std::vector<double> values(responses), gradients(responses * parameters);
    const double moved = seconds(20 * options.repeats, [&] {
        model.values(x, values);
        model.gradients(x, gradients);
    });
    // What the window's panel draws beside each value.
    const double curves = seconds(options.repeats, [&] {
        auto along = x;
        for (std::size_t i = 0; i < curvePoints; ++i) {
            along[0] = static_cast<double>(i) / (curvePoints - 1);
            model.values(along, values);
        }
    });
    const auto sensed = std::make_shared<answers::ResponseModel>(
        std::vector<answers::ResponseModel::Part>{
            {surrogate, randomNumbers(options.modes * sensors, 2)}},
        std::vector<double>(sensors, 0.0));
    std::vector<double> measured(sensors);
    sensed->values(x, measured);
    const answers::Matching matching({{sensed,
                                       std::vector<std::optional<double>>(parameters),
                                       measured,
                                       std::vector<double>(sensors, 0.02),
                                       {}}});
    const auto near = std::vector{0.35, 0.4, 0.5, 0.6, 0.7};
    const double dragged =
        seconds(options.repeats, [&] { answers::bestFit(matching, 1, 1, near); });
    const double anew = seconds(options.repeats, [&] { answers::bestFit(matching); });
    answers::PosteriorOptions how;
    how.cpu = cpu;
    answers::Posterior posterior;
    const double sampled = seconds(options.repeats, [&] {
        posterior = answers::samplePosterior(matching, unitInputs(), how);
    });
    return {{"responses", responses},
            {"values_and_gradients_s", moved},
            {"curve_points", curvePoints},
            {"curves_s", curves},
            {"sensors", sensors},
            {"best_fit_from_near_s", dragged},
            {"best_fit_s", anew},
            {"posterior_s", sampled},
            {"posterior_samples", posterior.values[0].size()},
            {"posterior_evaluations", posterior.evaluations},
            {"r_hat", *std::ranges::max_element(posterior.rHats)}};
}

void runBenchAnswers(const GlobalOptions &global, const BenchAnswersOptions &options)
{
    if (options.modes < 1 || options.modes > answers::mostMapRows || options.level < 1
        || options.level > 9 || options.repeats < 1 || options.mapValues < 1
        || options.percentileValues < 1)
        throw Error(fmt::format("take 1 to {} POD modes, level 1 to 9, and numbers above 0",
                                answers::mostMapRows));
    const auto context = benchContext(global);
    const bool usesGpu = global.devices.starts_with("gpu") && !context.gpus().empty();
    const auto surrogate = surrogateOf(options);
    auto result = measureResponses(options, surrogate, context.cpu());
    result.update(measureUncertainty(options, surrogate, context.cpu()));
    result.update(measureMaps(options, *surrogate, context, usesGpu));
    result["parameters"] = parameters;
    result["modes"] = options.modes;
    result["grid_points"] = dynamic_cast<const modes::ModalSurrogate &>(*surrogate).ofRows().rows();
    if (global.json) {
        printJson({{"benchmark", "answers"},
                   {"environment", app::environmentJson(context)},
                   {"result", result}});
        return;
    }
    std::string text;
    for (const auto &[name, value] : result.items())
        text += fmt::format("{:26} {}\n", name, value.dump());
    printText(text);
}

} // namespace

void addBenchAnswersCommand(CLI::App &parent, const GlobalOptions &global)
{
    auto options = std::make_shared<BenchAnswersOptions>();
    CLI::App &command = *parent.add_subcommand(
        "answers", "How long responses, Shapley effects, maps and calibration take");
    command.add_option("--modes", options->modes, "Of the field")
        ->type_name("M")
        ->capture_default_str();
    command.add_option("--level", options->level, "Of the grid of five parameters")
        ->type_name("N")
        ->capture_default_str();
    command.add_option("--values", options->mapValues, "Of the field, for Sobol maps")
        ->type_name("N")
        ->capture_default_str();
    command
        .add_option("--percentile-values", options->percentileValues,
                    "Of the field, for percentile maps")
        ->type_name("N")
        ->capture_default_str();
    command.add_option("--repeats", options->repeats, "The shortest of so many runs counts")
        ->type_name("K")
        ->capture_default_str();
    command.footer(R"(
A sparse grid of five parameters over POD modes with coefficients that fall; values do not matter
here.

Example:
  gridhelm-cli bench answers --threads 2 --json
  gridhelm-cli bench answers --devices gpu    # Sobol' maps by a GPU, too)");
    command.callback([&global, options] { runBenchAnswers(global, *options); });
}

} // namespace gridhelm::cli
