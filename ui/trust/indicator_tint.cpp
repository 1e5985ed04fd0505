// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trust/indicator_tint.h"

#include "core/support/error.h"
#include "data/evaluate/indicator_share.h"
#include "data/evaluate/sample_scalar.h"
#include "ui/machine/lower_priority.h"

#include <QMetaObject>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <new>
#include <optional>
#include <thread>
#include <utility>

namespace gridhelm::ui {
namespace {

constexpr int restMilliseconds = 150;
/// Until the coefficients that are being read are looked for again.
constexpr auto loadInterval = std::chrono::milliseconds(100);
/// Numbers that are read for all tracks: about a second.
constexpr double mostReads = 3e8;
constexpr std::uint64_t fewestEntities = 256, mostEntities = 4096;

struct Question
{
    std::shared_ptr<const StudyFacts> study;
    std::vector<double> parameters;
    data::FieldIndex field = 0;
    /// Weak: nobody wants them to stay in memory for this.
    std::weak_ptr<const data::FieldSurrogate> coefficients;
    bool isInMemory = false; ///< or will be: coefficients was given
    std::uint64_t number = 0;
};

/// So many that all tracks together do not take long.
std::uint64_t entitiesFor(const Question &question, const data::FieldSurrogate &coefficients)
{
    const auto &space = question.study->parameters;
    double states = 0;
    for (const auto &parameter : space.parameters())
        states += static_cast<double>(tintedValues(parameter).size());
    const auto rows = coefficients.grid().blocks(); // one of each contributes, mostly
    const double reads = static_cast<double>(rows) * coefficients.field().components * states;
    return std::clamp(static_cast<std::uint64_t>(mostReads / std::max(reads, 1.0)), fewestEntities,
                      mostEntities);
}

QString sentenceOf(const std::exception &problem)
{
    if (dynamic_cast<const std::bad_alloc *>(&problem))
        return "There is not enough memory to tint the tracks; close other programs";
    return QString::fromStdString(problem.what());
}

} // namespace

class IndicatorTint::Worker
{
public:
    Worker(IndicatorTint &tint, std::shared_ptr<const sparse::Backend> backend)
        : m_tint(tint)
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

    void ask(Question question)
    {
        const std::lock_guard lock(m_mutex);
        m_question = std::move(question);
        m_isWanted = true;
        m_wake.notify_all();
    }

    /// Stops at once what is being evaluated.
    void stop()
    {
        const std::lock_guard lock(m_mutex);
        m_question.reset();
        m_isWanted = false;
        m_wake.notify_all();
    }

    void forget()
    {
        const std::lock_guard lock(m_mutex);
        m_question.reset();
        m_isWanted = false;
        m_isForgotten = true;
        m_wake.notify_all();
    }

private:
    // In m_thread.

    void work(const std::stop_token &stop)
    {
        lowerPriority();
        while (!stop.stop_requested()) {
            Question question;
            {
                std::unique_lock lock(m_mutex);
                m_wake.wait(lock, stop, [&] { return m_question || m_isForgotten; });
                if (std::exchange(m_isForgotten, false))
                    m_scalar = {};
                if (!m_question)
                    continue;
                question = *std::exchange(m_question, {});
            }
            try {
                answer(question, stop);
            } catch (const std::exception &problem) {
                publish(question.number, nullptr, sentenceOf(problem));
            }
        }
        m_scalar = {};
    }

    bool isUnwanted(const std::stop_token &stop)
    {
        const std::lock_guard lock(m_mutex);
        return !m_isWanted || m_question || stop.stop_requested();
    }

    /// False if nobody wants them any more.
    bool waitUntilLoaded(const Question &question, const std::stop_token &stop)
    {
        for (;;) {
            if (const auto coefficients = question.coefficients.lock(); !coefficients)
                return false;
            else if (coefficients->loadedGroups() == coefficients->grid().groups())
                return true;
            std::unique_lock lock(m_mutex);
            if (m_wake.wait_for(lock, stop, loadInterval,
                                [this] { return !m_isWanted || m_question; })
                || stop.stop_requested())
                return false;
        }
    }

    void answer(const Question &question, const std::stop_token &stop)
    {
        if (question.isInMemory && !waitUntilLoaded(question, stop))
            return;
        const auto shares = sharesOf(question);
        if (!shares)
            return;
        const auto &space = question.study->parameters;
        for (std::size_t t = 0; t < space.parameters().size(); ++t) {
            auto tint = std::make_shared<TrackTint>();
            tint->study = question.study;
            tint->field = question.field;
            tint->parameter = t;
            tint->parameters = question.parameters;
            tint->at = tintedValues(space[t]);
            tint->shares =
                shares->along(t, tint->at, question.parameters, [&] { return isUnwanted(stop); });
            tint->entities = shares->entities();
            if (tint->shares.empty())
                return;
            publish(question.number, std::move(tint), {});
        }
    }

    std::unique_ptr<data::IndicatorShares> sharesOf(const Question &question)
    {
        if (question.isInMemory) {
            const auto coefficients = question.coefficients.lock();
            if (!coefficients)
                return nullptr;
            return std::make_unique<data::IndicatorShares>(coefficients, question.study->parameters,
                                                           entitiesFor(question, *coefficients));
        }
        const auto study = data::Study::open(question.study->path);
        if (study.description().kind == data::StudyKind::vector)
            throw Error("the field does not fit into this machine's memory");
        if (m_scalar.study != question.study || m_scalar.field != question.field) {
            m_scalar = {};
            m_scalar = {question.study, question.field,
                        std::make_shared<data::ScalarSurrogate>(study, question.field, *m_backend)};
        }
        return std::make_unique<data::IndicatorShares>(
            m_scalar.surrogate, data::scalarImageMesh(study, 0), mostEntities);
    }

    void publish(std::uint64_t number, std::shared_ptr<const TrackTint> tint,
                 const QString &problem)
    {
        QMetaObject::invokeMethod(
            &m_tint,
            [=, tint = std::move(tint), &receiver = m_tint] {
                receiver.deliver(number, tint, problem);
            },
            Qt::QueuedConnection);
    }

    struct LoadedScalar
    {
        std::shared_ptr<const StudyFacts> study;
        data::FieldIndex field = 0;
        std::shared_ptr<const data::ScalarSurrogate> surrogate;
    };

    IndicatorTint &m_tint;
    std::shared_ptr<const sparse::Backend> m_backend;
    LoadedScalar m_scalar;

    std::mutex m_mutex;
    std::condition_variable_any m_wake;
    std::optional<Question> m_question; // under m_mutex
    bool m_isWanted = false;            // under m_mutex: what was asked last
    bool m_isForgotten = false;         // under m_mutex

    std::jthread m_thread; ///< last: everything else is there when it begins
};

IndicatorTint::IndicatorTint(SteeringModel &model, std::shared_ptr<const sparse::Backend> backend,
                             QObject *parent)
    : QObject(parent)
    , m_model(model)
    , m_worker(std::make_unique<Worker>(*this, std::move(backend)))
{
    m_rest.setSingleShot(true);
    m_rest.setInterval(restMilliseconds);
    connect(&m_rest, &QTimer::timeout, this, &IndicatorTint::ask);
    connect(&model, &SteeringModel::studyChanged, this, &IndicatorTint::clear);
    connect(&model, &SteeringModel::changed, this, [this](const Steering &before) {
        const auto &now = m_model.now();
        if (now.parameters == before.parameters && now.field == before.field && !m_model.isMoving())
            return;
        m_rest.stop();
        ++m_number;
        m_worker->stop();
    });
}

IndicatorTint::~IndicatorTint() = default;

void IndicatorTint::setFrame(const std::shared_ptr<const FieldFrame> &frame)
{
    const auto &of = frame->request;
    const auto &now = m_model.now();
    if (of.side != Side::steered || !frame->isExact || of.isDragging || m_model.isMoving()
        || frame->study != m_model.study() || of.field != now.field
        || of.parameters != now.parameters)
        return;
    m_isInMemory = frame->coefficients != nullptr;
    m_coefficients = frame->coefficients;
    m_rest.start();
}

void IndicatorTint::ask()
{
    if (m_model.isMoving())
        return; // a frame will come when it has ended
    const auto &now = m_model.now();
    m_worker->ask(
        {m_model.study(), now.parameters, now.field, m_coefficients, m_isInMemory, ++m_number});
}

void IndicatorTint::clear()
{
    m_rest.stop();
    ++m_number;
    m_worker->forget();
}

void IndicatorTint::deliver(std::uint64_t number, std::shared_ptr<const TrackTint> tint,
                            const QString &problem)
{
    if (number != m_number)
        return;
    if (tint)
        emit found(std::move(tint));
    else
        emit failed(problem);
}

} // namespace gridhelm::ui
