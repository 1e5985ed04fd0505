// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/campaign/campaign_steps.h"
#include "ui/campaign/study_state.h"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QLabel;
class QPushButton;
class QSettings;
class QSpinBox;

namespace gridhelm::ui {

class AddedErrorBox;

/// Compresses the open study, by which surrogate and degree, in how many bits, and with how many
/// hold-outs; says by
/// what its fields are evaluated now, and why.
class CompressBox : public QWidget
{
    Q_OBJECT

public:
    explicit CompressBox(QWidget *parent = nullptr);

    void setState(const StudyStatePtr &state); ///< null: no study
    /// While something runs, nothing else can be begun.
    void setBusy(bool busy);
    /// Hold-outs that will run side by side.
    void setJobsAtATime(int jobs);
    /// Scrolling past it must not change it.
    QSpinBox *holdOutsBox() const { return m_holdOuts; }

    void saveState(QSettings &settings) const;
    void restoreState(QSettings &settings);

signals:
    void wanted(const data::CompressStep &step);
    void compactWanted();

private:
    void makeSurrogates();
    void suggestHoldOuts();
    void follow();
    void followHoldOuts();
    data::CompressStep step() const;

    QPushButton *m_compress, *m_compact;
    QSpinBox *m_holdOuts;
    QComboBox *m_surrogate, *m_degree;
    AddedErrorBox *m_addedError;
    QCheckBox *m_allowMissing, *m_raw;
    QLabel *m_measuring, *m_reasons;
    StudyStatePtr m_state;
    bool m_isBusy = false;
    int m_jobsAtATime = 1;
};

} // namespace gridhelm::ui
