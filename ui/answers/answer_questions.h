// SPDX-License-Identifier: GPL-3.0-or-later
//
// The questions that take longer than a move of a slider, as functions of an AnswerSet: called in
// threads, they know no widgets. All throw gridhelm::Error, soon after a stop is requested, too.
#pragma once

#include "core/answers/pareto_front.h"
#include "core/answers/shapley_effects.h"
#include "core/answers/sobol_indices.h"
#include "core/answers/uncertainty.h"
#include "data/answers/study_match.h"
#include "ui/answers/answer_set.h"

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace gridhelm::ui {

/// As the command sobol asks.
answers::SobolIndices influenceOf(const AnswerSet &set, std::size_t response,
                                  const answers::Inputs &inputs, const std::stop_token &stop);

/// The same for parameters that go together: as the command sobol --shapley asks.
answers::ShapleyEffects shapleyOf(const AnswerSet &set, std::size_t response,
                                  const answers::Inputs &inputs, const std::stop_token &stop);

constexpr std::size_t histogramBars = 30;
inline const std::vector<double> shownShares{0.05, 0.5, 0.95};

/// As the command uncertainty asks: shownShares as percentiles.
answers::Spread uncertaintyOf(const AnswerSet &set, std::size_t response,
                              const answers::Inputs &inputs, std::optional<double> threshold,
                              const std::stop_token &stop);

/// A goal whose responses are numbered as the set's, and whose ends are in the unit cube.
answers::Optimum optimumOf(const AnswerSet &set, const answers::Goal &goal,
                           const std::stop_token &stop);

/// What the goal costs in another one, under the first one's constraints and between its ends. Of
/// the places only the values of the two responses are known.
std::vector<answers::TradeOff> frontOf(const AnswerSet &set, const answers::Goal &first,
                                       const answers::Goal &second, const std::stop_token &stop);

/// What was measured, in words, and what it was compared with.
struct MatchQuestion
{
    std::string measurements;                 ///< a table, see data::readMeasurements()
    std::string name;                         ///< of it, for sentences
    std::vector<std::optional<double>> fixed; ///< parameters that are held, in their units
    answers::Inputs prior;                    ///< with held ones held
    std::vector<double> sliders = {};         ///< of all parameters, in their units
};

struct FittedMatch
{
    data::StudyMatch match;
    answers::BestFit fit;
    /// Of all parameters in their units. Those that were held or known: as they were, and at the
    /// slider where measurements had several values of one.
    std::vector<double> place;
    std::vector<std::string> doubts;
    std::uint64_t runs = 0; ///< of the study as it was read, see runsOf()
};

/// Reads the study once more, since measurements may be of anything in it.
FittedMatch bestFitOf(const AnswerSet &set, const MatchQuestion &question,
                      const std::stop_token &stop = {});

struct Marginal
{
    std::size_t parameter = 0;
    answers::Spread spread; ///< with the percentiles 2.5, 50 and 97.5
    double rHat = 0, leftOver = 0;
};
struct MatchPosterior
{
    std::vector<Marginal> marginals;
    std::vector<std::string> doubts;
    answers::JointSamples samples; ///< all of them, of the unknowns
    bool hasConverged = false;
};
MatchPosterior posteriorOf(const AnswerSet &set, const MatchQuestion &question,
                           const FittedMatch &fitted, const std::stop_token &stop);

} // namespace gridhelm::ui
