// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/campaign/grow_box.h"

#include "core/support/error.h"
#include "ui/campaign/grow_question.h"
#include "ui/campaign/study_forecast.h"
#include "ui/controls/theme.h"
#include "ui/controls/toned_label.h"

#include <QGridLayout>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>

#include <algorithm>

namespace gridhelm::ui {
namespace {

constexpr QLatin1String addsText("adds ");

} // namespace

GrowBox::GrowBox(QWidget *parent)
    : QWidget(parent)
{
    auto *layout = new QGridLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    m_grow = new QPushButton("Add level", this);
    m_grow->setObjectName("grow");
    m_grow->setToolTip("Add the points of a higher level; nothing is computed twice");
    m_level = new QSpinBox(this);
    m_level->setObjectName("growLevel");
    m_level->setRange(1, sparse::maximumLevel);
    m_level->setPrefix("up to ");
    m_level->setAccessibleName("Highest level");
    m_level->setToolTip("Refinement level of the sparse grid afterwards");
    m_growth = new TonedLabel(quietTextColour, this);
    m_growth->setObjectName("growth");
    m_undo = new QPushButton("Undo added level", this);
    m_undo->setObjectName("undoGrowth");
    layout->addWidget(m_grow, 0, 0);
    layout->addWidget(m_level, 0, 1);
    layout->addWidget(m_growth, 1, 0, 1, 2);
    layout->addWidget(m_undo, 2, 0, 1, 2);
    connect(m_grow, &QPushButton::clicked, this, &GrowBox::ask);
    connect(m_undo, &QPushButton::clicked, this, &GrowBox::undoWanted);
    connect(m_level, &QSpinBox::valueChanged, this, &GrowBox::followLevel);
    follow();
}

void GrowBox::setState(const StudyStatePtr &state)
{
    const bool isOther = !m_state || !state || m_state->path != state->path;
    const int levelBefore = m_state && !isOther ? m_state->description.level : 0;
    m_state = state;
    if (state && state->description.level != levelBefore) {
        const QSignalBlocker quietly(m_level);
        const int highest = state->description.space.highestLevel();
        m_level->setRange(state->description.level, highest);
        m_level->setValue(std::min(state->description.level + 1, highest));
    }
    follow();
}

void GrowBox::setBusy(bool busy)
{
    m_isBusy = busy;
    follow();
}

void GrowBox::setJobsAtATime(int jobs)
{
    m_jobsAtATime = jobs;
    followLevel();
}

void GrowBox::follow()
{
    m_level->setEnabled(m_state && !m_isBusy);
    const bool isGrown = m_state && m_state->growth;
    m_undo->setVisible(isGrown);
    m_undo->setEnabled(isGrown && !m_isBusy && m_state->growth->obstacle.empty());
    if (isGrown) {
        const auto obstacle = QString::fromStdString(m_state->growth->obstacle);
        m_undo->setText(QString("Undo added level (to level %1)").arg(m_state->growth->level));
        m_undo->setToolTip(obstacle.isEmpty()
                               ? QString("Take away the %1 points and %2 jobs that were added "
                                         "last; none of them has results")
                                     .arg(m_state->growth->points)
                                     .arg(m_state->growth->jobs)
                               : "What was added last cannot be taken away: " + obstacle);
    }
    followLevel();
}

void GrowBox::followLevel()
{
    const int level = m_level->value();
    const bool isHigher = m_state && level > m_state->description.level;
    m_grow->setEnabled(isHigher && !m_isBusy);
    if (!isHigher) {
        m_growth->setText(m_state ? QString("This is the present level") : QString());
        return;
    }
    try {
        m_growth->setText(addsText
                          + growthForecast(*m_state, growthOf(*m_state, level), m_jobsAtATime));
    } catch (const Error &) {
        m_growth->setText("would be more than can be counted");
        m_grow->setEnabled(false);
    }
}

void GrowBox::ask()
{
    const int level = m_level->value();
    auto *question = new GrowQuestion(level, m_growth->text().mid(addsText.size()), this);
    question->setAttribute(Qt::WA_DeleteOnClose);
    connect(question, &QDialog::accepted, this, [this, level, study = m_state->path] {
        if (m_state && m_state->path == study && !m_isBusy)
            emit growWanted(level);
    });
    question->open();
}

} // namespace gridhelm::ui
