// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/answers/study_responses.h"

#include "core/answers/reduction.h"
#include "core/answers/time_reduction.h"
#include "core/support/error.h"
#include "data/answers/response_fits.h"
#include "data/answers/scalar_responses.h"
#include "data/answers/stoppable_model.h"
#include "data/evaluate/accuracy.h"
#include "data/evaluate/hold_outs_inside.h"
#include "data/evaluate/study_surrogate.h"
#include "data/study/study_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <utility>

namespace gridhelm::data {

namespace {

using answers::ResponseModel;

/// Of linear responses whose fields are all kriged from the same runs, by what is left of each
/// mode's coefficient. `parts` are the response's; see ResponseModel.
std::optional<LeftOutError> leftOutOf(const Study &study, const ResponseOfState &state,
                                      const std::vector<ResponseModel::Part> &parts)
{
    std::shared_ptr<const FieldKriging> first;
    LeftOutError leftOut;
    auto &residuals = leftOut.residuals;
    std::size_t part = 0;
    for (FieldIndex field = 0; field < study.fields().size(); ++field) { // as parts are in order
        if (std::ranges::find(state.fields(), field) == state.fields().end())
            continue;
        const auto kriging = study.kriging(field);
        const auto &rows = parts[part++].rows;
        if (!kriging || rows.size() != kriging->model.outputs()
            || (first
                && (first->points != kriging->points
                    || first->trainingRuns != kriging->trainingRuns)))
            return std::nullopt;
        if (!first)
            leftOut.field = field;
        first = kriging;
        residuals.resize(kriging->model.runs);
        for (std::size_t run = 0; run < residuals.size(); ++run)
            residuals[run] += std::inner_product(
                rows.begin(), rows.end(),
                kriging->leaveOneOut.begin() + static_cast<std::ptrdiff_t>(run * rows.size()), 0.0);
    }
    if (residuals.empty())
        return std::nullopt;
    leftOut.error = ninetiethPercentile(residuals);
    return leftOut;
}

/// Linear responses: each row of each field is read once, and gives all of them a number.
void reduceRows(const Study &study, const std::vector<ResponseOfState> &states,
                std::vector<StudyResponse> &responses, const std::stop_token &stop)
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
        const auto together = readTogether(study, field);
        const auto surrogate = surrogateOf(study, field);
        std::vector<float> row(study.fields()[field].values());
        for (const auto &[r, i] : wanted)
            parts[r].push_back({surrogate, {}});
        for (std::uint64_t b = 0; b < surrogate->rows(); ++b) {
            requireGoingOn(stop);
            readRow(study, field, *surrogate, b, row);
            for (const auto &[r, i] : wanted)
                parts[r].back().rows.push_back(states[r].partOf(i, row));
        }
    }
    for (std::size_t r = 0; r < states.size(); ++r)
        if (states[r].isLinear()) {
            responses[r].leftOut = leftOutOf(study, states[r], parts[r]);
            responses[r].model = std::make_shared<ResponseModel>(
                std::move(parts[r]), std::vector<double>{states[r].constant()});
        }
}

double rootMeanSquareOf(const std::vector<double> &errors)
{
    double sum = 0;
    for (const double error : errors)
        sum += error * error;
    return std::sqrt(sum / static_cast<double>(errors.size()));
}

/// Makes it the response of the evaluated field; false if that does not fit into memory.
bool reduceField(const Study &study, const ResponseOfState &state, LoadedFields &loaded,
                 StudyResponse &response)
{
    std::vector<std::shared_ptr<const FieldSurrogate>> fields;
    for (const auto field : state.fields()) {
        fields.push_back(loaded.of(field));
        if (!fields.back())
            return false;
    }
    for (std::size_t i = 0; i < fields.size(); ++i)
        response.loaded[state.fields()[i]] = fields[i];
    const auto entities = state.entities();
    const auto all = fields.front()->field().entities;
    // Columns one by one take longer than all of them in a row, where they are most of them.
    const bool areFew = entities && 2 * entities->size() <= all;
    std::vector<std::vector<std::uint32_t>> columns(fields.size());
    for (std::size_t i = 0; areFew && i < fields.size(); ++i)
        for (const std::uint32_t entity : *entities)
            for (int c = 0; c < fields[i]->field().components; ++c)
                columns[i].push_back(entity
                                         * static_cast<std::uint32_t>(fields[i]->field().components)
                                     + static_cast<std::uint32_t>(c));
    const auto value = [fields, columns, areFew, atOffsets = state.atOffsets(),
                        of = areFew ? state.ofEntities() : state](std::span<const double> x) {
        const CpuDevice one{1}; // many places are asked for side by side
        std::vector<std::vector<float>> values;
        for (std::size_t i = 0; i < fields.size(); ++i) {
            auto &here = values.emplace_back(areFew ? columns[i].size() : fields[i]->values());
            if (areFew)
                fields[i]->evaluateColumns(x, columns[i], {here}, one);
            else
                fields[i]->evaluate(x, {here}, one);
        }
        return of.evaluate(values) - atOffsets;
    };
    response.model = std::make_shared<ResponseModel>(
        study.description().space.dimension(), std::vector<ResponseModel::Part>(),
        std::vector<double>{state.atOffsets()},
        std::vector<ResponseModel::Function>{{0, value, ResponseModel::inSingle}});
    response.way = ResponseWay::field;
    return true;
}

/// What every way is off at hold-outs inside of the ranges that have the response's fields; others
/// than linear responses get the better one.
void measure(const Study &study, const std::vector<const ResponseOfState *> &states,
             std::vector<StudyResponse> &responses, LoadedFields &loaded,
             const ExecutionContext &context, const std::stop_token &stop)
{
    const auto held = holdOutsInside(study);
    if (held.empty())
        return;
    const auto truth = valuesIn(
        study, states, held.size(),
        [&](std::size_t i, FieldIndex field, std::span<float> out) {
            return study.readHoldOut(held[i].id, field, out);
        },
        stop);
    const auto reduced = valuesIn(
        study, states, held.size(),
        [&](std::size_t i, FieldIndex field, std::span<float> out) {
            evaluateFromFile(study, field, held[i].x, {out}, context.cpu());
            return true;
        },
        stop);
    for (std::size_t r = 0; r < responses.size(); ++r) {
        auto &response = responses[r];
        if (!response.whyUnmeasured.empty())
            continue;
        std::vector<double> own, ofField;
        std::map<std::size_t, std::pair<double, double>> worst; // of each run, both ways
        for (std::size_t i = 0; i < held.size(); ++i) {
            if (std::isnan(truth[r][i]))
                continue;
            own.push_back(std::abs(response.model->value(held[i].x) - truth[r][i]));
            ofField.push_back(std::abs(reduced[r][i] - truth[r][i]));
            auto &ofRun = worst[held[i].run];
            ofRun = {std::max(ofRun.first, own.back()), std::max(ofRun.second, ofField.back())};
        }
        if (own.empty())
            continue;
        response.errors = {{std::string(toString(response.way)), rootMeanSquareOf(own)},
                           {std::string(toString(ResponseWay::field)), rootMeanSquareOf(ofField)}};
        if (response.way == ResponseWay::snapshots
            && response.errors[1].rms < response.errors[0].rms
            && reduceField(study, *states[r], loaded, response))
            std::swap(response.errors[0], response.errors[1]);
        std::vector<HeldOutError> errors;
        for (const auto &[run, error] : worst)
            errors.push_back({response.way == ResponseWay::field ? error.second : error.first, 0});
        response.band = calibratedBand(errors, 0);
        if (response.band)
            response.leftOut.reset();
    }
}

/// None of them is known.
std::vector<StudyResponse> readResponses(const Study &study,
                                         const std::vector<ResponseDefinition> &definitions,
                                         const SamplesOfMesh &samples,
                                         const ExecutionContext &context,
                                         const ResponseReading &how)
{
    if (study.description().kind == StudyKind::scalar)
        return scalarResponses(study, definitions);
    std::vector<ResponseOfState> states;
    std::vector<StudyResponse> responses;
    for (const auto &definition : definitions) {
        requireGoingOn(how.stop);
        requireSensibleTime(study.description().space, definition);
        states.emplace_back(study, definition, samples);
    }
    for (const auto &state : states) {
        auto &response = responses.emplace_back();
        response.definition = state.definition();
        response.way = state.isLinear() ? ResponseWay::rows : ResponseWay::snapshots;
        if (state.atOffsets() != 0)
            response.digits = StudyResponse::digitsBesideOffsets;
        if (!answers::splitReduction(state.definition().reduction).inTime.empty())
            response.whyUnmeasured = "validation points are at single times";
    }
    LoadedFields loaded(study, how);
    reduceRows(study, states, responses, how.stop);
    fitSnapshots(study, states, responses, loaded, context, how.stop);
    std::vector<const ResponseOfState *> pointers;
    for (const auto &state : states)
        pointers.push_back(&state);
    measure(study, pointers, responses, loaded, context, how.stop);
    for (auto &response : responses) {
        if (!response.whyUnmeasured.empty())
            response.leftOut.reset(); // it is of single times
        reduceInTime(study.description().space, response);
    }
    return responses;
}

} // namespace

std::vector<StudyResponse> studyResponses(const Study &study,
                                          const std::vector<ResponseDefinition> &definitions,
                                          const SamplesOfMesh &samples,
                                          const ExecutionContext &context,
                                          const ResponseReading &how)
{
    std::vector<StudyResponse> responses;
    std::vector<ResponseDefinition> unknown;
    std::vector<std::size_t> places; // of these among the responses
    for (const auto &definition : definitions) {
        const auto known = std::ranges::find_if(how.known, [&](const StudyResponse &each) {
            return each.model && each.definition == definition;
        });
        if (known == how.known.end()) {
            unknown.push_back(definition);
            places.push_back(responses.size());
        }
        responses.push_back(known == how.known.end() ? StudyResponse() : *known);
    }
    if (unknown.empty())
        return responses;
    auto read = readResponses(study, unknown, samples, context, how);
    for (std::size_t k = 0; k < places.size(); ++k)
        responses[places[k]] = std::move(read[k]);
    return responses;
}

std::vector<StudyResponse> answerableResponses(const Study &study,
                                               const std::vector<ResponseDefinition> &definitions,
                                               const SamplesOfMesh &samples,
                                               const ExecutionContext &context,
                                               const ResponseReading &how)
{
    try {
        return studyResponses(study, definitions, samples, context, how);
    } catch (const ChangedStudy &) { // whoever asks reads it again
        throw;
    } catch (const Error &) { // of one of them: which?
        requireGoingOn(how.stop);
        std::vector<StudyResponse> responses;
        for (const auto &definition : definitions)
            try {
                responses.push_back(
                    studyResponses(study, {definition}, samples, context, how).front());
            } catch (const Error &problem) {
                requireGoingOn(how.stop);
                responses.emplace_back();
                responses.back().definition = definition;
                responses.back().problem = problem.what();
            }
        return responses;
    }
}

void requireSensibleTime(const ParameterSpace &space, const ResponseDefinition &definition)
try {
    const auto inTime = answers::splitReduction(definition.reduction).inTime;
    if (!inTime.empty())
        answers::requireTimeIn(space, answers::parseTimeReduction(inTime));
} catch (const Error &error) {
    throw Error(fmt::format("response {}: {}", definition.name, error.what()));
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
            functions.push_back({r, function.value, function.step});
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
