// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/steering/study_range.h"

#include "ui/scene/shown_values.h"

#include <QMetaObject>

#include <algorithm>
#include <chrono>
#include <exception>

namespace gridhelm::ui {
namespace {

constexpr auto betweenNews = std::chrono::milliseconds(200);

} // namespace

StudyRange::StudyRange(std::shared_ptr<const sparse::Backend> backend, QObject *parent)
    : QObject(parent)
    , m_backend(std::move(backend))
{
}

StudyRange::~StudyRange() = default;

void StudyRange::find(std::shared_ptr<const StudyFacts> study, data::FieldIndex field,
                      Component component, Scale scale)
{
    if (study == m_study && field == m_field && component == m_component && scale == m_scale)
        return;
    m_study = study;
    m_field = field;
    m_component = component;
    m_scale = scale;
    const int question = ++m_question;
    m_thread = {}; // stops the other one, and waits for one of its evaluations
    m_thread = std::jthread([=, this](const std::stop_token &stop) {
        try {
            data::StudyFields fields(data::Study::open(study->path), m_backend, 1);
            const auto &of = study->fields.at(field);
            const auto grid = fields.study().grid();
            const auto &space = fields.study().description().space;
            std::vector<float> values(of.values()), shown(of.entities);
            std::optional<ValueRange> range;
            std::vector<double> last;
            auto told = std::chrono::steady_clock::now();
            for (std::uint64_t point = 0; point < grid->points(); ++point) {
                if (stop.stop_requested())
                    return;
                auto at = space.valuesAt(*grid, point);
                for (auto t = space.parameters().size(); t-- > 0;) {
                    if (space[t].kind == ParameterKind::spatial)
                        at.erase(at.begin() + static_cast<std::ptrdiff_t>(t));
                }
                if (at == last)
                    continue; // another place in space, of the same field
                last = at;
                fields.evaluate(field, at, {values});
                showComponent(of, component, values, shown);
                range = united(range, rangeOf(shown, scale));
                if (const auto now = std::chrono::steady_clock::now(); now - told > betweenNews) {
                    told = now;
                    const double share =
                        static_cast<double>(point) / static_cast<double>(grid->points());
                    QMetaObject::invokeMethod(this, [=, this] { say(question, range, share); });
                }
            }
            QMetaObject::invokeMethod(this, [=, this] { say(question, range, 1); });
        } catch (const std::exception &) {
            // The service that evaluates the study says what is wrong with it.
        }
    });
}

void StudyRange::say(int question, std::optional<ValueRange> range, double share)
{
    if (question == m_question && range)
        emit found(roundedOutward(*range, m_scale), share);
}

} // namespace gridhelm::ui
