// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/answers/response_fits.h"

#include "core/kriging/fit.h"
#include "core/kriging/groups_left_out.h"
#include "core/kriging/kriging_surrogate.h"
#include "core/sparse/backend.h"
#include "core/sparse/sparse_grid_surrogate.h"
#include "core/support/error.h"
#include "data/evaluate/accuracy.h"
#include "data/study/run_space.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace gridhelm::data {

namespace {

using answers::ResponseModel;

/// Fills the values of a field in some state; false if they are not there.
using ReadField = std::function<bool(FieldIndex field, std::span<float> values)>;

/// The fields of one state, those that any response needs, each read once.
class State
{
public:
    State(const Study &study, const ReadField &read)
        : m_study(study)
        , m_read(read)
    {
    }

    /// NaN if a field is not there.
    double valueOf(const ResponseOfState &response)
    {
        std::vector<std::vector<float>> values;
        for (const auto field : response.fields()) {
            const auto &there = valuesOf(field);
            if (!there)
                return std::numeric_limits<double>::quiet_NaN();
            values.push_back(*there);
        }
        return response.evaluate(values);
    }

private:
    const std::optional<std::vector<float>> &valuesOf(FieldIndex field)
    {
        const auto [place, isNew] = m_values.try_emplace(field);
        if (isNew) {
            std::vector<float> values(m_study.fields()[field].values());
            if (m_read(field, values))
                place->second = std::move(values);
        }
        return place->second;
    }

    const Study &m_study;
    const ReadField &m_read;
    std::map<FieldIndex, std::optional<std::vector<float>>> m_values;
};

/// Snapshots of points: as they were stored, or where they have been dropped as the surrogate has
/// them.
class PointSnapshots
{
public:
    PointSnapshots(const Study &study, LoadedFields &loaded, const CpuDevice &cpu)
        : m_study(study)
        , m_loaded(loaded)
        , m_cpu(cpu)
    {
    }

    bool read(std::uint64_t point, FieldIndex field, std::span<float> values)
    {
        if (m_study.readSnapshot(point, field, values))
            return true;
        const auto [dropped, isNew] = m_dropped.try_emplace(field);
        if (isNew)
            dropped->second = m_study.pointsWithSnapshots(field);
        if (!dropped->second[point])
            return false;
        std::vector<double> x(m_study.description().space.parameters().size());
        m_study.grid()->coordinates(point, x);
        if (const auto surrogate = m_loaded.of(field))
            surrogate->evaluate(x, {values}, m_cpu);
        else
            evaluateFromFile(m_study, field, x, {values}, m_cpu);
        return true;
    }

private:
    const Study &m_study;
    LoadedFields &m_loaded;
    CpuDevice m_cpu;
    std::map<FieldIndex, std::vector<bool>> m_dropped; ///< with those that are still there
};

/// A value that a snapshot would have is needed, and is none.
[[noreturn]] void refuseMissing(const ResponseOfState &response)
{
    throw Error(fmt::format("response {}: a run has no values of its fields: run all jobs of the "
                            "study, and compress it",
                            response.definition().name));
}

/// Which points of the grid have coefficients of all fields that the response needs: others have
/// not run, or not been compressed.
std::vector<bool> pointsWith(const Study &study, const ResponseOfState &response)
{
    std::vector<bool> usable(study.grid()->points(), true);
    for (const auto field : response.fields()) {
        const auto states = study.coefficientStates(field);
        for (std::size_t point = 0; point < usable.size(); ++point)
            usable[point] = usable[point] && states[point] == CoefficientState::final;
    }
    return usable;
}

/// Surrogates of responses' values at the points of the grid. Points that are missing add nothing,
/// as to fields.
void fitOnGrid(const Study &study, const std::vector<const ResponseOfState *> &states,
               const std::vector<StudyResponse *> &responses, LoadedFields &loaded,
               const ExecutionContext &context, const std::stop_token &stop)
{
    const auto grid = study.grid();
    const auto backend = sparse::makeOmpBackend(context);
    PointSnapshots snapshots(study, loaded, context.cpu());
    auto values = valuesIn(
        study, states, grid->points(),
        [&](std::size_t point, FieldIndex field, std::span<float> out) {
            return snapshots.read(point, field, out);
        },
        stop);
    const auto surrogate = std::make_shared<sparse::SparseGridSurrogate>(grid);
    for (std::size_t r = 0; r < states.size(); ++r) {
        auto &ofResponse = values[r];
        const auto usable = pointsWith(study, *states[r]);
        const auto missing = static_cast<std::uint64_t>(std::ranges::count(usable, false));
        const auto leaveOut = [&] { // none is an ancestor of one that is usable
            for (std::size_t point = 0; point < usable.size(); ++point)
                if (!usable[point])
                    ofResponse[point] = 0;
        };
        leaveOut();
        if (missing == usable.size()
            || std::ranges::any_of(ofResponse, [](double value) { return std::isnan(value); }))
            refuseMissing(*states[r]);
        backend->hierarchize(*grid, std::span(ofResponse));
        leaveOut();
        responses[r]->missingPoints = missing;
        responses[r]->model = std::make_shared<ResponseModel>(
            std::vector<ResponseModel::Part>{{surrogate, std::move(ofResponse)}},
            std::vector<double>{0.0});
    }
}

/// Kriging of one response's values at the places of these runs, and how far it is off at each
/// simulation that is left out.
void krige(const kriging::Model &places, const std::vector<double> &values, double atOffsets,
           const std::vector<std::size_t> &simulations, const ExecutionContext &context,
           StudyResponse &response)
{
    const auto [low, high] = std::ranges::minmax(values);
    // What snapshots in single precision cannot tell apart is the same everywhere.
    const double ofStored = std::max(std::abs(low - atOffsets), std::abs(high - atOffsets));
    const bool isConstant =
        high - low <= double{std::numeric_limits<float>::epsilon()} * ofStored
        || high - low <= 4 * std::numeric_limits<double>::epsilon() * std::abs(atOffsets);
    kriging::Runs runs;
    runs.runs = places.runs;
    runs.dimension = places.dimension;
    runs.outputs = 1;
    runs.places = places.places;
    // Of the size of 1, and not the same everywhere, as kriging wants it.
    const double scale = isConstant ? 1 : high - low;
    for (const double value : values)
        runs.values.push_back(isConstant ? 0 : (value - low) / scale);
    if (isConstant)
        runs.values.front() = 1; // fitted, and taken times 0
    auto fitted = kriging::fit(runs, {}, context);
    if (!isConstant) {
        auto residuals = kriging::leaveGroupsOut(fitted.model, simulations, context);
        for (double &residual : residuals)
            residual *= scale;
        const double error = ninetiethPercentile(residuals);
        response.leftOut = LeftOutError{error, 0, std::move(residuals)};
    }
    response.model = std::make_shared<ResponseModel>(
        std::vector<ResponseModel::Part>{
            {std::make_shared<kriging::KrigingSurrogate>(std::move(fitted.model)),
             {isConstant ? 0 : scale}}},
        std::vector<double>{isConstant ? low + (high - low) / 2 : low});
}

/// Kriging of responses, of the runs that their field's kriging was fitted to.
void fitKriging(const Study &study, const FieldKriging &kriging,
                const std::vector<const ResponseOfState *> &states,
                const std::vector<StudyResponse *> &responses, LoadedFields &loaded,
                const ExecutionContext &context, const std::stop_token &stop)
{
    PointSnapshots snapshots(study, loaded, context.cpu());
    const auto points = kriging.points.size();
    const auto values = valuesIn(
        study, states, points + kriging.trainingRuns.size(),
        [&](std::size_t run, FieldIndex field, std::span<float> out) {
            return run < points ? snapshots.read(kriging.points[run], field, out)
                                : study.readHoldOut(kriging.trainingRuns[run - points], field, out);
        },
        stop);
    const auto simulations = simulationsOf(study.description().space, kriging.model.places);
    for (std::size_t r = 0; r < states.size(); ++r) {
        requireGoingOn(stop);
        if (std::ranges::any_of(values[r], [](double value) { return std::isnan(value); }))
            refuseMissing(*states[r]);
        krige(kriging.model, values[r], states[r]->atOffsets(), simulations, context,
              *responses[r]);
        if (auto &leftOut = responses[r]->leftOut)
            leftOut->field = states[r]->fields()[0];
    }
}

} // namespace

std::vector<std::vector<double>> valuesIn(const Study &study,
                                          const std::vector<const ResponseOfState *> &responses,
                                          std::size_t states, const ReadState &read,
                                          const std::stop_token &stop)
{
    std::vector<std::vector<double>> all(responses.size(), std::vector<double>(states));
    for (std::size_t i = 0; i < states; ++i) {
        const ReadField readHere = [&](FieldIndex field, std::span<float> values) {
            requireGoingOn(stop);
            return read(i, field, values);
        };
        State state(study, readHere);
        for (std::size_t r = 0; r < responses.size(); ++r) {
            requireGoingOn(stop);
            all[r][i] = state.valueOf(*responses[r]);
        }
    }
    return all;
}

void fitSnapshots(const Study &study, const std::vector<ResponseOfState> &states,
                  std::vector<StudyResponse> &responses, LoadedFields &loaded,
                  const ExecutionContext &context, const std::stop_token &stop)
{
    struct Group
    {
        std::shared_ptr<const FieldKriging> kriging; ///< null: of the grid
        std::vector<const ResponseOfState *> states;
        std::vector<StudyResponse *> responses;
    };
    std::map<std::optional<FieldIndex>, Group> groups; // by the kriged field
    for (std::size_t r = 0; r < responses.size(); ++r) {
        if (responses[r].way != ResponseWay::snapshots)
            continue;
        const auto field = states[r].fields()[0];
        auto kriging = study.kriging(field);
        auto &group = groups[kriging ? std::optional(field) : std::nullopt];
        group.kriging = std::move(kriging);
        group.states.push_back(&states[r]);
        group.responses.push_back(&responses[r]);
    }
    for (const auto &[field, group] : groups)
        if (group.kriging)
            fitKriging(study, *group.kriging, group.states, group.responses, loaded, context, stop);
        else
            fitOnGrid(study, group.states, group.responses, loaded, context, stop);
}

} // namespace gridhelm::data
