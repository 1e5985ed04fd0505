// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/answers/answer_page.h"

#include "ui/answers/answer_text.h"
#include "ui/controls/plain_text.h"
#include "ui/controls/theme.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace gridhelm::ui {

AnswerPage::AnswerPage(QWidget *parent)
    : QWidget(parent)
    , m_body(new QVBoxLayout)
    , m_status(new PlainLabel(this))
    , m_cancel(new QPushButton("Cancel", this))
{
    m_status->setObjectName("answerStatus");
    m_status->setWordWrap(true);
    m_cancel->setObjectName("cancelAnswer");
    m_cancel->setToolTip("Takes the question back");
    m_cancel->hide();
    auto *bottom = new QHBoxLayout;
    bottom->addWidget(m_status, 1);
    bottom->addWidget(m_cancel);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(4, 6, 4, 4);
    layout->addLayout(m_body);
    layout->addLayout(bottom);
    layout->addStretch(1);
    connect(&m_answer, &BackgroundAnswer::runningChanged, this, [this](bool isRunning) {
        m_cancel->setVisible(isRunning);
        if (isRunning)
            return;
        say({});
        // After the answer, which is of the set that is here.
        QMetaObject::invokeMethod(this, &AnswerPage::takeWaiting, Qt::QueuedConnection);
    });
    connect(&m_answer, &BackgroundAnswer::failed, this,
            [this](const QString &sentence) { say(sentence, true); });
    connect(m_cancel, &QPushButton::clicked, this, &AnswerPage::cancel);
}

void AnswerPage::cancel()
{
    m_answer.cancel();
    takeWaiting();
    m_answer.cancel(); // nor is that asked about the study that has grown
    say("Cancelled");
}

void AnswerPage::setResponse(std::shared_ptr<const AnswerSet> set, std::size_t index)
{
    m_waitingSet.reset();
    if (set == m_set && index == m_index)
        return;
    const bool isSame = m_set && set && isSameQuestion(*set, index);
    m_waitingSet = std::move(set);
    m_waitingIndex = index;
    if (isSame) {
        takeWaiting();
        return;
    }
    adoptWaiting();
    becomeStale();
}

bool AnswerPage::isSameQuestion(const AnswerSet &other, std::size_t index) const
{
    return areOfOneStudy(*m_set, other) && areSame(response(), other.responses[index]);
}

std::optional<std::size_t> AnswerPage::indexIn(const std::shared_ptr<const AnswerSet> &set) const
{
    if (!set)
        return std::nullopt;
    if (set == m_set)
        return m_index;
    return set == m_waitingSet ? std::optional(m_waitingIndex) : std::nullopt;
}

void AnswerPage::adoptWaiting()
{
    m_set = std::exchange(m_waitingSet, nullptr);
    m_index = m_waitingIndex;
}

/// Unless something is being asked: it would not end in a study that grows faster.
void AnswerPage::takeWaiting()
{
    if (!m_waitingSet || m_answer.isRunning())
        return;
    adoptWaiting();
    m_stale = std::max(m_stale, Stale::hasGrown);
    bringUpToDate();
}

void AnswerPage::becomeStale()
{
    m_answer.cancel();
    if (m_waitingSet)
        adoptWaiting();
    m_stale = Stale::isOther;
    bringUpToDate();
}

void AnswerPage::bringUpToDate()
{
    if (m_stale == Stale::no || !isVisible())
        return;
    if (std::exchange(m_stale, Stale::no) == Stale::hasGrown) {
        grow();
        return;
    }
    say({});
    refresh();
}

void AnswerPage::compute(BackgroundAnswer::Work work)
{
    m_answer.start(std::move(work));
    say("Computing…");
}

void AnswerPage::say(const QString &sentence, bool isProblem)
{
    auto colours = palette();
    if (isProblem)
        colours.setColor(QPalette::WindowText, errorColour(palette()));
    m_status->setPalette(colours);
    m_status->setText(sentence);
}

bool AnswerPage::saysProblem()
{
    if (!m_set || response().problem.empty())
        return false;
    say(problemText(response()), true);
    return true;
}

QString AnswerPage::status() const
{
    return m_status->text();
}

void AnswerPage::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    bringUpToDate();
}

} // namespace gridhelm::ui
