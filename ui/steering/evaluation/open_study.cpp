// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/steering/evaluation/open_study.h"

#include "data/evaluate/indicator_share.h"
#include "data/study/consistent_read.h"

#include <algorithm>
#include <string>
#include <utility>

namespace gridhelm::ui {
namespace {

/// What is read between two looks at `stop`.
constexpr double bytesAtATime = 3e7;
/// What a value of a whole field costs beside its evaluation, whoever evaluates: it is copied to
/// the scene and into the picture's mesh, its range is looked for.
constexpr double secondsToHandOver = 1e-8;
/// Fields are read from the file, rather than waited for, if that is quick.
constexpr double quickFileBytes = 3e7;

/// Runs bring the mesh and the fields.
data::Study withRuns(data::Study study)
{
    if (study.fields().empty()
        || (study.description().kind == data::StudyKind::vector && !study.meshHeader()))
        throw NothingToShow();
    return study;
}

} // namespace

NothingToShow::NothingToShow()
    : Error("the study has no coefficients yet: run its jobs and compress it")
{
}

/// All of it is of one moment, also if somebody refines the study just now.
struct OpenStudy::Opening
{
    data::Study study;
    std::int64_t version = study.dataVersion(); ///< or of a later one, which is read again then
    data::ConsistentRead together{study};
};

OpenStudy::OpenStudy(const std::filesystem::path &path,
                     std::shared_ptr<const sparse::Backend> backend, EvaluationPace &pace)
    : OpenStudy(Opening{data::Study::open(path)}, std::move(backend), pace)
{
}

OpenStudy::OpenStudy(Opening &&opening, std::shared_ptr<const sparse::Backend> backend,
                     EvaluationPace &pace)
    : m_backend(std::move(backend))
    , m_pace(pace)
    , m_version(opening.version)
    , m_fields(withRuns(std::move(opening.study)), m_backend)
    , m_facts(factsOf(m_fields))
{
    if (std::ranges::all_of(m_facts->missingPoints, [this](std::uint64_t missing) {
            return missing == m_facts->gridPoints;
        }))
        throw NothingToShow();
}

void OpenStudy::setBackend(std::shared_ptr<const sparse::Backend> backend)
{
    m_backend = std::move(backend);
    m_fields.setBackend(m_backend);
}

bool OpenStudy::knows(const FieldRequest &request) const
{
    return request.field < m_fields.fields().size()
           && request.parameters.size() == m_facts->parameters.parameters().size();
}

data::FieldPrefix OpenStudy::all(data::FieldIndex field) const
{
    const auto &modes = m_fields.modes(field);
    return {m_facts->groups, modes ? modes->modes() : 0};
}

data::FieldPrefix OpenStudy::affordable(data::FieldIndex field, data::FieldPrefix most,
                                        double values, const CombiningSpeed &speed) const
{
    if (most.modes > 0) { // of all levels, which cost no more
        const double fit = m_pace.budgetSeconds / speed.secondsFor(1, values);
        if (fit < static_cast<double>(most.modes))
            most.modes = std::max<std::uint64_t>(static_cast<std::uint64_t>(fit), 1);
        return most;
    }
    auto &groups = most.groups;
    while (groups > 1 && speed.secondsFor(rows(field, groups), values) > m_pace.budgetSeconds)
        --groups;
    return most;
}

data::FieldPrefix OpenStudy::withinBudget(const FieldRequest &request) const
{
    const auto values = static_cast<double>(m_facts->fields[request.field].values());
    return affordable(request.field, all(request.field), values, m_pace.whole);
}

data::FieldPrefix OpenStudy::atHand(const FieldRequest &request, const data::FieldPrefix &wanted)
{
    const auto fileBytes = rows(request.field, m_facts->groups) * sizeof(float)
                           * static_cast<double>(m_facts->fields[request.field].values());
    const auto there = surrogate(request.field);
    if (there->hasLoaded(wanted) || fileBytes <= quickFileBytes)
        return wanted;
    if (wanted.modes > 0)
        return {wanted.groups, std::max<std::uint64_t>(1, there->loadedRows())};
    return std::max(1, there->loadedGroups());
}

void OpenStudy::sign(FieldFrame &frame, Clock::time_point begin, const data::EvaluationWork &work)
{
    frame.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    frame.work = work;
    frame.backend = m_backend->name();
    frame.threads = m_backend->context().cpu().threads;
    frame.evaluations = ++m_pace.evaluations;
    const auto *band = m_facts->bandOf(frame.request.field);
    frame.indicatorShare = band && band->spread
                               ? data::rootMeanSquare(frame.indicator) / *band->spread
                               : data::indicatorShare(frame.indicator, frame.values);
}

bool OpenStudy::gainsFromPart(const FieldRequest &request)
{
    const auto &field = m_facts->fields.at(request.field);
    const auto loaded = surrogate(request.field);
    const auto values = static_cast<double>(field.values());
    const double wholeSeconds =
        m_pace.whole.secondsFor(rows(request.field, m_facts->groups), values)
        + secondsToHandOver * values;
    return request.isDragging && request.visible && loaded && loaded->hasLoaded({})
           && !request.visible->empty() && request.visible->back() < field.entities
           && 4 * wholeSeconds >= m_pace.budgetSeconds;
}

const std::vector<std::uint32_t> &OpenStudy::columnsOf(const FieldRequest &request)
{
    const auto components = static_cast<std::uint32_t>(m_facts->fields[request.field].components);
    if (m_visible != request.visible || m_columns.size() != components * m_visible->size()) {
        m_visible = request.visible;
        m_columns.clear();
        for (const auto entity : *m_visible)
            for (std::uint32_t c = 0; c < components; ++c)
                m_columns.push_back(entity * components + c);
    }
    return m_columns;
}

std::shared_ptr<FieldFrame> OpenStudy::part(const FieldRequest &request)
{
    const auto begin = Clock::now();
    const auto loaded = surrogate(request.field);
    const auto &columns = columnsOf(request);
    const auto count = static_cast<double>(columns.size());
    auto part = std::make_shared<FieldFrame>();
    part->study = m_facts;
    part->request = request;
    part->isPart = true;
    auto there = all(request.field);
    if (there.modes > 0)
        there.modes = std::min(there.modes, loaded->loadedRows());
    else
        there.groups = loaded->loadedGroups();
    const auto prefix = affordable(request.field, there, count, m_pace.part);
    part->groups = prefix.groups;
    part->isExact = prefix == all(request.field);
    part->values.resize(columns.size());
    part->indicator.resize(columns.size());
    const auto work =
        loaded->evaluateColumns(m_facts->parameters.toUnit(request.parameters), columns,
                                {part->values, part->indicator}, m_backend, prefix);
    sign(*part, begin, work);
    m_pace.part.learn(rowsOf(request.field, prefix), count, part->seconds);
    return part;
}

/// False if `stop` said so.
bool OpenStudy::evaluateInChunks(const FieldRequest &request, const data::FieldSurrogate &surrogate,
                                 const data::FieldPrefix &prefix, FieldFrame &frame,
                                 data::EvaluationWork &work,
                                 const std::function<bool()> &stop) const
{
    const std::span values(frame.values), indicator(frame.indicator);
    const auto x = m_facts->parameters.toUnit(request.parameters);
    const auto chunk = std::max<std::size_t>(
        4096, static_cast<std::size_t>(bytesAtATime / 4 / rowsOf(request.field, prefix)));
    for (std::size_t i = 0; i < values.size(); i += chunk) {
        if (stop())
            return false;
        const auto length = std::min(chunk, values.size() - i);
        const auto where = work.computedOn;
        work = surrogate.evaluate(x, {values.subspan(i, length), indicator.subspan(i, length)},
                                  m_backend, i, prefix);
        work.computedOn |= where;
    }
    work.columns = values.size(); // of all chunks
    return true;
}

std::shared_ptr<FieldFrame> OpenStudy::whole(const FieldRequest &request,
                                             const data::FieldPrefix &prefix,
                                             const std::function<bool()> &stop)
{
    const auto begin = Clock::now();
    const auto count = static_cast<std::size_t>(m_facts->fields.at(request.field).values());
    const auto loaded = surrogate(request.field);
    const bool isLoaded = loaded && loaded->hasLoaded(prefix);
    auto frame = m_memory->frame(count);
    frame->study = m_facts;
    frame->request = request;
    frame->groups = prefix.groups;
    frame->isExact = prefix == all(request.field);
    frame->coefficients = loaded;
    data::EvaluationWork work;
    if (!stop || !isLoaded)
        work = m_fields.evaluate(request.field, request.parameters,
                                 {frame->values, frame->indicator}, prefix);
    else if (!evaluateInChunks(request, *loaded, prefix, *frame, work, stop))
        return nullptr;
    frame->geometry = m_fields.geometry(request.parameters, prefix.groups);
    sign(*frame, begin, work);
    if (isLoaded)
        m_pace.whole.learn(rowsOf(request.field, prefix), static_cast<double>(count),
                           frame->seconds);
    return frame;
}

std::shared_ptr<FieldFrame> OpenStudy::result(const FieldRequest &request)
{
    const auto begin = Clock::now();
    const auto &study = m_fields.study();
    const auto job = study.job(request.job);
    const auto name = "job " + std::to_string(request.job);
    if (study.description().kind == data::StudyKind::scalar)
        throw Error("the result of " + name
                    + " cannot be shown: a scalar study keeps its values at points of the grid "
                      "alone, not on a mesh");
    const auto grid = study.grid();
    const auto point = std::ranges::find_if(job.points, [&](std::uint64_t one) {
        return study.description().space.valuesAt(*grid, one) == request.parameters;
    });
    const auto read = [&](data::FieldIndex field, std::vector<float> &into) {
        into.resize(m_fields.fields().at(field).values());
        if (point == job.points.end() || !study.readSnapshot(*point, field, into))
            throw Error("the study has no result of " + name
                        + " (any more): snapshots can be dropped once they are compressed. Run "
                          "the job in another study to see it");
    };
    auto frame = m_memory->frame(m_facts->fields.at(request.field).values());
    read(request.field, frame->values);
    std::ranges::fill(frame->indicator, 0.F);
    const auto &geometry = m_fields.geometryFields();
    if (geometry.displacement)
        read(*geometry.displacement, frame->geometry.displacement);
    if (geometry.distance)
        read(*geometry.distance, frame->geometry.distance);
    frame->study = m_facts;
    frame->request = request;
    frame->groups = m_facts->groups;
    frame->coefficients = surrogate(request.field); // for what is asked beside the picture
    frame->evaluations = m_pace.evaluations;        // it is none
    frame->seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    frame->backend = m_backend->name();
    frame->threads = m_backend->context().cpu().threads;
    return frame;
}

} // namespace gridhelm::ui
