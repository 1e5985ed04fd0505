// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/answers/held_parameters.h"

#include "ui/answers/answer_set.h"
#include "ui/controls/plain_text.h"

#include <QAction>
#include <QMenu>

namespace gridhelm::ui {

HeldParameters::HeldParameters(QWidget *parent)
    : QToolButton(parent)
{
    setObjectName("hold");
    setToolTip("Parameters that stay where their sliders are");
    setPopupMode(QToolButton::InstantPopup);
    setToolButtonStyle(Qt::ToolButtonTextOnly);
    setMenu(new QMenu(this));
    follow();
}

void HeldParameters::setSpace(const ParameterSpace &space)
{
    if (m_space && haveSameAxes(*m_space, space))
        return;
    m_space = space;
    menu()->clear();
    m_marks.clear();
    for (const auto &parameter : space.parameters()) {
        auto *mark =
            menu()->addAction(plainName(cleanLine(QString::fromStdString(parameter.name))));
        mark->setCheckable(true);
        connect(mark, &QAction::toggled, this, &HeldParameters::follow);
        m_marks.push_back(mark);
    }
    follow();
}

std::vector<std::optional<double>> HeldParameters::heldAt(const std::vector<double> &values) const
{
    std::vector<std::optional<double>> held(values.size());
    for (std::size_t t = 0; t < m_marks.size() && t < values.size(); ++t)
        if (m_marks[t]->isChecked())
            held[t] = values[t];
    return held;
}

void HeldParameters::follow()
{
    QStringList names;
    for (const auto *mark : m_marks)
        if (mark->isChecked())
            names.append(mark->text());
    setText(names.isEmpty() ? QString("Fix ...") : "Fix " + names.join(", "));
}

} // namespace gridhelm::ui
