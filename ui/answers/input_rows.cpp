// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/answers/input_rows.h"

#include "core/answers/joint_inputs.h"
#include "core/answers/sample_points.h"

#include "ui/answers/answer_set.h"
#include "ui/controls/plain_text.h"
#include "ui/controls/theme.h"
#include "ui/controls/toned_label.h"

#include <QCheckBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>
#include <exception>
#include <initializer_list>
#include <utility>

namespace gridhelm::ui {
namespace {

answers::InputDistribution distributionOf(const QString &text, const Parameter &parameter)
{
    if (text.isEmpty())
        return answers::InputDistribution::uniform(parameter);
    bool isNumber = false;
    const double held = text.toDouble(&isNumber);
    if (isNumber)
        return answers::InputDistribution::ofSamples({held}, parameter);
    return answers::InputDistribution::parse(text.toStdString(), parameter);
}

} // namespace

InputRows::InputRows(QWidget *parent)
    : QWidget(parent)
    , m_layout(new QFormLayout)
    , m_correlations(new QLineEdit(this))
    , m_correlationProblem(new TonedLabel(errorColour, this))
    , m_usePosterior(new QCheckBox(this))
{
    m_correlations->setObjectName("correlations");
    m_correlations->setToolTip("Rank correlations of pairs of parameters, between -1 and 1, as "
                               "a,b=0.5; c,d=-0.2. Nothing: they are independent");
    m_correlationProblem->setObjectName("correlationProblem");
    m_correlationProblem->hide();
    m_usePosterior->setObjectName("usePosterior");
    m_usePosterior->setToolTip("Instead of what is typed: the parameters that explain what was "
                               "measured on the page Calibration, as often as they are likely");
    m_usePosterior->hide();
    auto *together = new QFormLayout;
    auto *label = new QLabel("Correlation", this);
    label->setBuddy(m_correlations);
    together->addRow(label, m_correlations);
    together->addRow(m_correlationProblem);
    auto *layout = new QVBoxLayout(this);
    for (auto *part : std::initializer_list<QLayout *>{layout, m_layout, together})
        part->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_usePosterior);
    layout->addLayout(m_layout);
    layout->addLayout(together);
    connect(m_correlations, &QLineEdit::editingFinished, this, &InputRows::read);
    connect(m_usePosterior, &QCheckBox::toggled, this, [this] {
        compose();
        emit changed();
    });
}

void InputRows::setSpace(const ParameterSpace &space)
{
    if (m_space && haveSameAxes(*m_space, space))
        return;
    while (m_layout->rowCount() > 0)
        m_layout->removeRow(0);
    m_rows.clear();
    m_prior.reset();
    m_inputs.reset();
    m_texts.clear();
    m_correlations->clear();
    m_posterior.reset();
    m_usePosterior->hide();
    m_space = space;
    if (space.parameters().size() > 1)
        m_correlations->setPlaceholderText(
            QString("independent; %1,%2=0.5")
                .arg(cleanLine(QString::fromStdString(space[0].name)),
                     cleanLine(QString::fromStdString(space[1].name))));
    for (const auto &parameter : space.parameters()) {
        const auto name = QString::fromStdString(parameter.name);
        const Row row{new QLineEdit(this), new TonedLabel(errorColour, this)};
        row.field->setObjectName("input:" + name);
        row.field->setPlaceholderText("uniform");
        row.field->setToolTip("How its values are distributed: uniform(low,high), "
                              "normal(mean,deviation), lognormal(mu,sigma), loguniform(low,high), "
                              "triangular(low,mode,high), beta(a,b); a number alone fixes it "
                              "there. Nothing: any value of the range is as likely as any other");
        row.problem->setObjectName("inputProblem:" + name);
        row.problem->hide();
        auto *label = new PlainLabel(cleanLine(name), this);
        label->setBuddy(row.field);
        m_layout->addRow(label, row.field);
        m_layout->addRow(row.problem);
        connect(row.field, &QLineEdit::editingFinished, this, &InputRows::read);
        m_rows.push_back(row);
    }
    read();
}

void InputRows::read()
{
    QStringList texts{m_correlations->text().trimmed()};
    for (const auto &row : m_rows)
        texts.append(row.field->text().trimmed());
    if (m_prior && texts == m_texts)
        return;
    answers::Inputs inputs;
    bool isSensible = true;
    for (std::size_t t = 0; t < m_rows.size(); ++t) {
        QString problem;
        try {
            inputs.distributions.push_back(
                distributionOf(texts.at(static_cast<qsizetype>(t) + 1), (*m_space)[t]));
        } catch (const std::exception &thrown) {
            problem = QString::fromUtf8(thrown.what());
            isSensible = false;
        }
        m_rows[t].problem->setText(problem);
        m_rows[t].problem->setVisible(!problem.isEmpty());
    }
    if (isSensible) {
        const auto problem = addCorrelations(inputs);
        m_correlationProblem->setText(problem);
        m_correlationProblem->setVisible(!problem.isEmpty());
        isSensible = problem.isEmpty();
    }
    m_texts = texts;
    m_prior.reset();
    if (isSensible)
        m_prior = std::move(inputs);
    compose();
    emit changed();
}

QString InputRows::addCorrelations(answers::Inputs &inputs) const
{
    try {
        for (const auto &pair : m_correlations->text().split(';', Qt::SkipEmptyParts))
            if (!pair.trimmed().isEmpty())
                answers::addRankCorrelation(inputs, *m_space, pair.trimmed().toStdString(),
                                            "the correlation");
        answers::requireCorrelations(inputs);
    } catch (const std::exception &thrown) {
        return QString::fromUtf8(thrown.what());
    }
    return {};
}

bool InputRows::usesPosterior() const
{
    return m_posterior && m_usePosterior->isChecked();
}

void InputRows::setPosterior(std::optional<KnownAfter> posterior)
{
    if (!posterior && !m_posterior)
        return;
    m_posterior = std::move(posterior);
    if (m_posterior)
        m_usePosterior->setText("Posterior of the calibration " + cleanLine(m_posterior->name));
    m_usePosterior->setVisible(m_posterior.has_value());
    const QSignalBlocker blocker(m_usePosterior);
    m_usePosterior->setChecked(true);
    compose();
    emit changed();
}

/// Parameters that were neither matched nor held for it keep what is typed, and so do pairs of
/// them.
void InputRows::compose()
{
    m_inputs = m_prior;
    const bool isPosterior = usesPosterior();
    const auto isKnown = [&](std::size_t t) {
        return std::ranges::find(m_posterior->samples.parameters, t)
                   != m_posterior->samples.parameters.end()
               || m_posterior->held[t];
    };
    for (std::size_t t = 0; t < m_rows.size(); ++t)
        m_rows[t].field->setEnabled(!isPosterior || !isKnown(t));
    m_correlations->setEnabled(!isPosterior);
    if (!m_inputs || !isPosterior)
        return;
    const auto d = m_rows.size();
    for (std::size_t t = 0; t < d; ++t) {
        if (!isKnown(t))
            continue;
        if (const auto held = m_posterior->held[t])
            m_inputs->distributions[t] =
                answers::InputDistribution::ofSamples({*held}, (*m_space)[t]);
        for (std::size_t other = 0; other < d && !m_inputs->rankCorrelations.empty(); ++other)
            if (other != t)
                m_inputs->rankCorrelations[t * d + other] =
                    m_inputs->rankCorrelations[other * d + t] = 0;
    }
    answers::addJointSamples(*m_inputs, *m_space, m_posterior->samples);
}

} // namespace gridhelm::ui
