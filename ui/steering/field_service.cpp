// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/steering/field_service.h"

#include "core/support/error.h"
#include "data/evaluate/indicator_share.h"
#include "ui/machine/lower_priority.h"

#include <QMetaObject>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>
#include <new>
#include <utility>

namespace gridhelm::ui {
namespace {

using Clock = FieldRequest::Clock;

/// What is read between two looks at the mailbox by an evaluation that can be given up.
constexpr double bytesAtATime = 3e7;
/// Fields are read from the file, rather than waited for, if that is quick.
constexpr double quickFileBytes = 3e7;
constexpr auto followInterval = std::chrono::milliseconds(500);
/// A hand that has not moved for so long may stay where it is: longer than from one event to the
/// next.
constexpr auto restInterval = std::chrono::milliseconds(25);

double secondsSince(Clock::time_point begin)
{
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

QString sentenceOf(const std::exception &problem)
{
    if (dynamic_cast<const std::bad_alloc *>(&problem))
        return "There is not enough memory for this; close other programs or choose another field";
    return QString::fromStdString(problem.what());
}

/// Who asks: newer questions of the same asker replace older ones.
using Asker = std::pair<Side, data::FieldIndex>;
constexpr Asker steered{Side::steered, 0};

Asker askerOf(const FieldRequest &request)
{
    return {request.side, request.side == Side::companion ? request.field : 0};
}

using Questions = std::map<Asker, FieldRequest>;

/// Every other one is the steered one's, if it asks so often; the others come in turns.
class Turns
{
public:
    std::optional<FieldRequest> take(Questions &questions)
    {
        if (questions.empty())
            return {};
        auto next = questions.begin(); // the steered one's, if it asks
        const bool steeredAsks = next->first == steered;
        if (!steeredAsks || (m_isOthersTurn && questions.size() > 1)) {
            next = questions.upper_bound(m_lastOther);
            if (next == questions.end())
                next = questions.upper_bound(steered);
            m_lastOther = next->first;
        }
        m_isOthersTurn = next->first == steered;
        auto request = std::move(next->second);
        questions.erase(next);
        return request;
    }

private:
    bool m_isOthersTurn = false;
    Asker m_lastOther = steered;
};

/// Memory of frames that nobody shows any more: to get as much afresh from the system takes longer
/// than to evaluate the field.
class FrameMemory : public std::enable_shared_from_this<FrameMemory>
{
public:
    FrameMemory() { m_kept.reserve(mostKept); }

    /// A frame whose values and indicator have this size, and any content.
    std::shared_ptr<FieldFrame> frame(std::size_t values)
    {
        auto frame = std::make_unique<FieldFrame>();
        for (auto *list : {&frame->values, &frame->indicator}) {
            *list = take();
            list->resize(values);
        }
        return {frame.release(), [memory = shared_from_this()](FieldFrame *done) {
                    memory->keep(std::move(done->values));
                    memory->keep(std::move(done->indicator));
                    delete done;
                }};
    }

private:
    static constexpr std::size_t mostKept = 4;

    std::vector<float> take()
    {
        const std::lock_guard lock(m_mutex);
        if (m_kept.empty())
            return {};
        auto list = std::move(m_kept.back());
        m_kept.pop_back();
        return list;
    }
    void keep(std::vector<float> list)
    {
        const std::lock_guard lock(m_mutex);
        if (m_kept.size() < mostKept)
            m_kept.push_back(std::move(list));
    }

    std::mutex m_mutex;
    std::vector<std::vector<float>> m_kept;
};

} // namespace

/// The two threads: one that evaluates, and one that loads coefficients meanwhile.
class FieldService::Worker
{
public:
    Worker(FieldService &service, std::shared_ptr<const sparse::Backend> backend)
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

    void setBudget(double seconds) { m_budgetSeconds = seconds; }

    void open(std::optional<std::filesystem::path> path)
    {
        const std::lock_guard lock(m_mutex);
        m_toOpen = Opening{std::move(path)};
        m_requests = {};
        m_answers = {};
        m_wake.notify_all();
    }

    void setBackend(std::shared_ptr<const sparse::Backend> backend)
    {
        const std::lock_guard lock(m_mutex);
        m_toUse = std::move(backend);
        m_wake.notify_all();
    }

    void request(FieldRequest request)
    {
        const std::lock_guard lock(m_mutex);
        const auto asker = askerOf(request);
        m_requests.insert_or_assign(asker, std::move(request));
        m_wake.notify_all();
    }

    struct Answers
    {
        std::shared_ptr<const StudyFacts> opened;
        std::map<Asker, std::shared_ptr<const FieldFrame>> frames;
        std::shared_ptr<const FieldFrame> part; ///< of the steered side
        QString openProblem, problem, backendProblem;

        bool operator==(const Answers &) const = default;
    };
    Answers takeAnswers()
    {
        const std::lock_guard lock(m_mutex);
        return std::exchange(m_answers, {});
    }

private:
    struct Opening
    {
        std::optional<std::filesystem::path> path; ///< none: close
    };

    // Everything below runs in m_thread, unless it says otherwise.

    void work(const std::stop_token &stop);
    void openStudy(const std::optional<std::filesystem::path> &path);
    void follow();
    void evaluateBy(std::shared_ptr<const sparse::Backend> backend);
    /// Those that still make sense, as if they were asked now.
    void answerAgain(const Questions &questions);
    /// And of the other fields that are asked for.
    void startLoading(data::FieldIndex field);
    void answer(const FieldRequest &request);
    /// What every frame says of its evaluation, which has just ended.
    void sign(FieldFrame &frame, Clock::time_point begin, const data::EvaluationWork &work);
    /// What is visible of it; false if that is not known, or no gain.
    bool answerVisible(const FieldRequest &request);
    /// Waits a little; whether nothing newer came.
    bool handRests();
    /// False if a newer request came in between.
    bool evaluate(const FieldRequest &request, int groups, bool canBeGivenUp);
    int groupsWithinBudget(const FieldRequest &request) const;
    template <typename Change>
    void publish(Change change);
    bool isSuperseded() const
    {
        const std::lock_guard lock(m_mutex);
        return m_requests.contains(steered) || m_toOpen || m_toUse || m_stop.stop_requested();
    }

    FieldService &m_service;
    std::shared_ptr<const sparse::Backend> m_backend;

    mutable std::mutex m_mutex;
    std::condition_variable_any m_wake;
    std::optional<Opening> m_toOpen;                // under m_mutex
    std::shared_ptr<const sparse::Backend> m_toUse; // under m_mutex
    Questions m_requests;                           // under m_mutex
    Turns m_turns;                                  // under m_mutex
    bool m_hasLoadedMore = false;                   // under m_mutex
    Answers m_answers;                              // under m_mutex

    std::atomic<double> m_budgetSeconds = 0.008;
    std::stop_token m_stop;
    std::unique_ptr<data::StudyFields> m_fields;
    std::shared_ptr<const StudyFacts> m_facts;
    std::int64_t m_version = 0;
    Questions m_inexact;                       ///< answered, but not by the whole field
    Questions m_lastAsked;                     ///< of the open study
    double m_secondsPerValueAndRow = 5e-11;    ///< of late; at first a guess (80 GB/s)
    double m_secondsPerPartValueAndRow = 1e-9; ///< where only some values are wanted
    std::shared_ptr<const std::vector<std::uint32_t>> m_visible; ///< that m_columns are of
    std::vector<std::uint32_t> m_columns;
    std::uint64_t m_evaluations = 0;
    std::shared_ptr<FrameMemory> m_frameMemory = std::make_shared<FrameMemory>();
    std::vector<data::FieldIndex> m_loadingFields; ///< by m_loader, also if it is done
    std::jthread m_loader;                         ///< ends before m_fields
    std::jthread m_thread; ///< last: everything else is there when it begins
};

template <typename Change>
void FieldService::Worker::publish(Change change)
{
    const std::lock_guard lock(m_mutex);
    if (m_toOpen)
        return; // of a study that nobody wants any more
    const bool isFirst = m_answers == Answers{};
    change(m_answers);
    if (isFirst)
        QMetaObject::invokeMethod(
            &m_service, [service = &m_service] { service->deliver(); }, Qt::QueuedConnection);
}

void FieldService::Worker::work(const std::stop_token &stop)
{
    m_stop = stop;
    while (!stop.stop_requested()) {
        std::optional<Opening> opening;
        std::shared_ptr<const sparse::Backend> toUse;
        Questions requests;
        {
            std::unique_lock lock(m_mutex);
            m_wake.wait_for(lock, stop, m_fields ? followInterval : std::chrono::hours(1), [this] {
                return m_toOpen || m_toUse || !m_requests.empty() || m_hasLoadedMore;
            });
            opening = std::exchange(m_toOpen, {});
            toUse = std::exchange(m_toUse, {});
            if (auto next = m_turns.take(m_requests))
                requests.emplace(askerOf(*next), std::move(*next));
            else if (std::exchange(m_hasLoadedMore, false))
                requests = std::exchange(m_inexact, {});
        }
        if (stop.stop_requested())
            break;
        try {
            if (toUse)
                evaluateBy(toUse);
            if (opening)
                openStudy(opening->path);
            else if (requests.empty() && !toUse)
                follow();
            auto again = toUse ? m_lastAsked : Questions();
            for (const auto &[asker, request] : requests) {
                if (!m_fields)
                    break;
                again.erase(asker);
                answer(request);
            }
            answerAgain(again);
        } catch (const BackendError &problem) {
            publish([&](Answers &answers) { answers.backendProblem = sentenceOf(problem); });
        } catch (const std::exception &problem) {
            publish([&](Answers &answers) { answers.problem = sentenceOf(problem); });
        }
    }
    m_loader = {}; // stops and joins
}

void FieldService::Worker::openStudy(const std::optional<std::filesystem::path> &path)
{
    m_loader = {};
    m_loadingFields.clear();
    m_inexact = {};
    m_lastAsked = {};
    m_fields.reset();
    m_facts.reset();
    m_frameMemory = std::make_shared<FrameMemory>();
    if (!path)
        return;
    try {
        auto study = data::Study::open(*path);
        m_version = study.dataVersion();
        m_fields = std::make_unique<data::StudyFields>(std::move(study), m_backend);
        m_facts = factsOf(*m_fields);
        if (std::ranges::all_of(m_facts->missingPoints, [this](std::uint64_t missing) {
                return missing == m_facts->gridPoints;
            }))
            throw Error("the study has no coefficients yet: run its jobs and compress it");
        publish([&](Answers &answers) { answers.opened = m_facts; });
    } catch (const std::exception &problem) {
        m_fields.reset();
        m_facts.reset();
        publish([&](Answers &answers) { answers.openProblem = sentenceOf(problem); });
    }
}

void FieldService::Worker::follow()
{
    if (!m_fields || m_fields->study().dataVersion() == m_version)
        return;
    const auto asked = m_lastAsked;
    const auto path = m_facts->path;
    openStudy(path);
    answerAgain(asked);
}

void FieldService::Worker::answerAgain(const Questions &questions)
{
    for (const auto &[asker, last] : questions) {
        if (!m_fields || last.field >= m_fields->fields().size()
            || last.parameters.size() != m_facts->parameters.parameters().size())
            continue;
        auto again = last;
        again.asked = Clock::now();
        answer(again);
    }
}

void FieldService::Worker::evaluateBy(std::shared_ptr<const sparse::Backend> backend)
{
    m_backend = std::move(backend);
    if (m_fields)
        m_fields->setBackend(m_backend);
}

void FieldService::Worker::sign(FieldFrame &frame, Clock::time_point begin,
                                const data::EvaluationWork &work)
{
    frame.seconds = secondsSince(begin);
    frame.work = work;
    frame.backend = m_backend->name();
    frame.threads = m_backend->context().cpu().threads;
    frame.evaluations = ++m_evaluations;
}

void FieldService::Worker::startLoading(data::FieldIndex field)
{
    if (std::ranges::find(m_loadingFields, field) != m_loadingFields.end())
        return;
    m_loader = {};
    m_loadingFields.clear();
    std::vector<std::shared_ptr<data::FieldSurrogate>> surrogates;
    const auto add = [&](data::FieldIndex wanted) {
        if (std::ranges::find(m_loadingFields, wanted) != m_loadingFields.end())
            return;
        m_loadingFields.push_back(wanted);
        auto surrogate = m_fields->surrogate(wanted);
        if (surrogate && surrogate->loadedGroups() < m_facts->groups)
            surrogates.push_back(std::move(surrogate));
    };
    for (const auto part : m_fields->geometryFields().all()) // every frame needs them
        add(part);
    for (const auto &[asker, last] : m_lastAsked) // the steered one comes first
        add(last.field);
    if (surrogates.empty())
        return;
    m_loader = std::jthread([this, surrogates, path = m_facts->path,
                             groups = m_facts->groups](const std::stop_token &stop) {
        lowerPriority();
        try {
            const auto study = data::Study::open(path); // one for each thread
            for (const auto &surrogate : surrogates) {
                for (int group = 1; group <= groups && !stop.stop_requested(); ++group) {
                    surrogate->load(study, group, [&] { return stop.stop_requested(); });
                    const std::lock_guard lock(m_mutex);
                    m_hasLoadedMore = true;
                    m_wake.notify_all();
                }
            }
        } catch (const std::exception &) {
            // The study has changed meanwhile, or cannot be read: the other thread sees it, too,
            // and goes on without what is not loaded.
        }
    });
}

int FieldService::Worker::groupsWithinBudget(const FieldRequest &request) const
{
    const auto values = static_cast<double>(m_facts->fields[request.field].values());
    int groups = m_facts->groups;
    while (groups > 1
           && static_cast<double>(m_fields->rows(groups)) * values * m_secondsPerValueAndRow
                  > m_budgetSeconds)
        --groups;
    return groups;
}

bool FieldService::Worker::answerVisible(const FieldRequest &request)
{
    const auto surrogate = m_fields->surrogate(request.field);
    const auto &field = m_facts->fields.at(request.field);
    const auto rows = static_cast<double>(m_fields->rows(m_facts->groups));
    const auto loaded = surrogate ? surrogate->loadedGroups() : 0;
    const double wholeSeconds =
        rows * static_cast<double>(field.values()) * m_secondsPerValueAndRow;
    if (!request.isDragging || !request.visible || loaded == 0 || request.visible->empty()
        || request.visible->back() >= field.entities || 4 * wholeSeconds < m_budgetSeconds)
        return false;
    const auto begin = Clock::now();
    const auto components = static_cast<std::uint32_t>(field.components);
    if (m_visible != request.visible || m_columns.size() != components * m_visible->size()) {
        m_visible = request.visible;
        m_columns.clear();
        for (const auto entity : *m_visible)
            for (std::uint32_t c = 0; c < components; ++c)
                m_columns.push_back(entity * components + c);
    }
    const auto count = static_cast<double>(m_columns.size());
    int groups = loaded;
    while (groups > 1
           && static_cast<double>(m_fields->rows(groups)) * count * m_secondsPerPartValueAndRow
                  > m_budgetSeconds)
        --groups;
    auto part = std::make_shared<FieldFrame>();
    part->study = m_facts;
    part->request = request;
    part->isPart = true;
    part->groups = groups;
    part->isExact = groups == m_facts->groups;
    part->values.resize(m_columns.size());
    part->indicator.resize(m_columns.size());
    const auto work =
        surrogate->evaluateColumns(m_facts->parameters.toUnit(request.parameters), m_columns,
                                   {part->values, part->indicator}, m_backend, groups);
    sign(*part, begin, work);
    constexpr double ofNew = 0.3;
    m_secondsPerPartValueAndRow =
        (1 - ofNew) * m_secondsPerPartValueAndRow
        + ofNew * part->seconds / (static_cast<double>(m_fields->rows(groups)) * count);
    part->indicatorShare = data::indicatorShare(part->indicator, part->values);
    publish([&](Answers &answers) { answers.part = std::move(part); });
    return true;
}

bool FieldService::Worker::handRests()
{
    std::unique_lock lock(m_mutex);
    return !m_wake.wait_for(lock, m_stop, restInterval, [this] {
        return m_requests.contains(steered) || m_toOpen || m_toUse;
    }) && !m_stop.stop_requested();
}

void FieldService::Worker::answer(const FieldRequest &request)
{
    const auto asker = askerOf(request);
    m_lastAsked.insert_or_assign(asker, request);
    m_inexact.erase(asker);
    const int all = m_facts->groups;
    if (answerVisible(request)) {
        // What is not seen can wait; a field takes time also if it is given up halfway.
        m_inexact.insert_or_assign(asker, request);
        if (m_fields->surrogate(request.field)->loadedGroups() == all && handRests()
            && evaluate(request, all, true))
            m_inexact.erase(asker);
        return;
    }
    int groups = request.isDragging ? groupsWithinBudget(request) : all;
    const auto surrogate = m_fields->surrogate(request.field);
    if (surrogate) {
        startLoading(request.field);
        const auto fileBytes = static_cast<double>(m_fields->rows(all)) * sizeof(float)
                               * static_cast<double>(m_facts->fields[request.field].values());
        if (surrogate->loadedGroups() < groups && fileBytes > quickFileBytes)
            groups = std::max(1, surrogate->loadedGroups());
    }
    evaluate(request, groups, false);
    if (groups == all)
        return;
    m_inexact.insert_or_assign(asker, request); // for when more has been loaded
    if (surrogate && surrogate->loadedGroups() == all && evaluate(request, all, true))
        m_inexact.erase(asker);
}

bool FieldService::Worker::evaluate(const FieldRequest &request, int groups, bool canBeGivenUp)
{
    const auto begin = Clock::now();
    const auto count = static_cast<std::size_t>(m_facts->fields.at(request.field).values());
    auto frame = m_frameMemory->frame(count);
    frame->study = m_facts;
    frame->request = request;
    frame->groups = groups;
    frame->isExact = groups == m_facts->groups;
    const auto rows = static_cast<double>(m_fields->rows(groups));
    const auto surrogate = m_fields->surrogate(request.field);
    frame->coefficients = surrogate;
    const std::span values(frame->values), indicator(frame->indicator);
    data::EvaluationWork work;
    if (canBeGivenUp && surrogate && surrogate->loadedGroups() >= groups) {
        const auto x = m_facts->parameters.toUnit(request.parameters);
        const auto chunk =
            std::max<std::size_t>(4096, static_cast<std::size_t>(bytesAtATime / 4 / rows));
        for (std::size_t i = 0; i < count; i += chunk) {
            if (isSuperseded())
                return false;
            const auto length = std::min(chunk, count - i);
            const auto where = work.computedOn;
            work = surrogate->evaluate(x, {values.subspan(i, length), indicator.subspan(i, length)},
                                       m_backend, i, groups);
            work.computedOn |= where;
        }
        work.columns = count; // of all chunks
    } else {
        work = m_fields->evaluate(request.field, request.parameters, {values, indicator}, groups);
    }
    frame->geometry = m_fields->geometry(request.parameters, groups);
    sign(*frame, begin, work);
    if (surrogate && surrogate->loadedGroups() >= groups) {
        constexpr double ofNew = 0.3;
        m_secondsPerValueAndRow = (1 - ofNew) * m_secondsPerValueAndRow
                                  + ofNew * frame->seconds / (rows * static_cast<double>(count));
    }
    frame->indicatorShare = data::indicatorShare(indicator, values);
    publish([&](Answers &answers) { answers.frames[askerOf(request)] = std::move(frame); });
    return true;
}

FieldService::FieldService(std::shared_ptr<const sparse::Backend> backend, QObject *parent)
    : QObject(parent)
    , m_worker(std::make_unique<Worker>(*this, std::move(backend)))
{
}

FieldService::~FieldService() = default;

void FieldService::setBudget(std::chrono::duration<double> budget)
{
    m_worker->setBudget(budget.count());
}

void FieldService::setBackend(std::shared_ptr<const sparse::Backend> backend)
{
    m_worker->setBackend(std::move(backend));
}

void FieldService::open(const std::filesystem::path &path)
{
    m_worker->open(path);
}

void FieldService::close()
{
    m_worker->open(std::nullopt);
}

std::uint64_t FieldService::request(FieldRequest request)
{
    request.number = ++m_lastNumber;
    m_worker->request(std::move(request));
    return m_lastNumber;
}

void FieldService::deliver()
{
    const auto answers = m_worker->takeAnswers();
    if (!answers.openProblem.isEmpty())
        emit openFailed(answers.openProblem);
    if (answers.opened)
        emit opened(answers.opened);
    const auto whole = answers.frames.find(steered);
    const bool isPartNewer = answers.part && whole != answers.frames.end()
                             && answers.part->request.number > whole->second->request.number;
    if (answers.part && !isPartNewer)
        emit partReady(answers.part);
    for (const auto &[asker, frame] : answers.frames)
        emit frameReady(frame);
    if (isPartNewer)
        emit partReady(answers.part);
    if (!answers.problem.isEmpty())
        emit failed(answers.problem);
    if (!answers.backendProblem.isEmpty())
        emit backendFailed(answers.backendProblem);
}

} // namespace gridhelm::ui
