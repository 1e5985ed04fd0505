// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/answers/influence_page.h"

#include "ui/answers/answer_questions.h"
#include "ui/answers/answer_text.h"
#include "ui/answers/bar_plot.h"
#include "ui/controls/plain_text.h"

#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <utility>

namespace gridhelm::ui {
namespace {

QStringList namesOf(const ParameterSpace &space)
{
    QStringList names;
    for (const auto &parameter : space.parameters())
        names.append(cleanLine(QString::fromStdString(parameter.name)));
    return names;
}

} // namespace

InfluencePage::InfluencePage(const InputRows &inputs, QWidget *parent)
    : AnswerPage(parent)
    , m_inputs(inputs)
    , m_slopes(new BarPlot("slopes", this))
    , m_shares(new BarPlot("influence", this))
    , m_text(new PlainLabel(this))
{
    m_slopes->setObjectName("slopes");
    m_slopes->setAccessibleName("Local sensitivity of the response, at the sliders");
    m_slopes->setToolTip("What the whole range of each parameter would change, if the response "
                         "went on as steeply as it is at the sliders");
    m_shares->setObjectName("shares");
    m_shares->setAccessibleName("Shares of the response's variance");
    m_shares->setToolTip("Sobol' indices. First-order: the share of the variance that would vanish "
                         "on average if the parameter were known. Total: what would remain if all "
                         "others were known. Of correlated parameters: what one adds to what is "
                         "known, on average over all orders (Shapley effects)");
    m_text->setObjectName("influenceText");
    m_text->setWordWrap(true);
    body().addWidget(m_slopes);
    body().addWidget(m_shares);
    body().addWidget(m_text);
    for (auto *plot : {m_slopes, m_shares}) {
        connect(plot, &BarPlot::news, this, &AnswerPage::news);
        connect(plot, &BarPlot::failed, this, &AnswerPage::failed);
    }
    connect(&inputs, &InputRows::changed, this, &InfluencePage::becomeStale);
}

void InfluencePage::showLive(const LiveAnswer &live)
{
    const auto there = indexIn(live.question.set);
    if (!there || *there >= live.responses.size())
        return;
    const auto &slopes = live.responses[*there].slopes;
    if (slopes.empty())
        return;
    const auto &unit = response().definition.unit;
    m_slopes->show(namesOf(set()->space), {{"slope", slopes}},
                   unit.empty() ? QString("local sensitivity")
                                : "local sensitivity, " + cleanLine(QString::fromStdString(unit)));
}

void InfluencePage::refresh()
{
    m_indices.reset();
    m_effects.reset();
    m_shares->clear();
    m_text->clear();
    if (!set() || saysProblem()) {
        m_slopes->clear();
        return;
    }
    grow();
}

void InfluencePage::grow()
{
    if (!m_inputs.inputs()) {
        say("An input on the page Uncertainty has a mistake: mend it there", true);
        return;
    }
    if (!m_inputs.inputs()->joint.empty()) {
        say("Parameters that are correlated after a calibration have no shares of their own: take "
            "the mark off \"Posterior of the calibration\" on the page Uncertainty to see those "
            "before it",
            true);
        return;
    }
    if (!m_inputs.inputs()->areIndependent()) {
        askForEffects();
        return;
    }
    compute([this, set = set(), index = index(),
             inputs = *m_inputs.inputs()](const std::stop_token &stop) {
        auto indices = influenceOf(*set, index, inputs, stop);
        return [this, indices = std::move(indices)] { showIndices(indices); };
    });
}

void InfluencePage::showIndices(const answers::SobolIndices &indices)
{
    m_indices = indices;
    if (indices.isConstant) {
        m_shares->clear();
        m_text->setText("The same whatever the parameters: there is nothing to share out");
        return;
    }
    m_shares->show(namesOf(set()->space),
                   {{"first-order", indices.first}, {"total", indices.total}},
                   "share of the variance");
    showText(indices.mean, indices.variance,
             indices.isExact ? QString("Shares are exact for the surrogate")
                             : QString("Shares are by %1 evaluations").arg(indices.evaluations));
}

void InfluencePage::askForEffects()
{
    compute([this, set = set(), index = index(),
             inputs = *m_inputs.inputs()](const std::stop_token &stop) {
        auto effects = shapleyOf(*set, index, inputs, stop);
        return [this, effects = std::move(effects)] { showEffects(effects); };
    });
}

void InfluencePage::showEffects(const answers::ShapleyEffects &effects)
{
    m_effects = effects;
    if (effects.isConstant) {
        m_shares->clear();
        m_text->setText("The same whatever the parameters: there is nothing to share out");
        return;
    }
    m_shares->show(namesOf(set()->space), {{"Shapley effect", effects.effects}},
                   "share of the variance");
    showText(effects.mean, effects.variance,
             QString("Parameters are correlated, so the shares are Shapley effects, by %1 "
                     "evaluations (at most %2 of standard error)")
                 .arg(effects.evaluations)
                 .arg(*std::ranges::max_element(effects.errors), 0, 'g', 2));
}

void InfluencePage::showText(double mean, double variance, const QString &shares)
{
    const auto &unit = response().definition.unit;
    m_text->setText(QString("On average %1, standard deviation %2. %3")
                        .arg(valueText(mean, unit, response().digits),
                             valueText(std::sqrt(variance), unit), shares));
}

} // namespace gridhelm::ui
