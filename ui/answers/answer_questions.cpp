// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/answers/answer_questions.h"

#include "core/support/error.h"
#include "data/answers/stoppable_model.h"
#include "data/mesh/place_samples.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

namespace gridhelm::ui {
namespace {

constexpr const char *howToKnow = "compress the study with hold-outs, in the panel Campaign";

bool isSlow(const AnswerSet &set, std::size_t response)
{
    return !set.responses.at(response).model->functions().empty();
}

} // namespace

answers::SobolIndices influenceOf(const AnswerSet &set, std::size_t response,
                                  const answers::Inputs &inputs, const std::stop_token &stop)
{
    const auto samples = answers::usualSobolSamples(isSlow(set, response));
    return answers::sobolIndices(data::stoppable(*set.responses.at(response).model, stop), inputs,
                                 samples, 1, set.context.cpu())
        .front();
}

answers::Spread uncertaintyOf(const AnswerSet &set, std::size_t response,
                              const answers::Inputs &inputs, std::optional<double> threshold,
                              const std::stop_token &stop)
{
    const auto samples = answers::usualSamples(isSlow(set, response));
    const auto places = answers::samplePlaces(inputs, samples, 1);
    auto values = answers::responsesAt(data::stoppable(*set.responses.at(response).model, stop),
                                       places, set.context.cpu());
    return answers::spreadOf(std::move(values.front()), shownShares, threshold, histogramBars);
}

answers::Optimum optimumOf(const AnswerSet &set, const answers::Goal &goal,
                           const std::stop_token &stop)
{
    // Those that are asked for alone: others would take time.
    std::vector<std::size_t> asked{goal.response};
    const auto numberOf = [&](std::size_t response) {
        const auto at = std::ranges::find(asked, response);
        if (at != asked.end())
            return static_cast<std::size_t>(at - asked.begin());
        asked.push_back(response);
        return asked.size() - 1;
    };
    auto own = goal;
    own.response = 0;
    for (auto &constraint : own.constraints)
        constraint.response = numberOf(constraint.response);
    std::vector<data::StudyResponse> responses;
    answers::OptimumOptions how;
    for (const auto k : asked) {
        responses.push_back(set.responses.at(k));
        if (isSlow(set, k)) {
            how.places = 1024;
            how.starts = 8;
        }
    }
    how.cpu = set.context.cpu();
    auto optimum = answers::optimize(data::stoppable(data::together(responses), stop), own, how);
    // As the set numbers them; what was not asked for is not known.
    std::vector<double> values(set.responses.size(), std::nan(""));
    for (std::size_t i = 0; i < asked.size(); ++i)
        values[asked[i]] = optimum.values[i];
    optimum.values = std::move(values);
    return optimum;
}

FittedMatch bestFitOf(const AnswerSet &set, const MatchQuestion &question,
                      const std::stop_token &stop)
{
    const auto study = data::Study::open(set.path);
    if (!haveSameAxes(study.description().space, set.space))
        throw Error(fmt::format("{} has other parameters than when it was read: open it again",
                                set.path.string()));
    auto measurements = data::parseMeasurements(question.measurements, question.name, study);
    data::holdFixed(measurements, set.space, question.fixed, "the menu Hold");
    FittedMatch fitted{
        data::matchOf(study, std::move(measurements), data::samplesOf(study), set.context),
        {},
        {},
        {}};
    fitted.fit = answers::bestFit(*fitted.match.matching, 8, 1, {}, answers::boxOf(question.prior),
                                  [stop] { return stop.stop_requested(); });
    if (fitted.fit.cancelled)
        throw Error("the question was taken back");
    fitted.place = set.space.fromUnit(fitted.fit.x);
    for (std::size_t t = 0; t < fitted.place.size(); ++t)
        fitted.place[t] = question.fixed[t].value_or(fitted.place[t]);
    fitted.doubts = data::matchDoubts(fitted.match, set.space, fitted.fit, nullptr, howToKnow);
    return fitted;
}

MatchPosterior posteriorOf(const AnswerSet &set, const MatchQuestion &question,
                           const FittedMatch &fitted, const std::stop_token &stop)
{
    answers::PosteriorOptions how;
    how.cpu = set.context.cpu();
    how.stop = [stop] { return stop.stop_requested(); };
    const auto posterior = answers::samplePosterior(*fitted.match.matching, question.prior, how);
    if (posterior.cancelled)
        throw Error("the question was taken back");
    MatchPosterior shown;
    const std::vector shares{0.025, 0.5, 0.975};
    for (std::size_t k = 0; k < posterior.unknowns.size(); ++k)
        shown.marginals.push_back(
            {posterior.unknowns[k],
             answers::spreadOf(data::posteriorSamples(set.space, posterior, k), shares,
                               std::nullopt, histogramBars),
             posterior.rHats[k], posterior.leftOver[k]});
    shown.doubts = data::matchDoubts(fitted.match, set.space, fitted.fit, &posterior, howToKnow);
    shown.hasConverged = posterior.hasConverged;
    return shown;
}

} // namespace gridhelm::ui
