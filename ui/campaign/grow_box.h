// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/campaign/study_state.h"

#include <QWidget>

class QLabel;
class QPushButton;
class QSpinBox;

namespace gridhelm::ui {

/// Grows the open study's grid to a higher level, and takes a growth back that has no results yet.
class GrowBox : public QWidget
{
    Q_OBJECT

public:
    explicit GrowBox(QWidget *parent = nullptr);

    void setState(const StudyStatePtr &state); ///< null: no study
    /// While something runs, nothing else can be begun.
    void setBusy(bool busy);
    /// Jobs that will run side by side: the forecast depends on it.
    void setJobsAtATime(int jobs);
    /// Scrolling past it must not change it.
    QSpinBox *levelBox() const { return m_level; }

signals:
    void growWanted(int level);
    void undoWanted();

private:
    void follow();
    void followLevel();
    void ask();

    QPushButton *m_grow, *m_undo;
    QSpinBox *m_level;
    QLabel *m_growth;
    StudyStatePtr m_state;
    bool m_isBusy = false;
    int m_jobsAtATime = 1;
};

} // namespace gridhelm::ui
