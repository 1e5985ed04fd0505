// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/answers/live_service.h"

#include "ui/machine/lower_priority.h"
#include "ui/machine/problem_sentence.h"

#include <exception>
#include <utility>

namespace gridhelm::ui {

LiveService::LiveService(QObject *parent)
    : QObject(parent)
    , m_worker([] { lowerPriority(); })
{
}

LiveService::~LiveService() = default;

void LiveService::ask(LiveQuestion question)
{
    m_worker.request({}, [this, question = std::move(question)] {
        try {
            m_evaluator.answer(
                question, [this] { return m_worker.hasNews({}); },
                [this](LiveAnswer answer) {
                    auto said = std::make_shared<const LiveAnswer>(std::move(answer));
                    m_worker.deliver({}, [this, said = std::move(said)] { emit answered(said); });
                });
        } catch (const std::exception &problem) {
            const auto sentence = sentenceOf(
                problem, "There is not enough memory to evaluate responses; close other programs");
            m_worker.deliver({}, [this, sentence] { emit failed(sentence); });
        }
    });
}

} // namespace gridhelm::ui
