// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/probe/place_evaluator.h"

#include "core/sparse/nearest_point.h"
#include "data/evaluate/indicator_share.h"
#include "data/mesh/mesh_codec.h"
#include "ui/scene/colour/shown_values.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

namespace gridhelm::ui {
namespace {

// Between two neighbouring points of the finest level the surrogate is linear: values there draw
// all of a curve. Magnitudes of vectors are not, so that there are never too few.
constexpr std::size_t minSteps = 64, maxSteps = 256;
constexpr std::size_t mapSteps = 64, normMapSteps = 32;
/// Of a field, for its norm; fewer if their grids would take long.
constexpr std::uint64_t minNormPlaces = 64, maxNormPlaces = 256;
constexpr double maxNormNumbers = 4e6;
constexpr std::size_t lineSteps = 200;
constexpr std::size_t maxSampled = 4000; ///< dots in a map; more are grey

/// The value of one parameter at places in [0, 1], evenly from end to end.
std::vector<double> evenValues(const ParameterSpace &space, std::size_t t, std::size_t steps)
{
    std::vector<double> x(space.parameters().size(), 0.5), values;
    for (std::size_t i = 0; i <= steps; ++i) {
        x[t] = static_cast<double>(i) / static_cast<double>(steps);
        values.push_back(space.fromUnit(x)[t]);
    }
    return values;
}

/// Dimension of the study's grid that belongs to a parameter (directions in space are none).
std::size_t gridDimension(const ParameterSpace &whole, std::size_t t)
{
    std::size_t dimension = 0;
    for (;; ++dimension) {
        if (whole[dimension].kind == ParameterKind::spatial)
            continue;
        if (t-- == 0)
            return dimension;
    }
}

/// The grid's points, seen along all other dimensions.
std::vector<std::array<double, 2>> placesIn(const sparse::SparseGrid &grid, std::size_t first,
                                            std::size_t second)
{
    std::set<std::pair<int, int>> seen;
    std::vector<std::array<double, 2>> places;
    const auto t = static_cast<int>(first), u = static_cast<int>(second);
    for (std::size_t block = 0; block < grid.blocks(); ++block) {
        const auto levels = grid.levelVector(block);
        if (!seen.emplace(levels[first], levels[second]).second)
            continue;
        const auto n = sparse::pointsOfLevel(grid.treatment(t), levels[first]);
        const auto m = sparse::pointsOfLevel(grid.treatment(u), levels[second]);
        if (places.size() + n * m > maxSampled)
            continue;
        for (std::uint32_t i = 0; i < n; ++i)
            for (std::uint32_t j = 0; j < m; ++j)
                places.push_back({sparse::pointCoordinate(grid.treatment(t), levels[first], i),
                                  sparse::pointCoordinate(grid.treatment(u), levels[second], j)});
    }
    return places;
}

} // namespace

PlaceEvaluator::PlaceEvaluator(std::shared_ptr<const StudyFacts> study,
                               std::shared_ptr<const sparse::Backend> backend)
    : m_study(std::move(study))
    , m_fields(data::Study::open(m_study->path), std::move(backend))
{
}

vtkDataSet &PlaceEvaluator::mesh()
{
    if (!m_mesh)
        m_mesh = data::decodeMesh(*m_study->mesh);
    return *m_mesh;
}

void PlaceEvaluator::moveNodes(std::span<const float> displacement)
{
    if (!m_nodes)
        m_nodes = std::make_unique<data::MovingNodes>(mesh());
    m_nodes->move(displacement);
    m_finder.reset(); // it knows where they were
}

/// On a mesh that moves, a place is that of a node (or cell) in the state in which it was clicked,
/// and goes with it.
void PlaceEvaluator::goTo(const ProbeQuestion &question)
{
    const auto &place = *question.place;
    if (m_place == place)
        return;
    m_place.reset();
    m_places.clear();
    mesh();
    if (m_fields.geometryFields().displacement) {
        const auto &frame = question.frame;
        const bool isKnown = frame && frame->study == m_study
                             && frame->request.parameters == question.parameters
                             && !frame->geometry.displacement.empty();
        moveNodes(isKnown ? frame->geometry.displacement
                          : m_fields.geometry(question.parameters).displacement);
    }
    if (!m_finder)
        m_finder = std::make_unique<data::EntityFinder>(m_mesh);
    std::array<std::optional<data::MeshEntity>, 2> found;
    for (const auto &field : m_study->fields) {
        auto &entity = found[field.association == data::Association::point ? 0 : 1];
        if (!entity)
            entity = m_finder->near(place, field.association);
        m_places.push_back({*entity, nullptr});
    }
    const auto &cell = found[1];
    m_cellEdges = cell ? data::cellEdges(*m_mesh, cell->number) : std::vector<data::MeshEdge>();
    m_place = place;
}

bool PlaceEvaluator::read(data::FieldIndex field, const data::FieldSurrogate *loaded,
                          const std::function<bool()> &stop)
{
    auto &place = m_places.at(field);
    if (!place.surrogate)
        place.surrogate = m_fields.entity(field, place.entity.number, loaded, stop);
    return place.surrogate != nullptr;
}

bool PlaceEvaluator::readAnotherField(const std::function<bool()> &stop)
{
    for (data::FieldIndex field = 0; field < m_places.size(); ++field) {
        if (!m_places[field].surrogate)
            return read(field, nullptr, stop);
    }
    return false;
}

std::shared_ptr<ProbeAnswer> PlaceEvaluator::answer(const ProbeQuestion &question,
                                                    const std::function<bool()> &stop)
{
    auto answer = std::make_shared<ProbeAnswer>();
    answer->question = question;
    const auto &frame = question.frame;
    const bool isOfFrame =
        frame && frame->study == m_study && frame->request.field == question.field;
    const auto *loaded = isOfFrame ? frame->coefficients.get() : nullptr;
    if (question.place) {
        goTo(question);
        const auto distance = m_fields.geometryFields().distance;
        if (!read(question.field, loaded, stop) || (distance && !read(*distance, nullptr, stop)))
            return nullptr;
        answerPlace(question, *answer);
    }
    if (question.map && question.mapOf == MapOf::norm) {
        if (const auto *places = normPlaces(question, loaded, stop)) {
            answer->map = mapOf(question, normMapSteps,
                                [&](const auto &axes) { return norms(question, *places, axes); });
            answer->map->of = MapOf::norm;
            answer->map->entities = places->entities.size();
        }
    }
    if (question.line && question.frame && question.frame->study == m_study
        && question.frame->request.field == question.field)
        answer->line = profileOf(question);
    return answer;
}

void PlaceEvaluator::answerPlace(const ProbeQuestion &question, ProbeAnswer &answer) const
{
    std::vector<std::vector<double>> here;
    for (const double value : question.parameters)
        here.push_back({value});
    const auto distance = m_fields.geometryFields().distance;
    const auto *isBody = distance ? &m_places.at(*distance) : nullptr;
    for (const auto &place : m_places) {
        answer.fields.emplace_back();
        if (!place.surrogate)
            continue;
        std::vector<float> values(static_cast<std::size_t>(place.surrogate->components()));
        place.surrogate->evaluate(here, values);
        if (&place != isBody)
            cutHoles(here, values, values.size());
        answer.fields.back() = ProbedField{place.entity, std::move(values)};
    }
    if (m_study->fields.at(question.field).association == data::Association::cell)
        answer.cellEdges = m_cellEdges;
    answer.value = shownValues(question, here).front();
    for (std::size_t t = 0; t < here.size(); ++t) {
        auto axes = here;
        axes[t] = valuesAlong(t);
        answer.curves.push_back({axes[t], shownValues(question, axes)});
    }
    if (question.map && question.mapOf == MapOf::place)
        answer.map = mapOf(question, mapSteps,
                           [&](const auto &axes) { return shownValues(question, axes); });
}

std::vector<float> PlaceEvaluator::shownValues(const ProbeQuestion &question,
                                               const std::vector<std::vector<double>> &axes) const
{
    auto shown = shownValues(question, *m_places.at(question.field).surrogate, axes);
    if (m_fields.geometryFields().distance != question.field)
        cutHoles(axes, shown, 1);
    return shown;
}

void PlaceEvaluator::cutHoles(const std::vector<std::vector<double>> &axes, std::span<float> values,
                              std::size_t components) const
{
    const auto field = m_fields.geometryFields().distance;
    if (!field)
        return;
    std::vector<float> distance(values.size() / components);
    m_places.at(*field).surrogate->evaluate(axes, distance);
    data::fillOutside(distance, values, std::numeric_limits<float>::quiet_NaN());
}

std::vector<float> PlaceEvaluator::shownValues(const ProbeQuestion &question,
                                               const data::EntitySurrogate &entity,
                                               const std::vector<std::vector<double>> &axes) const
{
    std::size_t count = 1;
    for (const auto &axis : axes)
        count *= axis.size();
    auto field = m_study->fields.at(question.field);
    field.entities = count;
    std::vector<float> values(field.values()), shown(count);
    entity.evaluate(axes, values);
    showComponent(field, question.component, values, shown);
    return shown;
}

const PlaceEvaluator::NormPlaces *PlaceEvaluator::normPlaces(const ProbeQuestion &question,
                                                             const data::FieldSurrogate *loaded,
                                                             const std::function<bool()> &stop)
{
    if (m_normPlaces && m_normPlaces->field == question.field)
        return &*m_normPlaces;
    m_normPlaces.reset();
    const auto &study = m_fields.study();
    const auto &field = m_study->fields.at(question.field);
    const auto grid = study.grid();
    // From the file, each of so many places would read all of it.
    if (study.description().kind == data::StudyKind::vector
        && (!loaded || loaded->loadedGroups() < grid->groups()))
        return nullptr;
    const double numbers = static_cast<double>(grid->points()) * field.components;
    const auto most =
        std::clamp(static_cast<std::uint64_t>(maxNormNumbers / std::max(numbers, 1.0)),
                   minNormPlaces, maxNormPlaces);
    NormPlaces places{question.field, {}};
    for (const auto entity : data::spreadOver(field.entities, most)) {
        places.entities.push_back(m_fields.entity(question.field, entity, loaded, stop));
        if (!places.entities.back())
            return nullptr;
    }
    return &m_normPlaces.emplace(std::move(places));
}

std::vector<float> PlaceEvaluator::norms(const ProbeQuestion &question, const NormPlaces &places,
                                         const std::vector<std::vector<double>> &axes) const
{
    std::vector<double> squares;
    for (const auto &entity : places.entities) {
        const auto shown = shownValues(question, *entity, axes);
        squares.resize(shown.size());
        for (std::size_t i = 0; i < shown.size(); ++i)
            squares[i] += static_cast<double>(shown[i]) * static_cast<double>(shown[i]);
    }
    std::vector<float> norms;
    for (const double square : squares)
        norms.push_back(
            static_cast<float>(std::sqrt(square / static_cast<double>(places.entities.size()))));
    return norms;
}

std::vector<double> PlaceEvaluator::valuesAlong(std::size_t t) const
{
    const auto &whole = m_fields.study().description().space;
    const double finest =
        sparse::stepsOf(*m_fields.study().grid(), static_cast<int>(gridDimension(whole, t)));
    const auto steps =
        std::clamp(static_cast<std::size_t>(std::min(finest, 1e6)), minSteps, maxSteps);
    return evenValues(m_study->parameters, t, steps);
}

ProbeMap PlaceEvaluator::mapOf(
    const ProbeQuestion &question, std::size_t steps,
    const std::function<std::vector<float>(const std::vector<std::vector<double>> &axes)> &valuesAt)
    const
{
    const auto [first, second] = *question.map;
    ProbeMap map;
    map.parameters = {first, second};
    std::vector<std::vector<double>> axes;
    for (const double value : question.parameters)
        axes.push_back({value});
    axes.at(first) = map.at[0] = evenValues(m_study->parameters, first, steps);
    axes.at(second) = map.at[1] = evenValues(m_study->parameters, second, steps);
    map.values = valuesAt(axes);
    if (first > second) { // the later parameter is the fastest one
        const auto n = map.at[0].size(), m = map.at[1].size();
        const auto byOrder = map.values;
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < m; ++j)
                map.values[i * m + j] = byOrder[j * n + i];
    }
    if (m_fields.study().description().design == data::StudyDesign::scattered) {
        for (const auto &run : m_fields.study().trainingRuns())
            map.sampled.push_back({run.parameters[first], run.parameters[second]});
        return map;
    }
    const auto &whole = m_fields.study().description().space;
    std::vector<double> x(m_study->parameters.parameters().size(), 0.5);
    for (const auto &place : placesIn(*m_fields.study().grid(), gridDimension(whole, first),
                                      gridDimension(whole, second))) {
        x[first] = place[0];
        x[second] = place[1];
        const auto values = m_study->parameters.fromUnit(x);
        map.sampled.push_back({values[first], values[second]});
    }
    return map;
}

LineProfile PlaceEvaluator::profileOf(const ProbeQuestion &question)
{
    const auto &[displacement, distance] = question.frame->geometry;
    if (!displacement.empty())
        moveNodes(displacement);
    if (m_line != question.line || !displacement.empty()) {
        m_line.reset();
        mesh();
        m_linePlaces.clear();
        std::vector<double> coordinates;
        for (std::size_t i = 0; i <= lineSteps; ++i) {
            const double share = static_cast<double>(i) / lineSteps;
            auto &place = m_linePlaces.emplace_back();
            for (std::size_t axis = 0; axis < 3; ++axis) {
                place[axis] =
                    (1 - share) * question.line->from[axis] + share * question.line->to[axis];
                coordinates.push_back(place[axis]);
            }
        }
        m_lineProbe =
            std::make_unique<data::MeshProbe>(*m_mesh, coordinates, data::OutsideMesh::empty);
        m_line = question.line;
    }
    const auto &frame = *question.frame;
    auto field = m_study->fields.at(question.field);
    const auto values = m_lineProbe->sample(field, frame.values);
    LineProfile profile{*m_line,        m_linePlaces,       {},           {},
                        question.field, question.component, frame.isExact};
    std::vector<float> inBody;
    if (!distance.empty())
        inBody =
            m_lineProbe->sample(m_study->fields.at(*m_fields.geometryFields().distance), distance);
    field.entities = m_linePlaces.size();
    profile.values.resize(m_linePlaces.size());
    showComponent(field, question.component, values, profile.values);
    data::fillOutside(inBody, profile.values, std::numeric_limits<float>::quiet_NaN());
    const auto &[from, to] = *m_line;
    const double length = std::hypot(to[0] - from[0], to[1] - from[1], to[2] - from[2]);
    for (std::size_t i = 0; i <= lineSteps; ++i)
        profile.lengths.push_back(length * static_cast<double>(i) / lineSteps);
    return profile;
}

} // namespace gridhelm::ui
