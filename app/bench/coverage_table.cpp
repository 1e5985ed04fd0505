// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/coverage_table.h"

#include "app/bench/sample_studies.h"
#include "app/cli/study_steps.h"
#include "core/support/error.h"
#include "core/support/quantile.h"
#include "core/support/uniform_random.h"
#include "data/evaluate/error_bands.h"
#include "data/evaluate/hold_out_places.h"

#include <algorithm>
#include <functional>
#include <map>
#include <random>

namespace gridhelm::bench {
namespace {

using RunPlace = std::vector<double>; ///< values of the parameters
constexpr double median = 0.5;

/// Those of one draw that count, as the product makes them.
std::vector<RunPlace> drawOf(const data::Plan &plan, std::size_t count, std::uint64_t seed)
{
    const auto &space = plan.description.space;
    std::vector<RunPlace> inside;
    for (std::size_t asked = count; inside.size() < count; asked += count) {
        inside.clear();
        for (auto &place : data::holdOutParameters(space, plan.description.level, asked, seed))
            if (inside.size() < count && !data::isAtEdge(data::placeOfRun(space, place)))
                inside.push_back(std::move(place));
    }
    return inside;
}

std::vector<RunPlace> newPlaces(const ParameterSpace &space, std::size_t count)
{
    std::mt19937_64 engine(99);
    std::vector<RunPlace> places;
    for (std::size_t i = 0; i < count; ++i) {
        RunPlace x(space.parameters().size());
        for (double &coordinate : x)
            coordinate = uniformRandom(engine);
        places.push_back(space.fromUnit(x));
    }
    return places;
}

std::map<RunPlace, HeldOutError> measuredErrors(const data::Study &study, data::FieldIndex field,
                                                const data::FieldAnywhere &surrogate)
{
    std::map<RunPlace, HeldOutError> measured;
    std::vector<float> exact(surrogate.values()), values(exact.size()), indicator(exact.size());
    for (const auto &run : study.holdOuts()) {
        if (!study.readHoldOut(run.id, field, exact))
            continue;
        surrogate.evaluate(run.parameters, {values, indicator});
        std::ranges::transform(values, exact, values.begin(), std::minus<>{});
        measured[run.parameters] = {data::rootMeanSquare(values), data::rootMeanSquare(indicator)};
    }
    return measured;
}

/// The band if the indicator said nothing.
std::optional<ErrorBand> constantBand(std::vector<HeldOutError> runs)
{
    for (auto &run : runs)
        run.indicator = 0;
    return calibratedBand(runs, 0);
}

CoverageRow rowOf(const std::map<RunPlace, HeldOutError> &measured, double floor,
                  const std::vector<std::vector<RunPlace>> &draws,
                  const std::vector<RunPlace> &places)
{
    CoverageRow row;
    row.least = 1;
    std::vector<double> radii, constants, errors;
    for (const auto &place : places)
        errors.push_back(measured.at(place).error);
    for (const auto &draw : draws) {
        std::vector<HeldOutError> runs;
        for (const auto &place : draw)
            runs.push_back(measured.at(place));
        const auto band = calibratedBand(runs, floor);
        const auto constant = constantBand(runs);
        if (!band || !constant)
            throw Error("a draw of validation points makes no band");
        std::size_t inside = 0;
        for (const auto &place : places) {
            const auto &[error, indicator] = measured.at(place);
            radii.push_back(band->radius(indicator));
            inside += error <= radii.back() ? 1 : 0;
        }
        constants.push_back(constant->offset);
        const double share = static_cast<double>(inside) / static_cast<double>(places.size());
        row.claimed = band->coverage;
        row.mean += share / static_cast<double>(draws.size());
        row.least = std::min(row.least, share);
        row.largest = std::max(row.largest, share);
    }
    const double typical = quantile(radii, median);
    row.byError = typical / quantile(errors, median);
    row.byConstant = typical / quantile(constants, median);
    return row;
}

} // namespace

std::vector<CoverageRow> coverageTable(const data::Plan &plan, const std::filesystem::path &file,
                                       const CoverageOptions &options)
{
    auto writer = data::StudyWriter::create(file, plan.description);
    cli::RunStep runs;
    runs.jobs = options.context.cpu().threads;
    requireNoFailure(cli::runStep(writer, runs));
    cli::CompressStep compression;
    compression.context = options.context;
    cli::compressStep(writer, compression);

    std::vector<std::vector<RunPlace>> draws;
    const auto places = newPlaces(plan.description.space, options.places);
    auto all = places;
    for (std::size_t draw = 0; draw < options.draws; ++draw) {
        draws.push_back(drawOf(plan, options.holdOuts, 1000 + draw));
        all.insert(all.end(), draws.back().begin(), draws.back().end());
    }
    std::ranges::sort(all);
    all.erase(std::unique(all.begin(), all.end()), all.end());
    requireNoFailure(cli::holdOutStep(writer, all, options.context.cpu().threads));

    std::vector<CoverageRow> rows;
    for (data::FieldIndex field = 0; field < writer.fields().size(); ++field) {
        const data::FieldAnywhere surrogate(writer, field, options.context);
        const data::BandCalibration calibration(writer, field, surrogate);
        rows.push_back(
            rowOf(measuredErrors(writer, field, surrogate), calibration.floor(), draws, places));
        rows.back().field = writer.fields()[field].name;
    }
    writer.close();
    return rows;
}

} // namespace gridhelm::bench
