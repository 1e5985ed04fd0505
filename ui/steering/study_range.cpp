// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/steering/study_range.h"

#include "ui/machine/background_thread.h"
#include "ui/scene/colour/shown_values.h"

#include <QMetaObject>

#include <algorithm>
#include <chrono>
#include <exception>
#include <functional>
#include <mutex>
#include <set>
#include <utility>

namespace gridhelm::ui {
namespace {

constexpr auto betweenNews = std::chrono::milliseconds(200);
/// The search takes the machine from what the user does: of a very large study the coarse points
/// have to do.
constexpr auto longest = std::chrono::seconds(5);

using Tell = std::function<void(const std::optional<ValueRange> &range, double share)>;

void search(const StudyFacts &study, const std::shared_ptr<const sparse::Backend> &backend,
            data::FieldIndex field, Component component, Scale scale, const std::stop_token &stop,
            const Tell &tell)
{
    data::StudyFields fields(data::Study::open(study.path), backend);
    const auto &of = study.fields.at(field);
    const auto grid = fields.study().grid();
    const auto &space = fields.study().description().space;
    std::vector<float> values(of.values()), shown(of.entities);
    std::optional<ValueRange> range;
    const bool isScalar = study.kind == data::StudyKind::scalar;
    std::set<std::vector<double>> seen; // of a scalar study, whose places in space are points, too
    const auto began = std::chrono::steady_clock::now();
    auto told = began;
    const auto runs = fields.study().trainingRuns(field);
    // A study of scattered runs has a grid of one point, where nothing was run.
    const bool isGrid = fields.study().description().design == data::StudyDesign::grid;
    const auto points = isGrid ? grid->points() : 0;
    const auto all = runs.size() + points;
    const auto add = [&](std::uint64_t done) {
        showComponent(of, component, values, shown);
        range = united(range, rangeOf(shown, scale));
        const auto now = std::chrono::steady_clock::now();
        if (now - told > betweenNews) {
            told = now;
            tell(range, static_cast<double>(done) / static_cast<double>(all));
        }
        return now - began <= longest && !stop.stop_requested();
    };
    bool goesOn = true;
    for (std::size_t i = 0; i < runs.size() && goesOn; ++i)
        if (fields.study().readHoldOut(runs[i].id, field, values))
            goesOn = add(i);
    for (std::uint64_t point = 0; point < points && goesOn; ++point) {
        auto at = space.valuesAt(*grid, point);
        for (auto t = space.parameters().size(); t-- > 0;) {
            if (space[t].kind == ParameterKind::spatial)
                at.erase(at.begin() + static_cast<std::ptrdiff_t>(t));
        }
        if (isScalar && !seen.insert(at).second)
            continue;
        fields.evaluate(field, at, {values});
        goesOn = add(runs.size() + point);
    }
    if (stop.stop_requested())
        return;
    tell(range, 1);
}

} // namespace

struct StudyRange::Listener
{
    std::mutex mutex;
    StudyRange *range; ///< null when nobody listens any more
};

StudyRange::StudyRange(std::shared_ptr<const sparse::Backend> backend, QObject *parent)
    : QObject(parent)
    , m_backend(std::move(backend))
{
}

StudyRange::~StudyRange()
{
    end();
}

/// The search, of which nothing is heard from now on.
void StudyRange::end()
{
    if (m_listener) {
        const std::lock_guard lock(m_listener->mutex);
        m_listener->range = nullptr;
    }
    m_search.reset();
    m_isFinal = false;
}

void StudyRange::follow(const std::shared_ptr<const StudyFacts> &study, const Look &look)
{
    if (look.rangeMode == RangeMode::study && look.shown == Shown::field)
        find(study, look.field, look.view.component, look.view.scale);
    else
        leave(study);
}

void StudyRange::leave(const std::shared_ptr<const StudyFacts> &study)
{
    if (m_isFinal && study == m_study)
        return;
    end();
    m_study.reset();
}

void StudyRange::find(std::shared_ptr<const StudyFacts> study, data::FieldIndex field,
                      Component component, Scale scale)
{
    if (study == m_study && field == m_field && component == m_component && scale == m_scale)
        return;
    m_study = study;
    m_field = field;
    m_component = component;
    m_scale = scale;
    begin();
}

void StudyRange::setBackend(std::shared_ptr<const sparse::Backend> backend)
{
    m_backend = std::move(backend);
    if (m_search && !m_isFinal)
        begin();
}

/// Of what is followed.
void StudyRange::begin()
{
    end();
    m_listener = std::make_shared<Listener>();
    m_listener->range = this;
    const Tell tell = [listener = m_listener,
                       scale = m_scale](const std::optional<ValueRange> &range, double share) {
        const std::lock_guard lock(listener->mutex);
        if (!listener->range)
            return;
        QMetaObject::invokeMethod(
            listener->range,
            [listener, range, scale, share] {
                if (!listener->range) // which this thread alone changes
                    return;
                listener->range->m_isFinal = share >= 1;
                if (range)
                    emit listener->range->found(roundedOutward(*range, scale), share);
            },
            Qt::QueuedConnection);
    };
    m_search = std::make_unique<BackgroundThread>([tell, study = m_study, backend = m_backend,
                                                   field = m_field, component = m_component,
                                                   scale = m_scale](const std::stop_token &stop) {
        try {
            search(*study, backend, field, component, scale, stop, tell);
        } catch (const std::exception &) {
            // The service that evaluates the study says what is wrong with it.
            tell(std::nullopt, 1);
        }
    });
}

} // namespace gridhelm::ui
