// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/answers/study_responses.h"

#include "core/answers/reduction.h"
#include "core/answers/time_reduction.h"
#include "core/kriging/fit.h"
#include "core/kriging/kriging_surrogate.h"
#include "core/sparse/backend.h"
#include "core/sparse/sparse_grid_surrogate.h"
#include "core/support/error.h"
#include "data/answers/scalar_responses.h"
#include "data/evaluate/field_surrogate.h"
#include "data/evaluate/hold_outs_inside.h"
#include "data/evaluate/study_surrogate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <utility>

namespace gridhelm::data {

namespace {

using answers::ResponseModel;
using Values = std::vector<std::vector<float>>;

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

    double valueOf(const ResponseOfState &response)
    {
        Values values;
        for (const auto field : response.fields())
            values.push_back(valuesOf(field));
        return response.evaluate(values);
    }

private:
    const std::vector<float> &valuesOf(FieldIndex field)
    {
        const auto [place, isNew] = m_values.try_emplace(field);
        if (isNew) {
            place->second.resize(m_study.fields()[field].values());
            if (!m_read(field, place->second))
                throw Error(
                    fmt::format("a snapshot of {} is missing, and so are responses to it: run "
                                "all jobs of the study first",
                                m_study.fields()[field].name));
        }
        return place->second;
    }

    const Study &m_study;
    const ReadField &m_read;
    std::map<FieldIndex, std::vector<float>> m_values;
};

/// Values of responses in many states, one state after the other: values[r][state].
std::vector<std::vector<double>>
valuesIn(const Study &study, const std::vector<const ResponseOfState *> &responses,
         std::size_t states,
         const std::function<bool(std::size_t, FieldIndex, std::span<float>)> &read)
{
    std::vector<std::vector<double>> all(responses.size(), std::vector<double>(states));
    for (std::size_t i = 0; i < states; ++i) {
        const ReadField readHere = [&](FieldIndex field, std::span<float> values) {
            return read(i, field, values);
        };
        State state(study, readHere);
        for (std::size_t r = 0; r < responses.size(); ++r)
            all[r][i] = state.valueOf(*responses[r]);
    }
    return all;
}

/// Snapshot of a point: as it was stored, or where it has been dropped as the surrogate has it.
bool readPoint(const Study &study, std::uint64_t point, FieldIndex field, std::span<float> values,
               const CpuDevice &cpu)
{
    if (study.readSnapshot(point, field, values))
        return true;
    if (!study.pointsWithSnapshots(field)[point])
        return false;
    std::vector<double> x(study.description().space.parameters().size());
    study.grid()->coordinates(point, x);
    evaluateFromFile(study, field, x, {values}, cpu);
    return true;
}

/// Linear responses: each row of each field is read once, and gives all of them a number.
void reduceRows(const Study &study, const std::vector<ResponseOfState> &states,
                std::vector<StudyResponse> &responses)
{
    std::vector<std::vector<ResponseModel::Part>> parts(states.size());
    for (FieldIndex field = 0; field < study.fields().size(); ++field) {
        std::vector<std::pair<std::size_t, std::size_t>> wanted; // response, and its field's number
        for (std::size_t r = 0; r < states.size(); ++r) {
            const auto at = std::ranges::find(states[r].fields(), field);
            if (states[r].isLinear() && at != states[r].fields().end())
                wanted.emplace_back(r, at - states[r].fields().begin());
        }
        if (wanted.empty())
            continue;
        const auto surrogate = surrogateOf(study, field);
        std::vector<float> row(study.fields()[field].values());
        for (const auto &[r, i] : wanted)
            parts[r].push_back({surrogate, {}});
        for (std::uint64_t b = 0; b < surrogate->rows(); ++b) {
            readRow(study, field, *surrogate, b, row);
            for (const auto &[r, i] : wanted)
                parts[r].back().rows.push_back(states[r].partOf(i, row));
        }
    }
    for (std::size_t r = 0; r < states.size(); ++r)
        if (states[r].isLinear())
            responses[r].model = std::make_shared<ResponseModel>(
                std::move(parts[r]), std::vector<double>{states[r].constant()});
}

/// Surrogates of responses' values at the points of the grid.
std::vector<std::shared_ptr<const ResponseModel>>
gridModels(const Study &study, const std::vector<const ResponseOfState *> &responses,
           const ExecutionContext &context)
{
    const auto grid = study.grid();
    const auto backend = sparse::makeOmpBackend(context);
    auto values = valuesIn(study, responses, grid->points(),
                           [&](std::size_t point, FieldIndex field, std::span<float> out) {
                               return readPoint(study, point, field, out, context.cpu());
                           });
    const auto surrogate = std::make_shared<sparse::SparseGridSurrogate>(grid);
    std::vector<std::shared_ptr<const ResponseModel>> models;
    for (auto &ofResponse : values) {
        backend->hierarchize(*grid, std::span(ofResponse));
        models.push_back(std::make_shared<ResponseModel>(
            std::vector<ResponseModel::Part>{{surrogate, std::move(ofResponse)}},
            std::vector<double>{0.0}));
    }
    return models;
}

/// The same by kriging, of the runs that a field's kriging was fitted to.
std::vector<std::shared_ptr<const ResponseModel>>
krigedModels(const Study &study, const FieldKriging &kriging,
             const std::vector<const ResponseOfState *> &responses, const ExecutionContext &context)
{
    const auto points = kriging.points.size();
    const auto values =
        valuesIn(study, responses, points + kriging.trainingRuns.size(),
                 [&](std::size_t run, FieldIndex field, std::span<float> out) {
                     return run < points
                                ? readPoint(study, kriging.points[run], field, out, context.cpu())
                                : study.readHoldOut(kriging.trainingRuns[run - points], field, out);
                 });
    std::vector<std::shared_ptr<const ResponseModel>> models;
    for (const auto &ofResponse : values) {
        const auto [low, high] = std::ranges::minmax(ofResponse);
        kriging::Runs runs;
        runs.runs = kriging.model.runs;
        runs.dimension = kriging.model.dimension;
        runs.outputs = 1;
        runs.places = kriging.model.places;
        // Of the size of 1, and not the same everywhere, as kriging wants it.
        const double scale = high > low ? high - low : 1;
        for (const double value : ofResponse)
            runs.values.push_back((value - low) / scale);
        if (!(high > low))
            runs.values.front() += 1e-12;
        auto fitted = kriging::fit(runs, {}, context);
        models.push_back(std::make_shared<ResponseModel>(
            std::vector<ResponseModel::Part>{
                {std::make_shared<kriging::KrigingSurrogate>(std::move(fitted.model)), {scale}}},
            std::vector<double>{low}));
    }
    return models;
}

double rootMeanSquareOf(const std::vector<double> &errors)
{
    double sum = 0;
    for (const double error : errors)
        sum += error * error;
    return std::sqrt(sum / static_cast<double>(errors.size()));
}

/// The fields that responses reduce, in memory: each is loaded once.
class LoadedFields
{
public:
    explicit LoadedFields(const Study &study)
        : m_study(study)
    {
    }

    /// Null if it does not fit into memory.
    std::shared_ptr<const FieldSurrogate> of(FieldIndex field)
    {
        auto &loaded = m_loaded[field];
        if (!loaded && FieldSurrogate::fitsInMemory(m_study, field)) {
            loaded = std::make_shared<FieldSurrogate>(m_study, field);
            loaded->loadAll(m_study);
        }
        return loaded;
    }

private:
    const Study &m_study;
    std::map<FieldIndex, std::shared_ptr<FieldSurrogate>> m_loaded;
};

/// The response of the evaluated field; nothing if that does not fit into memory.
std::shared_ptr<const ResponseModel> reducingModel(const Study &study, const ResponseOfState &state,
                                                   LoadedFields &loaded)
{
    std::vector<std::shared_ptr<const FieldSurrogate>> fields;
    for (const auto field : state.fields()) {
        fields.push_back(loaded.of(field));
        if (!fields.back())
            return nullptr;
    }
    const auto value = [fields, response = state](std::span<const double> x) {
        Values values;
        for (const auto &field : fields) {
            auto &of = values.emplace_back(field->values());
            field->evaluate(x, {of}, CpuDevice{1}); // many places are asked for side by side
        }
        return response.evaluate(values);
    };
    return std::make_shared<ResponseModel>(
        study.description().space.dimension(), std::vector<ResponseModel::Part>(),
        std::vector<double>{0.0}, std::vector<ResponseModel::Function>{{0, value}});
}

/// What every way is off at hold-outs inside of the ranges; others than linear responses get the
/// better one.
void measure(const Study &study, const std::vector<const ResponseOfState *> &states,
             std::vector<StudyResponse> &responses, const ExecutionContext &context)
{
    const auto held = holdOutsInside(study);
    if (held.empty())
        return;
    const auto truth = valuesIn(study, states, held.size(),
                                [&](std::size_t i, FieldIndex field, std::span<float> out) {
                                    return study.readHoldOut(held[i].id, field, out);
                                });
    const auto reduced = valuesIn(
        study, states, held.size(), [&](std::size_t i, FieldIndex field, std::span<float> out) {
            evaluateFromFile(study, field, held[i].x, {out}, context.cpu());
            return true;
        });
    LoadedFields loaded(study);
    for (std::size_t r = 0; r < responses.size(); ++r) {
        auto &response = responses[r];
        if (!response.whyUnmeasured.empty())
            continue;
        std::vector<double> own, ofField;
        for (std::size_t i = 0; i < held.size(); ++i) {
            own.push_back(std::abs(response.model->value(held[i].x) - truth[r][i]));
            ofField.push_back(std::abs(reduced[r][i] - truth[r][i]));
        }
        response.errors = {{std::string(toString(response.way)), rootMeanSquareOf(own)},
                           {std::string(toString(ResponseWay::field)), rootMeanSquareOf(ofField)}};
        if (response.way == ResponseWay::snapshots
            && response.errors[1].rms < response.errors[0].rms)
            if (auto model = reducingModel(study, *states[r], loaded)) {
                response.model = std::move(model);
                response.way = ResponseWay::field;
                std::swap(response.errors[0], response.errors[1]);
                own = ofField;
            }
        std::vector<HeldOutError> errors;
        for (const double error : own)
            errors.push_back({error, 0});
        response.band = calibratedBand(errors, 0);
    }
}

/// Makes the surrogates of those that are not linear; they share the reading of snapshots.
void fitOthers(const Study &study, const std::vector<ResponseOfState> &states,
               std::vector<StudyResponse> &responses, const ExecutionContext &context)
{
    std::vector<const ResponseOfState *> ofGrid, kriged;
    std::vector<std::size_t> ofGridAt, krigedAt;
    std::shared_ptr<const FieldKriging> kriging;
    for (std::size_t r = 0; r < responses.size(); ++r) {
        if (responses[r].way != ResponseWay::snapshots)
            continue;
        const auto found = study.kriging(states[r].fields()[0]);
        (found ? kriged : ofGrid).push_back(&states[r]);
        (found ? krigedAt : ofGridAt).push_back(r);
        if (found && !kriging)
            kriging = found;
    }
    if (!ofGrid.empty()) {
        const auto models = gridModels(study, ofGrid, context);
        for (std::size_t i = 0; i < models.size(); ++i)
            responses[ofGridAt[i]].model = models[i];
    }
    if (!kriged.empty()) {
        const auto models = krigedModels(study, *kriging, kriged, context);
        for (std::size_t i = 0; i < models.size(); ++i)
            responses[krigedAt[i]].model = models[i];
    }
}

} // namespace

std::vector<StudyResponse> studyResponses(const Study &study,
                                          const std::vector<ResponseDefinition> &definitions,
                                          const SamplesOfMesh &samples,
                                          const ExecutionContext &context)
{
    if (study.description().kind == StudyKind::scalar)
        return scalarResponses(study, definitions);
    std::vector<ResponseOfState> states;
    std::vector<StudyResponse> responses;
    for (const auto &definition : definitions)
        states.emplace_back(study, definition, samples);
    for (const auto &state : states) {
        auto &response = responses.emplace_back();
        response.definition = state.definition();
        response.way = state.isLinear() ? ResponseWay::rows : ResponseWay::snapshots;
        if (!answers::splitReduction(state.definition().reduction).inTime.empty())
            response.whyUnmeasured = "hold-outs are states at single times";
    }
    reduceRows(study, states, responses);
    fitOthers(study, states, responses, context);
    std::vector<const ResponseOfState *> pointers;
    for (const auto &state : states)
        pointers.push_back(&state);
    measure(study, pointers, responses, context);
    for (auto &response : responses)
        try {
            reduceInTime(study.description().space, response);
        } catch (const Error &error) {
            throw Error(fmt::format("response {}: {}", response.definition.name, error.what()));
        }
    return responses;
}

void reduceInTime(const ParameterSpace &space, StudyResponse &response)
{
    const auto inTime = answers::splitReduction(response.definition.reduction).inTime;
    if (!inTime.empty())
        response.model = std::make_shared<ResponseModel>(
            answers::reducedInTime(*response.model, space, answers::parseTimeReduction(inTime)));
}

ResponseModel together(const std::vector<StudyResponse> &responses)
{
    std::vector<ResponseModel::Part> parts;
    std::vector<ResponseModel::Function> functions;
    std::vector<double> constants;
    for (std::size_t r = 0; r < responses.size(); ++r) {
        constants.push_back(responses[r].model->constants()[0]);
        for (const auto &function : responses[r].model->functions())
            functions.push_back({r, function.value});
    }
    const auto count = constants.size();
    for (std::size_t r = 0; r < count; ++r)
        for (const auto &part : responses[r].model->parts()) {
            auto at = std::ranges::find(parts, part.surrogate, &ResponseModel::Part::surrogate);
            if (at == parts.end()) {
                parts.push_back(
                    {part.surrogate, std::vector<double>(part.rows.size() * count, 0.0)});
                at = parts.end() - 1;
            }
            for (std::size_t b = 0; b < part.rows.size(); ++b)
                at->rows[b * count + r] += part.rows[b];
        }
    return {responses.front().model->dimension(), std::move(parts), std::move(constants),
            std::move(functions)};
}

std::string definitionInWords(const ResponseDefinition &definition)
{
    const auto [inSpace, inTime] = answers::splitReduction(definition.reduction);
    return fmt::format("{} of {}{}{}", inSpace, definition.expression,
                       definition.place.empty() ? "" : ", " + definition.place,
                       inTime.empty() ? "" : fmt::format(", {} in time", inTime));
}

} // namespace gridhelm::data
