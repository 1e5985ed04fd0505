// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/probe/probe_service.h"

#include "ui/machine/lower_priority.h"
#include "ui/machine/problem_sentence.h"
#include "ui/probe/place_evaluator.h"

#include <atomic>
#include <chrono>
#include <exception>
#include <optional>
#include <utility>

namespace gridhelm::ui {
namespace {

enum Command { evaluateByAnother, forgetStudy };

constexpr const char *withoutMemory =
    "There is not enough memory to probe this; close other programs";

/// Whether what is being read for `before` is of use for `after`.
bool isSamePlace(const ProbeQuestion &before, const ProbeQuestion &after)
{
    return before.study == after.study && before.place == after.place
           && before.field == after.field;
}

} // namespace

/// What the worker's thread does.
class ProbeService::Answering
{
public:
    Answering(ProbeService &service, std::shared_ptr<const sparse::Backend> backend)
        : m_service(service)
        , m_backend(std::move(backend))
    {
    }

    /// Any thread: what is being read for the place before is of no use any more.
    std::uint64_t nextPlace() { return ++m_newestPlace; }
    std::uint64_t place() const { return m_newestPlace; }

    // In the worker's thread.

    void answer(ProbeQuestion question, std::uint64_t place)
    {
        m_last = std::move(question);
        m_place = place;
        answerLast();
    }

    /// Also when there is nothing else to do: with one field more at a time, so that what is asked
    /// meanwhile comes in between.
    void answerLast()
    {
        if (!m_last)
            return;
        const auto stop = [this] { return worker().isCancelled() || m_place != m_newestPlace; };
        std::shared_ptr<ProbeAnswer> answer;
        try {
            if (!m_evaluator || m_evaluator->study() != m_last->study) {
                m_evaluator.reset();
                m_evaluator = std::make_unique<PlaceEvaluator>(m_last->study, m_backend);
            }
            answer = m_evaluator->answer(*m_last, stop);
            if (!answer)
                return; // another question is there
            deliver(answer);
            if (m_last->place && m_evaluator->readAnotherField(stop))
                worker().idleWorkAfter(std::chrono::milliseconds(0));
        } catch (const std::exception &problem) {
            const auto said =
                answer ? std::make_shared<ProbeAnswer>(*answer) : std::make_shared<ProbeAnswer>();
            said->question = *m_last;
            said->problem = sentenceOf(problem, withoutMemory);
            deliver(said);
        }
    }

    void evaluateBy(std::shared_ptr<const sparse::Backend> backend)
    {
        m_evaluator.reset(); // its coefficients are where the other one has put them
        m_backend = std::move(backend);
        answerLast();
    }

    void forget()
    {
        m_evaluator.reset();
        m_last.reset();
    }

private:
    LatestRequestWorker &worker() { return m_service.m_worker; }

    void deliver(std::shared_ptr<const ProbeAnswer> answer)
    {
        worker().deliver({}, [&service = m_service, answer = std::move(answer)] {
            emit service.answered(answer);
        });
    }

    ProbeService &m_service;
    std::shared_ptr<const sparse::Backend> m_backend;
    std::unique_ptr<PlaceEvaluator> m_evaluator;
    std::optional<ProbeQuestion> m_last;
    std::uint64_t m_place = 0; ///< that of m_last
    std::atomic<std::uint64_t> m_newestPlace = 0;
};

ProbeService::ProbeService(std::shared_ptr<const sparse::Backend> backend, QObject *parent)
    : QObject(parent)
    , m_answering(std::make_unique<Answering>(*this, std::move(backend)))
    , m_worker([] { lowerPriority(); }, [this] { m_answering->answerLast(); })
{
}

ProbeService::~ProbeService() = default;

void ProbeService::setBackend(std::shared_ptr<const sparse::Backend> backend)
{
    m_worker.command(evaluateByAnother,
                     [this, backend = std::move(backend)] { m_answering->evaluateBy(backend); });
}

std::uint64_t ProbeService::ask(ProbeQuestion question)
{
    question.number = ++m_lastNumber;
    const auto place =
        isSamePlace(m_last, question) ? m_answering->place() : m_answering->nextPlace();
    m_last = question;
    m_last.frame = nullptr; // which is large
    m_worker.request({}, [this, place, question = std::move(question)] {
        m_answering->answer(question, place);
    });
    return m_lastNumber;
}

void ProbeService::forget()
{
    m_last = {};
    m_worker.startOver();
    m_worker.command(forgetStudy, [this] { m_answering->forget(); });
}

} // namespace gridhelm::ui
