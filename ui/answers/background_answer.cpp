// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/answers/background_answer.h"

#include "ui/machine/problem_sentence.h"

#include <QCoreApplication>
#include <QPointer>

#include <exception>
#include <utility>

namespace gridhelm::ui {

BackgroundAnswer::BackgroundAnswer(QObject *parent)
    : QObject(parent)
{
}

BackgroundAnswer::~BackgroundAnswer() = default;

void BackgroundAnswer::start(Work work)
{
    const auto number = ++m_number;
    m_thread.reset();
    // The pointer is looked at in the thread of the object alone, by which time it may be null.
    m_thread = std::make_unique<BackgroundThread>(
        [self = QPointer(this), number, work = std::move(work)](const std::stop_token &stop) {
            std::function<void()> answer;
            QString problem;
            try {
                answer = work(stop);
            } catch (const std::exception &thrown) {
                problem = sentenceOf(
                    thrown, "There is not enough memory for this question; close other programs");
            }
            if (stop.stop_requested())
                return;
            QMetaObject::invokeMethod(
                qApp,
                [self, number, answer = std::move(answer), problem] {
                    if (self)
                        self->end(number, answer, problem);
                },
                Qt::QueuedConnection);
        });
    setRunning(true);
}

void BackgroundAnswer::cancel()
{
    ++m_number;
    m_thread.reset();
    setRunning(false);
}

void BackgroundAnswer::setRunning(bool isRunning)
{
    if (std::exchange(m_isRunning, isRunning) != isRunning)
        emit runningChanged(isRunning);
}

void BackgroundAnswer::end(std::uint64_t number, const std::function<void()> &answer,
                           const QString &problem)
{
    if (number != m_number)
        return; // of a question that nobody asks any more
    m_thread.reset();
    setRunning(false);
    if (!problem.isEmpty())
        emit failed(problem);
    else if (answer)
        answer();
}

} // namespace gridhelm::ui
