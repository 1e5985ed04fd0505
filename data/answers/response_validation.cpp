// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/answers/response_validation.h"

#include "core/answers/reduction.h"
#include "data/answers/run_places.h"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <utility>

namespace gridhelm::data {

namespace {

/// Those that a field's kriging was fitted to, in the order of its places.
std::vector<RunPlace> runsOfKriging(const Study &study, const FieldKriging &kriging)
{
    const auto &space = study.description().space;
    std::vector<RunPlace> places;
    if (!kriging.points.empty()) {
        std::map<std::uint64_t, JobId> jobs;
        for (const auto &job : study.jobs())
            for (const auto point : job.points)
                jobs[point] = job.id;
        const auto grid = study.grid();
        for (const auto point : kriging.points)
            places.push_back({fmt::format("run {}", jobs.contains(point) ? jobs[point] : 0),
                              space.valuesAt(*grid, point), point});
    }
    if (!kriging.trainingRuns.empty()) {
        std::map<std::int64_t, RunPlace> known;
        for (auto &run : trainingPlaces(study))
            known[*run.holdOut] = std::move(run);
        for (const auto run : kriging.trainingRuns)
            places.push_back(known.at(run));
    }
    return places;
}

/// Nothing can be said of it, and why.
std::string whyNone(const Study &study, const StudyResponse &response)
{
    if (!response.model)
        return response.problem;
    if (study.description().kind == StudyKind::scalar)
        return "A scalar study has no validation points";
    if (!answers::splitReduction(response.definition.reduction).inTime.empty())
        return "Validation points are at single times, and this response is over all of them";
    return {};
}

/// Adds those runs at which both are known.
void add(ResponseValidation &to, const std::vector<RunPlace> &runs,
         const std::vector<double> &actual, const std::vector<double> &predicted)
{
    for (std::size_t i = 0; i < runs.size(); ++i)
        if (std::isfinite(actual[i]) && std::isfinite(predicted[i]))
            to.runs.push_back({runs[i].name, runs[i].parameters, actual[i], predicted[i]});
}

} // namespace

double ResponseValidation::rootMeanSquare() const
{
    double sum = 0;
    for (const auto &run : runs)
        sum += (run.predicted - run.actual) * (run.predicted - run.actual);
    return runs.empty() ? 0 : std::sqrt(sum / static_cast<double>(runs.size()));
}

std::optional<double> ResponseValidation::r2() const
{
    if (runs.size() < 2)
        return std::nullopt;
    double mean = 0;
    for (const auto &run : runs)
        mean += run.actual / static_cast<double>(runs.size());
    double off = 0, spread = 0;
    for (const auto &run : runs) {
        off += (run.predicted - run.actual) * (run.predicted - run.actual);
        spread += (run.actual - mean) * (run.actual - mean);
    }
    return spread > 0 ? std::optional(1 - off / spread) : std::nullopt;
}

std::vector<ResponseValidation> validationsOf(const Study &study,
                                              const std::vector<StudyResponse> &responses,
                                              const SamplesOfMesh &samples,
                                              const ExecutionContext &context,
                                              const std::stop_token &stop)
{
    std::vector<ResponseValidation> all(responses.size());
    std::vector<StudyResponse> asked; // those that something can be said of
    std::vector<std::size_t> numbers; // theirs
    for (std::size_t k = 0; k < responses.size(); ++k) {
        all[k].whyNone = whyNone(study, responses[k]);
        if (all[k].whyNone.empty()) {
            asked.push_back(responses[k]);
            numbers.push_back(k);
        }
    }
    if (asked.empty())
        return all;
    const auto space = answerSpace(study);
    if (const auto points = validationPlaces(study); !points.empty()) {
        const auto actual = valuesOfRuns(study, asked, samples, points, stop);
        const auto predicted = valuesAtRuns(data::together(asked), space, points, context.cpu());
        for (std::size_t k = 0; k < asked.size(); ++k)
            add(all[numbers[k]], points, actual[k], predicted[k]);
    }
    // What is kriged from the same runs is read together.
    std::map<FieldIndex, std::vector<std::size_t>> leftOut;
    for (std::size_t k = 0; k < asked.size(); ++k)
        if (all[numbers[k]].runs.empty() && asked[k].leftOut)
            leftOut[asked[k].leftOut->field].push_back(k);
    for (const auto &[field, members] : leftOut) {
        const auto kriging = study.kriging(field);
        if (!kriging)
            continue; // the study has changed meanwhile
        const auto runs = runsOfKriging(study, *kriging);
        std::vector<StudyResponse> responses;
        for (const auto k : members)
            responses.push_back(asked[k]);
        auto actual = valuesOfRuns(study, responses, samples, runs, stop);
        const auto known = valuesAtRuns(data::together(responses), space, runs, context.cpu());
        for (std::size_t m = 0; m < members.size(); ++m) {
            const auto &residuals = responses[m].leftOut->residuals;
            if (residuals.size() != runs.size())
                continue; // the same
            auto &validation = all[numbers[members[m]]];
            validation.isLeftOut = true;
            std::vector<double> predicted;
            for (std::size_t i = 0; i < runs.size(); ++i) {
                if (std::isnan(actual[m][i]))
                    actual[m][i] = known[m][i];
                predicted.push_back(actual[m][i] - residuals[i]);
            }
            add(validation, runs, actual[m], predicted);
        }
    }
    for (const auto k : numbers)
        if (all[k].runs.empty())
            all[k].whyNone =
                "There are no runs to compare with: the study has no validation points, "
                "and its fields are not kriged, so that no run can be left out";
    return all;
}

} // namespace gridhelm::data
