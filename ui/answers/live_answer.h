// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/answers/answer_set.h"

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace gridhelm::ui {

/// What is asked at each move of a slider.
struct LiveQuestion
{
    std::shared_ptr<const AnswerSet> set;
    std::vector<double> parameters; ///< in their units
    std::size_t moved = 0;          ///< the parameter that curves are along
};

/// What the responses are there. Those that take longer come later, in another answer.
struct LiveAnswer
{
    struct Response
    {
        std::optional<double> value;
        /// By each parameter: what its whole range would change, at the slope that is here (on a
        /// logarithmic scale where the parameter has one). Empty: not known yet.
        std::vector<double> slopes;
        /// Values at LiveAnswer::curveAt, the other parameters as they are; empty: not known yet.
        std::vector<double> curve;
    };
    LiveQuestion question;
    std::vector<double> curveAt; ///< of the moved parameter, shares of its range
    std::vector<Response> responses;
    bool isWhole = false; ///< nothing is missing
};

/// Answers in one thread; keeps the last curves, which a slider that moves along them leaves valid.
class LiveEvaluator
{
public:
    using Deliver = std::function<void(LiveAnswer)>;

    /// Delivers once or several times, each time more; stops between as soon as hasNews(). Throws
    /// gridhelm::Error for parameters out of their ranges.
    void answer(const LiveQuestion &question, const std::function<bool()> &hasNews,
                const Deliver &deliver);

private:
    void answerQuick(const std::vector<double> &x, LiveAnswer &answer) const;
    bool answerSlow(const std::vector<double> &x, const std::function<bool()> &hasNews,
                    LiveAnswer &answer, const Deliver &deliver) const;
    bool areCurvesValid(const LiveQuestion &question) const;

    std::optional<LiveAnswer> m_last; ///< a whole one
};

} // namespace gridhelm::ui
