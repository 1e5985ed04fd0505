// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trust/indicator_tint.h"

#include "core/support/error.h"
#include "data/evaluate/indicator_share.h"
#include "data/evaluate/sample_scalar.h"
#include "ui/machine/lower_priority.h"
#include "ui/machine/problem_sentence.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>

namespace gridhelm::ui {
namespace {

constexpr int restMilliseconds = 150;
/// Until the coefficients that are being read are looked for again.
constexpr auto loadInterval = std::chrono::milliseconds(100);
/// Numbers that are read for all tracks: about a second.
constexpr double maxReads = 3e8;
constexpr std::uint64_t minEntities = 256, maxEntities = 4096;

enum Command { evaluateByAnother, forgetStudy };
constexpr LatestRequestWorker::Requester hand;
constexpr LatestRequestWorker::Topic problemTopic{1, 0}, bandTopic{2, 0};

struct Question
{
    std::shared_ptr<const StudyFacts> study;
    std::vector<double> parameters;
    data::FieldIndex field = 0;
    /// Weak: nobody wants them to stay in memory for this.
    std::weak_ptr<const data::FieldSurrogate> coefficients;
    bool isInMemory = false; ///< or will be: coefficients was given
};

/// So many that all tracks together do not take long.
std::uint64_t entitiesFor(const Question &question, const data::FieldSurrogate &coefficients)
{
    const auto &space = question.study->parameters;
    double states = 0;
    for (const auto &parameter : space.parameters())
        states += static_cast<double>(tintedValues(parameter).size());
    const auto &surrogate = coefficients.surrogate();
    const auto rows = surrogate.activeRows(surrogate.groups());
    const double reads = static_cast<double>(rows) * coefficients.field().components * states;
    return std::clamp(static_cast<std::uint64_t>(maxReads / std::max(reads, 1.0)), minEntities,
                      maxEntities);
}

constexpr const char *withoutMemory =
    "There is not enough memory to tint the tracks; close other programs";

} // namespace

/// What the worker's thread does.
class IndicatorTint::Tinting
{
public:
    Tinting(IndicatorTint &tint, std::shared_ptr<const sparse::Backend> backend)
        : m_tint(tint)
        , m_backend(std::move(backend))
    {
    }

    void answer(const Question &question)
    {
        try {
            tint(question);
        } catch (const std::exception &problem) {
            worker().deliver(problemTopic,
                             [&to = m_tint, sentence = sentenceOf(problem, withoutMemory)] {
                                 emit to.failed(sentence);
                             });
        }
    }

    void evaluateBy(std::shared_ptr<const sparse::Backend> backend)
    {
        m_scalar = {};
        m_backend = std::move(backend);
    }

    void forget() { m_scalar = {}; }

private:
    LatestRequestWorker &worker() { return m_tint.m_worker; }

    /// False if nobody wants them any more.
    bool waitUntilLoaded(const Question &question)
    {
        for (;;) {
            if (const auto coefficients = question.coefficients.lock(); !coefficients)
                return false;
            else if (coefficients->loadedGroups() == coefficients->surrogate().groups())
                return true;
            if (worker().waitForNews(hand, loadInterval))
                return false;
        }
    }

    void tint(const Question &question)
    {
        if (question.isInMemory && !waitUntilLoaded(question))
            return;
        const auto shares = sharesOf(question);
        if (!shares)
            return;
        judge(question, *shares);
        const auto &space = question.study->parameters;
        for (std::size_t t = 0; t < space.parameters().size(); ++t) {
            auto tint = std::make_shared<TrackTint>();
            tint->study = question.study;
            tint->field = question.field;
            tint->parameter = t;
            tint->parameters = question.parameters;
            tint->at = tintedValues(space[t]);
            const auto norms = shares->along(t, tint->at, question.parameters,
                                             [this] { return worker().hasNews(hand); });
            tint->entities = shares->entities();
            if (norms.empty())
                return;
            measure(*tint, norms);
            worker().deliver({0, t}, [&to = m_tint, tint] { emit to.found(tint); });
        }
    }

    static void measure(TrackTint &tint, const std::vector<data::FieldNorms> &norms)
    {
        if (const auto *band = tint.study->bandOf(tint.field))
            tint.band = band->band;
        for (const auto &at : norms) {
            tint.shares.push_back(at.share());
            if (tint.band)
                tint.errors.push_back(data::relativeBand(*tint.band, at.indicator, at.values));
        }
    }

    void judge(const Question &question, const data::IndicatorShares &shares)
    {
        const auto *band = question.study->bandOf(question.field);
        if (!band)
            return;
        const auto norms = shares.at(question.parameters);
        auto found = std::make_shared<const BandAtState>(
            BandAtState{question.study, question.field, question.parameters,
                        data::bandHere(*band, norms.indicator, norms.values)});
        worker().deliver(bandTopic, [&to = m_tint, found] { emit to.bandFound(found); });
    }

    std::unique_ptr<data::IndicatorShares> sharesOf(const Question &question)
    {
        if (question.isInMemory) {
            const auto coefficients = question.coefficients.lock();
            if (!coefficients)
                return nullptr;
            return std::make_unique<data::IndicatorShares>(coefficients, question.study->parameters,
                                                           entitiesFor(question, *coefficients),
                                                           m_backend);
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
            m_scalar.surrogate, data::scalarImageMesh(study, 0), maxEntities);
    }

    struct LoadedScalar
    {
        std::shared_ptr<const StudyFacts> study;
        data::FieldIndex field = 0;
        std::shared_ptr<const data::ScalarSurrogate> surrogate;
    };

    IndicatorTint &m_tint;
    std::shared_ptr<const sparse::Backend> m_backend;
    LoadedScalar m_scalar; ///< which the back end must outlive
};

IndicatorTint::IndicatorTint(SteeringModel &model, std::shared_ptr<const sparse::Backend> backend,
                             QObject *parent)
    : QObject(parent)
    , m_model(model)
    , m_tinting(std::make_unique<Tinting>(*this, std::move(backend)))
    , m_worker([] { lowerPriority(); })
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
        m_worker.startOver();
    });
}

IndicatorTint::~IndicatorTint() = default;

void IndicatorTint::setBackend(std::shared_ptr<const sparse::Backend> backend)
{
    m_worker.command(evaluateByAnother,
                     [this, backend = std::move(backend)] { m_tinting->evaluateBy(backend); });
}

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
    m_worker.startOver(); // what was found before is of another state
    m_worker.request(
        hand, [this, question = Question{m_model.study(), now.parameters, now.field, m_coefficients,
                                         m_isInMemory}] { m_tinting->answer(question); });
}

void IndicatorTint::clear()
{
    m_rest.stop();
    m_worker.startOver();
    m_worker.command(forgetStudy, [this] { m_tinting->forget(); });
}

} // namespace gridhelm::ui
