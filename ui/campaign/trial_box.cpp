// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/campaign/trial_box.h"

#include "core/support/clean_text.h"
#include "ui/campaign/job_trial.h"
#include "ui/campaign/plan_draft.h"
#include "ui/campaign/trial_text.h"
#include "ui/campaign/trust_dialog.h"
#include "ui/controls/plain_text.h"
#include "ui/controls/theme.h"
#include "ui/controls/toned_label.h"

#include <QFontDatabase>
#include <QHBoxLayout>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace gridhelm::ui {

TrialBox::TrialBox(PlanDraft &draft, data::MeshFiles files, QWidget *parent)
    : QWidget(parent)
    , m_draft(draft)
    , m_trial(new JobTrial(std::move(files), this))
    , m_test(new QPushButton("Test one job", this))
    , m_stop(new QPushButton("Stop", this))
    , m_result(new PlainLabel(this))
    , m_problem(new TonedLabel(errorColour, this))
    , m_log(new QPlainTextEdit(this))
{
    m_test->setObjectName("testJob");
    m_test->setToolTip("Run the command once, in the middle of the parameters' ranges and in a "
                       "temporary folder, and read its results; no study is made");
    m_stop->setObjectName("stopTest");
    m_stop->setToolTip("End the command at once");
    m_result->setObjectName("testResult");
    m_problem->setObjectName("testProblem");
    for (auto *label : {m_result, m_problem}) {
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    m_log->setObjectName("testLog");
    m_log->setReadOnly(true);
    m_log->setTabChangesFocus(true);
    m_log->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_log->setPlaceholderText("What the command prints");
    m_log->setAccessibleName("Log of the test");
    m_log->setToolTip("What the command printed");
    auto *buttons = new QHBoxLayout;
    buttons->addWidget(m_test);
    buttons->addWidget(m_stop);
    buttons->addStretch(1);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 0, 0, 0);
    layout->addLayout(buttons);
    layout->addWidget(m_result);
    layout->addWidget(m_problem);
    m_log->setMinimumHeight(4 * fontMetrics().lineSpacing());
    layout->addWidget(m_log, 1);
    m_clock.setInterval(500);
    connect(&m_clock, &QTimer::timeout, this, [this] {
        m_result->setText(
            QString("The command has been running for %1 s").arg(m_since.elapsed() / 1000));
    });
    connect(m_test, &QPushButton::clicked, this, [this] { start(); });
    connect(m_stop, &QPushButton::clicked, this, [this] {
        m_trial->stop();
        m_stop->setEnabled(false);
    });
    connect(m_trial, &JobTrial::ended, this, &TrialBox::show);
    connect(&m_draft, &PlanDraft::changed, this, &TrialBox::follow);
    say({}, false);
    follow();
}

TrialBox::~TrialBox() = default;

void TrialBox::follow()
{
    const bool hasCommand =
        m_draft.plan() && std::holds_alternative<data::CommandPlan>(m_draft.plan()->simulation);
    m_test->setEnabled(hasCommand && m_draft.isGood() && !m_trial->isRunning());
    m_stop->setEnabled(m_trial->isRunning());
}

void TrialBox::say(const QString &sentence, bool isProblem)
{
    m_result->setText(isProblem ? QString() : sentence);
    m_problem->setText(isProblem ? sentence : QString());
    m_result->setVisible(!m_result->text().isEmpty());
    m_problem->setVisible(!m_problem->text().isEmpty());
}

void TrialBox::start(const std::string &trusted)
{
    if (!m_draft.isGood() || m_trial->isRunning())
        return;
    m_log->clear();
    say("The command is running ...", false);
    m_since.start();
    m_clock.start();
    m_trial->start(*m_draft.plan(), !m_draft.isFromFile(), trusted);
    follow();
}

void TrialBox::show(const TrialEnd &end)
{
    m_clock.stop();
    follow();
    if (end.question) {
        ask(end);
        return;
    }
    if (!end.problem.isEmpty()) {
        say(end.problem, true);
        return;
    }
    m_log->setPlainText(QString::fromStdString(cleanLines(end.report.log)));
    const bool isGood = end.report.state == data::RunState::finished;
    say(isGood ? trialResultOf(end.report) : trialProblemOf(end.report), !isGood);
    const auto where = plainTip("Its folder, until the next test: " + end.folder);
    m_result->setToolTip(where);
    m_problem->setToolTip(where);
}

void TrialBox::ask(const TrialEnd &end)
{
    say(end.problem, true);
    auto *dialog =
        new TrustDialog("This plan was opened from a file, and nobody has agreed on this "
                        "machine to what it executes. The test would execute this, with "
                        "all your rights:",
                        *end.question, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, question = end.question] {
        const auto trouble = TrustDialog::remember(*question);
        start(question->digest());
        if (!trouble.isEmpty())
            say(trouble, true);
    });
    dialog->open();
}

} // namespace gridhelm::ui
