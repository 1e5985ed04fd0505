// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/probe/probe_service.h"

#include "ui/machine/lower_priority.h"
#include "ui/probe/place_evaluator.h"

#include <QMetaObject>

#include <condition_variable>
#include <exception>
#include <mutex>
#include <new>
#include <thread>
#include <utility>

namespace gridhelm::ui {
namespace {

QString sentenceOf(const std::exception &problem)
{
    if (dynamic_cast<const std::bad_alloc *>(&problem))
        return "There is not enough memory to probe this; close other programs";
    return QString::fromStdString(problem.what());
}

/// Whether what is being read for `before` is of use for `after`.
bool isSamePlace(const ProbeQuestion &before, const ProbeQuestion &after)
{
    return before.study == after.study && before.place == after.place
           && before.field == after.field;
}

} // namespace

class ProbeService::Worker
{
public:
    Worker(ProbeService &service, std::shared_ptr<const sparse::Backend> backend)
        : m_service(service)
        , m_backend(std::move(backend))
        , m_thread([this](const std::stop_token &stop) { work(stop); })
    {
    }

    ~Worker()
    {
        m_thread.request_stop();
        m_wake.notify_all();
        m_thread.join();
    }

    void ask(ProbeQuestion question)
    {
        const std::lock_guard lock(m_mutex);
        m_question = std::move(question);
        m_wake.notify_all();
    }

    void forget()
    {
        const std::lock_guard lock(m_mutex);
        m_question.reset();
        m_answer.reset();
        m_isForgotten = true;
        m_wake.notify_all();
    }

    std::shared_ptr<const ProbeAnswer> takeAnswer()
    {
        const std::lock_guard lock(m_mutex);
        return std::exchange(m_answer, nullptr);
    }

private:
    // In m_thread.

    void work(const std::stop_token &stop)
    {
        lowerPriority();
        bool isMoreToRead = false;
        std::optional<ProbeQuestion> last;
        while (!stop.stop_requested()) {
            {
                std::unique_lock lock(m_mutex);
                m_wake.wait(lock, stop,
                            [&] { return m_question || m_isForgotten || isMoreToRead; });
                if (std::exchange(m_isForgotten, false)) {
                    m_evaluator.reset();
                    last.reset();
                }
                if (m_question)
                    last = std::exchange(m_question, {});
            }
            isMoreToRead = false;
            if (stop.stop_requested() || !last)
                continue;
            const auto stopReading = [&] {
                if (stop.stop_requested())
                    return true;
                const std::lock_guard lock(m_mutex);
                return m_isForgotten || (m_question && !isSamePlace(*last, *m_question));
            };
            std::shared_ptr<ProbeAnswer> answer;
            try {
                if (!m_evaluator || m_evaluator->study() != last->study) {
                    m_evaluator.reset();
                    m_evaluator = std::make_unique<PlaceEvaluator>(last->study, m_backend);
                }
                answer = m_evaluator->answer(*last, stopReading);
                if (!answer)
                    continue; // another question is there
                publish(answer);
                // The other fields, one at a time, and what has been asked meanwhile in between.
                isMoreToRead = last->place && m_evaluator->readAnotherField(stopReading);
            } catch (const std::exception &problem) {
                const auto said = answer ? std::make_shared<ProbeAnswer>(*answer)
                                         : std::make_shared<ProbeAnswer>();
                said->question = *last;
                said->problem = sentenceOf(problem);
                publish(said);
            }
        }
        m_evaluator.reset();
    }

    void publish(std::shared_ptr<const ProbeAnswer> answer)
    {
        const std::lock_guard lock(m_mutex);
        if (m_isForgotten)
            return;
        const bool isFirst = !m_answer;
        m_answer = std::move(answer);
        if (isFirst)
            QMetaObject::invokeMethod(
                &m_service, [service = &m_service] { service->deliver(); }, Qt::QueuedConnection);
    }

    ProbeService &m_service;
    std::shared_ptr<const sparse::Backend> m_backend;
    std::unique_ptr<PlaceEvaluator> m_evaluator;

    std::mutex m_mutex;
    std::condition_variable_any m_wake;
    std::optional<ProbeQuestion> m_question;     // under m_mutex
    std::shared_ptr<const ProbeAnswer> m_answer; // under m_mutex
    bool m_isForgotten = false;                  // under m_mutex

    std::jthread m_thread; ///< last: everything else is there when it begins
};

ProbeService::ProbeService(std::shared_ptr<const sparse::Backend> backend, QObject *parent)
    : QObject(parent)
    , m_worker(std::make_unique<Worker>(*this, std::move(backend)))
{
}

ProbeService::~ProbeService() = default;

std::uint64_t ProbeService::ask(ProbeQuestion question)
{
    question.number = ++m_lastNumber;
    m_worker->ask(std::move(question));
    return m_lastNumber;
}

void ProbeService::forget()
{
    m_worker->forget();
}

void ProbeService::deliver()
{
    if (const auto answer = m_worker->takeAnswer())
        emit answered(answer);
}

} // namespace gridhelm::ui
