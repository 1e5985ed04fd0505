// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/campaign/refine_box.h"

#include "data/evaluate/hold_out_places.h"
#include "ui/controls/plain_text.h"

#include <QCheckBox>
#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QPushButton>
#include <QSpinBox>

#include <limits>

namespace gridhelm::ui {

RefineBox::RefineBox(QWidget *parent)
    : QWidget(parent)
{
    auto *layout = new QGridLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    m_refine = new QPushButton("Refine", this);
    m_refine->setObjectName("refine");
    m_runs = new QSpinBox(this);
    m_runs->setObjectName("refineRuns");
    m_runs->setRange(1, 100'000);
    m_runs->setValue(20);
    m_runs->setPrefix("by ");
    m_runs->setSuffix(" runs");
    m_runs->setAccessibleName("Runs to refine by");
    m_runs->setToolTip("Runs that may be added, at most; validation runs count");
    m_until = new QDoubleSpinBox(this);
    m_until->setObjectName("refineUntil");
    m_until->setRange(0, 50);
    m_until->setDecimals(3);
    m_until->setSingleStep(0.1);
    m_until->setPrefix("until error ");
    m_until->setSuffix(" %");
    m_until->setSpecialValueText("whatever the error is");
    m_until->setAccessibleName("Error criterion");
    m_until->setToolTip(
        "Error criterion: end as soon as the error of all fields is estimated to be this small, "
        "and fresh validation points confirm it; 0: all runs are made");
    layout->addWidget(m_refine, 0, 0);
    layout->addWidget(m_runs, 0, 1);
    m_here = new QCheckBox("At the sliders", this);
    m_here->setObjectName("refineHere");
    m_here->setToolTip("Only the error where the sliders are counts, at any time");
    layout->addWidget(m_until, 1, 0, 1, 2);
    m_inView = new QCheckBox("In what the view shows", this);
    m_inView->setObjectName("refineInView");
    layout->addWidget(m_here, 2, 0);
    layout->addWidget(m_inView, 2, 1);
    connect(m_refine, &QPushButton::clicked, this, &RefineBox::want);
    follow();
}

void RefineBox::want()
{
    auto wish = step();
    if (m_inView->isChecked()) {
        auto seen = m_meshInView();
        if (!seen) { // it was closed this moment: more than that must not be refined instead
            setStudyInView({});
            return;
        }
        wish.field = std::move(seen->field);
        wish.region = std::move(seen->region);
    }
    emit wanted(wish);
}

data::RefineStep RefineBox::step() const
{
    data::RefineStep step;
    step.runs = static_cast<std::uint64_t>(m_runs->value());
    if (m_until->value() > 0) {
        step.until = m_until->value() / 100;
        step.holdOuts = data::sensibleHoldOuts(m_state->allJobs());
    }
    if (m_here->isChecked())
        step.at = placeForRuns(m_place);
    return step;
}

/// Without what runs do not choose: all times come from one.
std::vector<double> RefineBox::placeForRuns(std::vector<double> place) const
{
    for (std::size_t t = 0; t < place.size(); ++t)
        if (m_state->description.space[t].kind != ParameterKind::ordinary)
            place[t] = std::numeric_limits<double>::quiet_NaN();
    return place;
}

QString RefineBox::refineAt(const std::vector<double> &place, std::uint64_t runs)
{
    if (m_isBusy)
        return "Something is running: wait until it has ended, or cancel it";
    if (!m_state || place.size() != m_state->description.space.parameters().size())
        return "The study is being read: try again in a moment";
    if (const auto &obstacle = m_state->outlook.refineObstacle; !obstacle.empty())
        return QString::fromStdString(obstacle);
    data::RefineStep step;
    step.runs = runs;
    step.at = placeForRuns(place);
    emit wanted(step);
    return {};
}

void RefineBox::setPlace(const std::vector<double> &values)
{
    const bool isAnother = m_place.size() != values.size();
    m_place = values;
    if (isAnother) // else a slider moves
        follow();
}

void RefineBox::setStudyInView(const QString &path)
{
    const bool isAnother = m_studyInView != path;
    m_studyInView = path;
    if (isAnother) // else a slider moves
        follow();
}

void RefineBox::setState(const StudyStatePtr &state)
{
    m_state = state;
    follow();
}

void RefineBox::setBusy(bool busy)
{
    m_isBusy = busy;
    follow();
}

QList<QWidget *> RefineBox::numberBoxes() const
{
    return {m_runs, m_until};
}

void RefineBox::follow()
{
    const auto obstacle = m_state ? m_state->outlook.refineObstacle : std::string();
    const bool isAble = m_state && obstacle.empty();
    for (QWidget *widget : std::initializer_list<QWidget *>{m_refine, m_runs, m_until})
        widget->setEnabled(isAble && !m_isBusy);
    const bool hasPlace =
        isAble && m_place.size() == m_state->description.space.parameters().size();
    m_here->setEnabled(hasPlace && !m_isBusy);
    if (!hasPlace)
        m_here->setChecked(false);
    followView(isAble);
    m_refine->setToolTip(
        !obstacle.empty()
            ? plainTip(QString::fromStdString(obstacle))
            : QString("Add runs one block of points after the other, where they are expected to "
                      "change the fields the most, and off the grid where their surrogate is "
                      "chosen by its error; run and compress them. The page Error history shows "
                      "what becomes of the error"));
}

void RefineBox::followView(bool isAble)
{
    const bool isInView = isAble && m_meshInView && m_studyInView == m_state->path;
    m_inView->setEnabled(isInView && !m_isBusy);
    if (!isInView)
        m_inView->setChecked(false);
    QString tip = "Only the error of the field in the main view counts, in the part of the mesh "
                  "that is inside of the picture when Refine is clicked, even if something hides "
                  "it: zoom in on what matters";
    if (m_studyInView.isEmpty())
        tip = "No view shows this study: open it when its first results have been compressed";
    else if (isAble && !isInView)
        tip = "The view shows another study: open this one";
    m_inView->setToolTip(tip);
}

} // namespace gridhelm::ui
