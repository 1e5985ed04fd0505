// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/answers/answer_questions.h"

#include "core/support/error.h"
#include "data/answers/stoppable_model.h"
#include "data/mesh/place_samples.h"
#include "ui/steering/study_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

namespace gridhelm::ui {
namespace {

/// Throws what is said of one that cannot be had.
const answers::ResponseModel &modelOf(const AnswerSet &set, std::size_t response)
{
    const auto &asked = set.responses.at(response);
    if (!asked.model)
        throw Error(asked.problem);
    return *asked.model;
}

bool isSlow(const AnswerSet &set, std::size_t response)
{
    return !modelOf(set, response).functions().empty();
}

/// Of parameters that were known to all measurements: the one value that they have in common, or
/// where the slider is, since nothing was fitted there.
double knownValue(const std::vector<data::Measurement> &measurements, std::size_t parameter,
                  double slider)
{
    const auto first = measurements.front().known[parameter];
    const bool isCommon = std::ranges::all_of(
        measurements, [&](const auto &measured) { return measured.known[parameter] == first; });
    return isCommon && first ? *first : slider;
}

/// Those that goals name, and no others, which would take time.
class AskedResponses
{
public:
    explicit AskedResponses(const AnswerSet &set)
        : m_set(set)
    {
    }

    /// The goal with its responses numbered as responses() are.
    answers::Goal numbered(answers::Goal goal)
    {
        goal.response = numberOf(goal.response);
        for (auto &constraint : goal.constraints)
            constraint.response = numberOf(constraint.response);
        return goal;
    }
    const std::vector<std::size_t> &responses() const { return m_asked; }
    bool areSlow() const
    {
        return std::ranges::any_of(m_asked, [this](std::size_t k) { return isSlow(m_set, k); });
    }
    answers::ResponseModel model() const
    {
        std::vector<data::StudyResponse> responses;
        for (const auto k : m_asked) {
            modelOf(m_set, k); // or why there is none
            responses.push_back(m_set.responses.at(k));
        }
        return data::together(responses);
    }
    answers::OptimumOptions search() const
    {
        answers::OptimumOptions how;
        how.cpu = m_set.context.cpu();
        if (areSlow()) {
            how.places = 1024;
            how.starts = 8;
        }
        return how;
    }

private:
    std::size_t numberOf(std::size_t response)
    {
        const auto at = std::ranges::find(m_asked, response);
        if (at != m_asked.end())
            return static_cast<std::size_t>(at - m_asked.begin());
        m_asked.push_back(response);
        return m_asked.size() - 1;
    }

    const AnswerSet &m_set;
    std::vector<std::size_t> m_asked;
};

} // namespace

answers::SobolIndices influenceOf(const AnswerSet &set, std::size_t response,
                                  const answers::Inputs &inputs, const std::stop_token &stop)
{
    const auto samples = answers::usualSobolSamples(isSlow(set, response));
    return answers::sobolIndices(data::stoppable(modelOf(set, response), stop), inputs, samples, 1,
                                 set.context.cpu())
        .front();
}

answers::ShapleyEffects shapleyOf(const AnswerSet &set, std::size_t response,
                                  const answers::Inputs &inputs, const std::stop_token &stop)
{
    const auto samples = answers::usualShapleySamples(isSlow(set, response));
    return answers::shapleyEffects(data::stoppable(modelOf(set, response), stop), inputs, samples,
                                   1, set.context.cpu());
}

answers::Spread uncertaintyOf(const AnswerSet &set, std::size_t response,
                              const answers::Inputs &inputs, std::optional<double> threshold,
                              const std::stop_token &stop)
{
    const auto samples = answers::usualSamples(isSlow(set, response));
    const auto places = answers::samplePlaces(inputs, samples, 1);
    auto values = answers::responsesAt(data::stoppable(modelOf(set, response), stop), places,
                                       set.context.cpu());
    return answers::spreadOf(std::move(values.front()), shownShares, threshold, histogramBars);
}

answers::Optimum optimumOf(const AnswerSet &set, const answers::Goal &goal,
                           const std::stop_token &stop)
{
    AskedResponses asked(set);
    const auto own = asked.numbered(goal);
    auto optimum = answers::optimize(data::stoppable(asked.model(), stop), own, asked.search());
    // As the set numbers them; what was not asked for is not known.
    std::vector<double> values(set.responses.size(), std::nan(""));
    for (std::size_t i = 0; i < asked.responses().size(); ++i)
        values[asked.responses()[i]] = optimum.values[i];
    optimum.values = std::move(values);
    return optimum;
}

std::vector<answers::TradeOff> frontOf(const AnswerSet &set, const answers::Goal &first,
                                       const answers::Goal &second, const std::stop_token &stop)
{
    AskedResponses asked(set);
    const auto own = asked.numbered(first);
    const auto other = asked.numbered(second);
    answers::FrontOptions how{asked.search()};
    if (asked.areSlow())
        how.places = 9;
    return answers::paretoFront(data::stoppable(asked.model(), stop), own, other, how);
}

FittedMatch bestFitOf(const AnswerSet &set, const MatchQuestion &question,
                      const std::stop_token &stop)
{
    const auto study = openAgain(set);
    if (question.sliders.size() != set.space.parameters().size())
        throw Error(fmt::format("{} has other parameters than when it was read: open it again",
                                set.path.string()));
    auto measurements = data::parseMeasurements(question.measurements, question.name, study);
    data::holdFixed(measurements, set.space, question.fixed, "the menu Fix");
    FittedMatch fitted{
        data::matchOf(study, std::move(measurements), data::samplesOf(study), set.context, stop),
        {},
        {},
        {},
        runsOf(study)};
    fitted.fit = answers::bestFit(*fitted.match.matching, 8, 1, {}, answers::boxOf(question.prior),
                                  [stop] { return stop.stop_requested(); });
    if (fitted.fit.cancelled)
        throw Error("the question was taken back");
    fitted.place = set.space.fromUnit(fitted.fit.x);
    const auto &unknowns = fitted.match.matching->unknowns();
    for (std::size_t t = 0; t < fitted.place.size(); ++t)
        if (std::ranges::find(unknowns, t) == unknowns.end())
            fitted.place[t] = knownValue(fitted.match.measurements, t, question.sliders[t]);
    fitted.doubts = data::matchDoubts(fitted.match, set.space, fitted.fit, nullptr,
                                      remedyText(set.outlook).toStdString());
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
    shown.samples.parameters = posterior.unknowns;
    for (std::size_t k = 0; k < posterior.unknowns.size(); ++k) {
        shown.samples.columns.push_back(data::posteriorSamples(set.space, posterior, k));
        shown.marginals.push_back(
            {posterior.unknowns[k],
             answers::spreadOf(shown.samples.columns[k], shares, std::nullopt, histogramBars),
             posterior.rHats[k], posterior.leftOver[k]});
    }
    shown.doubts = data::matchDoubts(fitted.match, set.space, fitted.fit, &posterior,
                                     remedyText(set.outlook).toStdString());
    shown.hasConverged = posterior.hasConverged;
    return shown;
}

} // namespace gridhelm::ui
