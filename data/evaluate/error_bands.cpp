// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/evaluate/error_bands.h"

#include "core/support/quantile.h"
#include "data/evaluate/hold_out_places.h"
#include "data/evaluate/scalar_spread.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <random>

namespace gridhelm::data {
namespace {

/// Norms at random places, uniform in each parameter's own scale.
std::vector<FieldNorms> normsAnywhere(const ParameterSpace &space, const FieldAnywhere &surrogate)
{
    constexpr std::size_t quickPlaces = 1000, slowPlaces = 9;
    std::mt19937_64 random(20'031);
    std::uniform_real_distribution<double> uniform(0, 1);
    std::vector<FieldNorms> norms;
    std::vector<double> x(space.parameters().size());
    while (norms.size() < (surrogate.samplesQuickly() ? quickPlaces : slowPlaces)) {
        for (double &coordinate : x)
            coordinate = uniform(random);
        norms.push_back(surrogate.sampledNorms(x));
    }
    return norms;
}

constexpr double half = 0.5; ///< of all values: the median

std::optional<double> spreadOf(const Study &study, FieldIndex field)
{
    const auto spread = scalarSpread(study, field);
    if (!spread)
        return std::nullopt;
    return std::sqrt(spread->l2 / static_cast<double>(study.fields()[field].values()));
}

} // namespace

BandCalibration::BandCalibration(const Study &study, FieldIndex field,
                                 const FieldAnywhere &surrogate)
    : m_space(study.description().space)
    , m_field(field)
    , m_spread(spreadOf(study, field))
    , m_anywhere(normsAnywhere(m_space, surrogate))
{
    constexpr double floorShare = 0.1;
    std::vector<double> indicators;
    for (const auto &place : m_anywhere)
        indicators.push_back(place.indicator);
    m_floor = floorShare * quantile(std::move(indicators), half);
}

std::optional<FieldBand> BandCalibration::band(const std::vector<HeldOutPlace> &places) const
{
    FieldBand band;
    band.field = m_field;
    std::map<std::vector<double>, HeldOutError> worst; // of each run
    for (const auto &place : places) {
        if (isAtEdge(placeOfRun(m_space, place.parameters))) {
            ++band.edges;
            band.worstEdge = std::max(band.worstEdge, place.relativeError);
            continue;
        }
        const auto [run, isNew] = worst.try_emplace(runOf(m_space, place.parameters), place.norms);
        if (!isNew && scoreOf(place.norms, m_floor) > scoreOf(run->second, m_floor))
            run->second = place.norms;
    }
    std::vector<HeldOutError> runs;
    for (const auto &[run, error] : worst)
        runs.push_back(error);
    return withTypical(calibratedBand(runs, m_floor), band);
}

std::optional<FieldBand>
BandCalibration::crossValidated(const std::vector<HeldOutError> &runs) const
{
    FieldBand band;
    band.field = m_field;
    return withTypical(crossValidatedBand(runs, m_floor), band);
}

std::optional<FieldBand> BandCalibration::withTypical(const std::optional<ErrorBand> &calibrated,
                                                      FieldBand band) const
{
    if (!calibrated)
        return std::nullopt;
    band.band = *calibrated;
    std::vector<double> relative;
    for (const auto &place : m_anywhere)
        relative.push_back(
            relativeBand(band.band, place.indicator, m_spread.value_or(place.values)));
    band.typical = quantile(std::move(relative), half);
    if (std::isfinite(band.typical))
        return band;
    // The field is 0 at most of these places: relative to what it is anywhere.
    std::vector<double> radii;
    double squares = 0;
    for (const auto &place : m_anywhere) {
        radii.push_back(band.band.radius(place.indicator));
        squares += place.values * place.values;
    }
    if (squares == 0)
        return std::nullopt;
    band.typical = quantile(std::move(radii), half)
                   / std::sqrt(squares / static_cast<double>(m_anywhere.size()));
    return band;
}

std::uint64_t missingRuns(const Study &study, FieldIndex field)
{
    return study.hasKriging(field) ? 0 : study.missingPoints(field);
}

std::optional<FieldBand> bandOf(const Study &study, FieldIndex field)
{
    for (auto &band : study.errorBands()) {
        if (band.field == field && band.gridPoints == study.grid()->points()
            && band.missingPoints == missingRuns(study, field)) {
            band.spread = spreadOf(study, field);
            return band;
        }
    }
    return std::nullopt;
}

double relativeBand(const ErrorBand &band, double indicator, double values)
{
    const double radius = band.radius(indicator);
    if (values > 0)
        return radius / values;
    return radius > 0 ? std::numeric_limits<double>::infinity() : 0;
}

BandHere bandHere(const FieldBand &band, double indicator, double values)
{
    return {band.band, relativeBand(band.band, indicator, band.spread.value_or(values)),
            band.nodes};
}

std::optional<BandHere> bandAt(const std::optional<FieldBand> &band, const ParameterSpace &space,
                               std::span<const double> parameters, std::span<const float> values,
                               std::span<const float> indicator, std::span<const float> distance)
{
    const auto isInside = [](double x) { return x >= 0 && x <= 1; };
    if (!band || !std::ranges::all_of(space.toUnit(parameters), isInside))
        return std::nullopt;
    return bandHere(*band, rootMeanSquare(indicator), rootMeanSquare(values, distance));
}

std::array<BandNumber, 2> bandNumbers(const Field &field, const std::optional<BandHere> &here)
{
    std::array<BandNumber, 2> numbers{
        {{field.name + "_band", std::nullopt}, {field.name + "_band_coverage", std::nullopt}}};
    if (here) {
        numbers[0].value = here->relative;
        numbers[1].value = here->band.coverage;
    }
    return numbers;
}

std::string coverageText(const ErrorBand &band)
{
    return fmt::format("{:.0f} %", 100 * band.coverage);
}

std::string bandText(const ErrorBand &band, double relative)
{
    return fmt::format("{} error bound {:.2g} %", coverageText(band), 100 * relative);
}

} // namespace gridhelm::data
