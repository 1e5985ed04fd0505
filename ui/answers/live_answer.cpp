// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/answers/live_answer.h"

namespace gridhelm::ui {
namespace {

constexpr std::size_t curvePoints = 41;

std::vector<double> evenlySpread(std::size_t count)
{
    std::vector<double> at(count);
    for (std::size_t i = 0; i < count; ++i)
        at[i] = static_cast<double>(i) / static_cast<double>(count - 1);
    return at;
}

} // namespace

bool LiveEvaluator::areCurvesValid(const LiveQuestion &question) const
{
    if (!m_last || m_last->question.set != question.set || m_last->question.moved != question.moved)
        return false;
    for (std::size_t t = 0; t < question.parameters.size(); ++t)
        if (t != question.moved && question.parameters[t] != m_last->question.parameters[t])
            return false;
    return true;
}

void LiveEvaluator::answerQuick(const std::vector<double> &x, LiveAnswer &answer) const
{
    const auto &set = *answer.question.set;
    if (!set.quickModel)
        return;
    const auto d = x.size(), count = set.quick.size();
    std::vector<double> values(count), gradients(count * d);
    set.quickModel->values(x, values);
    set.quickModel->gradients(x, gradients);
    for (std::size_t k = 0; k < count; ++k) {
        auto &response = answer.responses[set.quick[k]];
        response.value = values[k];
        const auto begin = gradients.begin() + static_cast<std::ptrdiff_t>(k * d);
        response.slopes.assign(begin, begin + static_cast<std::ptrdiff_t>(d));
    }
    if (areCurvesValid(answer.question)) {
        for (const auto k : set.quick)
            answer.responses[k].curve = m_last->responses[k].curve;
        return;
    }
    auto along = x;
    for (const double at : answer.curveAt) {
        along[answer.question.moved] = at;
        set.quickModel->values(along, values);
        for (std::size_t k = 0; k < count; ++k)
            answer.responses[set.quick[k]].curve.push_back(values[k]);
    }
}

/// False if something newer is asked meanwhile.
bool LiveEvaluator::answerSlow(const std::vector<double> &x, const std::function<bool()> &hasNews,
                               LiveAnswer &answer, const Deliver &deliver) const
{
    const auto &set = *answer.question.set;
    for (const auto k : set.slow) {
        answer.responses[k].value = set.responses[k].model->value(x);
        if (hasNews()) {
            deliver(answer); // which a hand that moves on and on would never see otherwise
            return false;
        }
    }
    deliver(answer);
    for (const auto k : set.slow) {
        auto &response = answer.responses[k];
        std::vector<double> slopes(x.size());
        set.responses[k].model->gradients(x, slopes);
        response.slopes = slopes;
        if (areCurvesValid(answer.question))
            response.curve = m_last->responses[k].curve;
        auto along = x;
        std::vector<double> curve = response.curve;
        for (std::size_t i = curve.size(); i < answer.curveAt.size(); ++i) {
            if (hasNews())
                return false;
            along[answer.question.moved] = answer.curveAt[i];
            curve.push_back(set.responses[k].model->value(along));
        }
        response.curve = std::move(curve);
    }
    return true;
}

void LiveEvaluator::answer(const LiveQuestion &question, const std::function<bool()> &hasNews,
                           const Deliver &deliver)
{
    const auto &set = *question.set;
    set.space.requireInside(question.parameters);
    const auto x = set.space.toUnit(question.parameters);
    LiveAnswer answer{question, evenlySpread(curvePoints), {}, false};
    answer.responses.resize(set.responses.size());
    answerQuick(x, answer);
    if (!set.slow.empty()) {
        if (!set.quick.empty())
            deliver(answer);
        if (!answerSlow(x, hasNews, answer, deliver))
            return;
    }
    answer.isWhole = true;
    m_last = answer;
    deliver(std::move(answer));
}

} // namespace gridhelm::ui
