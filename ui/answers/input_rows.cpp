// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/answers/input_rows.h"

#include "ui/controls/plain_text.h"
#include "ui/controls/theme.h"
#include "ui/controls/toned_label.h"

#include <QFormLayout>
#include <QLineEdit>

#include <exception>
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
    , m_layout(new QFormLayout(this))
{
    m_layout->setContentsMargins(0, 0, 0, 0);
}

void InputRows::setSpace(const ParameterSpace &space)
{
    if (m_space && *m_space == space)
        return;
    while (m_layout->rowCount() > 0)
        m_layout->removeRow(0);
    m_rows.clear();
    m_inputs.reset();
    m_texts.clear();
    m_space = space;
    for (const auto &parameter : space.parameters()) {
        const auto name = QString::fromStdString(parameter.name);
        const Row row{new QLineEdit(this), new TonedLabel(errorColour, this)};
        row.field->setObjectName("input:" + name);
        row.field->setPlaceholderText("uniform");
        row.field->setToolTip(
            "How its values are distributed: uniform(low,high), normal(mean,deviation), "
            "lognormal(mu,sigma), triangular(low,mode,high), beta(a,b); a number alone holds it "
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
    QStringList texts;
    for (const auto &row : m_rows)
        texts.append(row.field->text().trimmed());
    if (m_inputs && texts == m_texts)
        return;
    answers::Inputs inputs;
    bool isSensible = true;
    for (std::size_t t = 0; t < m_rows.size(); ++t) {
        QString problem;
        try {
            inputs.distributions.push_back(
                distributionOf(texts.at(static_cast<qsizetype>(t)), (*m_space)[t]));
        } catch (const std::exception &thrown) {
            problem = QString::fromUtf8(thrown.what());
            isSensible = false;
        }
        m_rows[t].problem->setText(problem);
        m_rows[t].problem->setVisible(!problem.isEmpty());
    }
    m_texts = texts;
    m_inputs.reset();
    if (isSensible)
        m_inputs = std::move(inputs);
    emit changed();
}

} // namespace gridhelm::ui
