// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/mesh/snapshot_reader.h"

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>

class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace gridhelm::ui {

class JobTrial;
class PlanDraft;
struct TrialEnd;

/// Tests the command of a plan by one run: how it ended, how long it took, what was read, its log.
class TrialBox : public QWidget
{
    Q_OBJECT

public:
    /// The draft must outlive it.
    TrialBox(PlanDraft &draft, data::MeshFiles files, QWidget *parent = nullptr);
    /// Stops what is running.
    ~TrialBox() override;

private:
    void follow();
    void start(const std::string &trusted = {});
    void show(const TrialEnd &end);
    void ask(const TrialEnd &end);
    void say(const QString &sentence, bool isProblem);

    PlanDraft &m_draft;
    JobTrial *m_trial;
    QPushButton *m_test, *m_stop;
    QLabel *m_result, *m_problem;
    QPlainTextEdit *m_log;
    QElapsedTimer m_since;
    QTimer m_clock; ///< while it runs
};

} // namespace gridhelm::ui
