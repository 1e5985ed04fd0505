// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/steering/evaluation/field_answering.h"

#include "core/support/error.h"
#include "data/study/study_errors.h"
#include "ui/machine/problem_sentence.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>

namespace gridhelm::ui {
namespace {

constexpr auto followInterval = std::chrono::milliseconds(500);
/// A hand that has not moved for so long may stay where it is: longer than from one event to the
/// next.
constexpr auto restInterval = std::chrono::milliseconds(25);

constexpr LatestRequestWorker::Requester steered; // every other turn is its

/// Of topics. Frames are of a side: the last ones.
enum About : int { anOpening, aPart, aProblem, aBackend, aFrame };

constexpr const char *withoutMemory =
    "There is not enough memory for this; close other programs or choose another field";

} // namespace

LatestRequestWorker::Requester FieldAnswering::requesterOf(const FieldRequest &request)
{
    static_assert(static_cast<int>(Side::steered) == steered.kind);
    return {static_cast<int>(request.side), request.side == Side::companion ? request.field : 0};
}

FieldAnswering::FieldAnswering(LatestRequestWorker &worker,
                               std::shared_ptr<const sparse::Backend> backend, Listener listener)
    : m_worker(worker)
    , m_backend(std::move(backend))
    , m_listener(std::move(listener))
    , m_loader([this] { m_worker.wakeIdleWork(); })
{
}

/// Whatever happens, the thread looks again after a while.
template <typename Action>
void FieldAnswering::attempt(Action action)
{
    try {
        action();
    } catch (const data::ChangedStudy &) {
        if (!std::exchange(m_mustOpenAgain, true)) // else after a while
            m_worker.wakeIdleWork();               // which follows, and answers again
    } catch (const BackendError &problem) {
        m_worker.deliver({aBackend, 0},
                         [to = &m_listener, sentence = sentenceOf(problem, withoutMemory)] {
                             to->backendFailed(sentence);
                         });
    } catch (const std::exception &problem) {
        say(problem);
    }
    if (m_study)
        m_worker.idleWorkAfter(followInterval);
}

void FieldAnswering::open(const std::optional<std::filesystem::path> &path)
{
    attempt([&] {
        if (path)
            openNow(*path);
        else
            close();
    });
}

void FieldAnswering::close()
{
    m_loader.stop();
    m_loadingFields.clear();
    m_inexact = {};
    m_lastAsked = {};
    m_mustOpenAgain = false;
    m_whyNotFollowed.clear();
    m_study.reset();
}

/// Whether another one is open than before.
bool FieldAnswering::openNow(const std::filesystem::path &path, bool isFollowing)
{
    try {
        auto study = data::againIfChanged(
            [&] { return std::make_unique<OpenStudy>(path, m_backend, m_pace); });
        close();
        m_path = path;
        m_study = std::move(study);
        m_worker.deliver({anOpening, 0},
                         [to = &m_listener, facts = m_study->facts()] { to->opened(facts); });
        return true;
    } catch (const NothingToShow &) {
        close();
        m_worker.deliver({anOpening, 0}, [to = &m_listener, path] { to->nothingToShow(path); });
    } catch (const data::DamagedStudy &problem) {
        if (isFollowing)
            close(); // what was read of it is not what is there
        sayNotOpened(problem);
    } catch (const std::exception &problem) {
        if (isFollowing)
            sayNotFollowed(problem);
        else
            sayNotOpened(problem);
    }
    return false;
}

/// What cannot be read just now (somebody holds it, it is elsewhere, memory is short) is shown as
/// it was, and looked at again after a while. Why is said once.
void FieldAnswering::sayNotFollowed(const std::exception &problem)
{
    const std::string why = problem.what();
    const bool isForNow = dynamic_cast<const data::ChangedStudy *>(&problem) != nullptr;
    if (std::exchange(m_whyNotFollowed, why) != why && !isForNow)
        say(problem);
}

void FieldAnswering::say(const std::exception &problem)
{
    m_worker.deliver({aProblem, 0},
                     [to = &m_listener, sentence = sentenceOf(problem, withoutMemory)] {
                         to->failed(sentence);
                     });
}

void FieldAnswering::sayNotOpened(const std::exception &problem)
{
    m_worker.deliver({anOpening, 1},
                     [to = &m_listener, sentence = sentenceOf(problem, withoutMemory)] {
                         to->openFailed(sentence);
                     });
}

void FieldAnswering::evaluateBy(std::shared_ptr<const sparse::Backend> backend)
{
    attempt([&] {
        m_backend = std::move(backend);
        if (!m_study)
            return;
        m_study->setBackend(m_backend);
        answerAgain(Questions(m_lastAsked));
    });
}

void FieldAnswering::answer(const FieldRequest &request)
{
    attempt([&] {
        if (m_study)
            answerNow(request);
    });
}

void FieldAnswering::useTime()
{
    attempt([this] {
        follow(); // what cannot be answered as the study was may be able to be as it is
        improve();
    });
}

/// What can be answered by more levels or modes than before. Whatever comes in between: it is tried
/// again until nothing is left that waits for one that is there.
void FieldAnswering::improve()
{
    const auto steps = m_loader.steps();
    if (steps == m_improvedAt)
        return;
    for (const auto &[requester, request] : Questions(m_inexact)) {
        if (m_worker.hasNews(requester) || m_worker.hasNews(steered)) {
            m_worker.wakeIdleWork();
            return;
        }
        answerNow(request);
    }
    m_improvedAt = steps;
}

bool FieldAnswering::hasChanged()
{
    try {
        return m_study->hasChanged();
    } catch (const std::exception &problem) {
        sayNotFollowed(problem);
        return false;
    }
}

void FieldAnswering::follow()
{
    if (!m_study || !(m_mustOpenAgain || hasChanged()))
        return;
    const auto asked = m_lastAsked;
    const auto path = m_path;
    if (!openNow(path, true))
        return;
    // Whoever asks again may meet the next change: nobody is forgotten then.
    for (const auto &[requester, last] : asked)
        if (m_study->knows(last))
            m_lastAsked.insert_or_assign(requester, last);
    answerAgain(asked);
}

void FieldAnswering::answerAgain(const Questions &questions)
{
    for (const auto &[requester, last] : questions) {
        if (!m_study || !m_study->knows(last) || m_worker.isAsked(requester))
            continue;
        auto again = last;
        again.asked = FieldRequest::Clock::now();
        answerNow(again);
    }
}

void FieldAnswering::startLoading(data::FieldIndex field)
{
    if (std::ranges::find(m_loadingFields, field) != m_loadingFields.end())
        return;
    m_loader.stop();
    m_loadingFields.clear();
    CoefficientLoader::Surrogates surrogates;
    const auto add = [&](data::FieldIndex wanted) {
        if (std::ranges::find(m_loadingFields, wanted) != m_loadingFields.end())
            return;
        m_loadingFields.push_back(wanted);
        auto surrogate = m_study->surrogate(wanted);
        if (surrogate && surrogate->loadedGroups() < m_study->facts()->groups)
            surrogates.push_back(std::move(surrogate));
    };
    for (const auto part : m_study->geometryFields()) // every frame needs them
        add(part);
    for (const auto &[requester, last] : m_lastAsked) // the steered one comes first
        add(last.field);
    if (!surrogates.empty())
        m_loader.load(m_path, std::move(surrogates));
}

bool FieldAnswering::isLoaded(const FieldRequest &request)
{
    const auto surrogate = m_study->surrogate(request.field);
    return surrogate && surrogate->loadedGroups() == m_study->facts()->groups;
}

/// Whether it has been delivered.
bool FieldAnswering::wholeUnlessNews(const FieldRequest &request)
{
    auto frame = m_study->whole(request, m_study->all(request.field),
                                [this] { return m_worker.hasNews(steered); });
    if (!frame)
        return false;
    deliver(std::move(frame));
    return true;
}

/// What is not seen can wait; a field takes time also if it is given up halfway.
void FieldAnswering::answerPart(const FieldRequest &request)
{
    const auto requester = requesterOf(request);
    m_worker.deliver({aPart, 0},
                     [to = &m_listener, part = std::shared_ptr<const FieldFrame>(
                                            m_study->part(request))] { to->partReady(part); });
    m_inexact.insert_or_assign(requester, request);
    if (isLoaded(request) && !m_worker.waitForNews(steered, restInterval)
        && wholeUnlessNews(request))
        m_inexact.erase(requester);
}

void FieldAnswering::answerNow(const FieldRequest &asked)
{
    const auto request = asked; // which may be in one of the lists
    const auto requester = requesterOf(request);
    m_lastAsked.insert_or_assign(requester, request);
    m_inexact.erase(requester);
    if (request.job != 0) {
        deliver(m_study->result(request));
        return;
    }
    if (m_study->gainsFromPart(request)) {
        answerPart(request);
        return;
    }
    const auto all = m_study->all(request.field);
    auto prefix = request.isDragging ? m_study->withinBudget(request) : all;
    if (m_study->surrogate(request.field)) {
        startLoading(request.field);
        if (!m_loader.hasFailed()) // else nobody knows when they come
            prefix = m_study->atHand(request, prefix);
    }
    deliver(m_study->whole(request, prefix));
    if (prefix == all)
        return;
    m_inexact.insert_or_assign(requester, request); // for when more has been loaded
    if (isLoaded(request) && wholeUnlessNews(request))
        m_inexact.erase(requester);
}

void FieldAnswering::deliver(std::shared_ptr<const FieldFrame> frame)
{
    const auto [side, field] = requesterOf(frame->request);
    m_worker.deliver({aFrame + side, field},
                     [to = &m_listener, frame = std::move(frame)] { to->frameReady(frame); });
}

} // namespace gridhelm::ui
