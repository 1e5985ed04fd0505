// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/answers/answer_page.h"

#include "ui/answers/answer_text.h"
#include "ui/controls/plain_text.h"
#include "ui/controls/theme.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

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
        if (!isRunning)
            say({});
    });
    connect(&m_answer, &BackgroundAnswer::failed, this,
            [this](const QString &sentence) { say(sentence, true); });
    connect(m_cancel, &QPushButton::clicked, this, [this] {
        m_answer.cancel();
        say("Cancelled");
    });
}

void AnswerPage::setResponse(std::shared_ptr<const AnswerSet> set, std::size_t index)
{
    if (set == m_set && index == m_index)
        return;
    m_set = std::move(set);
    m_index = index;
    becomeStale();
}

void AnswerPage::becomeStale()
{
    m_answer.cancel();
    m_isStale = true;
    if (!isVisible())
        return;
    m_isStale = false;
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
    if (m_isStale)
        becomeStale();
}

} // namespace gridhelm::ui
