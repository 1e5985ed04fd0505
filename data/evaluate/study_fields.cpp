// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/evaluate/study_fields.h"

#include "core/support/error.h"
#include "data/evaluate/kriged_field.h"
#include "data/evaluate/quantised_grid.h"
#include "data/evaluate/study_surrogate.h"
#include "data/study/mesh_limits.h"
#include "data/study/run_space.h"
#include "data/study/study_file.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace gridhelm::data {

StudyFields::StudyFields(Study study, std::shared_ptr<const sparse::Backend> backend,
                         std::size_t resolution)
    : m_study(std::move(study))
    , m_backend(std::move(backend))
    , m_fields(m_study.fields())
{
    if (m_study.description().kind == StudyKind::scalar) {
        m_image = scalarImageMesh(m_study, resolution);
        m_mesh = std::make_shared<Mesh>(encodeImageMesh(m_image));
        for (auto &field : m_fields) {
            field.association = Association::point;
            field.entities = m_mesh->points;
        }
        m_scalar.resize(m_fields.size());
        m_runSpace = runSpaceOf(m_study.description().space);
        return;
    }
    auto mesh = m_study.mesh();
    if (!mesh)
        throw Error("the study has no mesh yet: run its jobs first");
    requireFieldsOnMesh(*mesh, m_fields);
    m_mesh = std::make_shared<Mesh>(*std::move(mesh));
    m_surrogates.resize(m_fields.size());
    m_completeGroups.resize(m_fields.size());
    m_weights.resize(m_fields.size());
    m_geometry = geometryFieldsOf(m_fields);
    if (m_mesh->kind == "image" || m_mesh->kind == "rectilinear")
        m_geometry.displacement.reset(); // its nodes cannot move: an ordinary field
}

void StudyFields::setBackend(std::shared_ptr<const sparse::Backend> backend)
{
    m_backend = std::move(backend);
    for (auto &loaded : m_scalar)
        loaded = {};
}

const ParameterSpace &StudyFields::parameters() const
{
    return m_runSpace ? *m_runSpace : m_study.description().space;
}

const StudyFields::KeptWeights &StudyFields::weightsOf(FieldIndex field) const
{
    auto &kept = m_weights.at(field);
    if (!kept.surrogate) {
        const ReadTransaction together(m_study.file());
        kept.modes = m_study.modeSet(field);
        kept.surrogate = surrogateOf(m_study, field);
    }
    return kept;
}

std::uint64_t StudyFields::rows(FieldIndex field, int groups) const
{
    if (m_runSpace)
        return m_study.grid()->activeFunctions(groups);
    return weightsOf(field).surrogate->activeRows(groups);
}

const std::optional<ModeSet> &StudyFields::modes(FieldIndex field) const
{
    static const std::optional<ModeSet> none;
    return m_runSpace ? none : weightsOf(field).modes;
}

double StudyFields::modesErrorBound(FieldIndex field, std::span<const double> values,
                                    OutOfRange outOfRange) const
{
    if (m_runSpace)
        return 0;
    if (isKriged(field))
        return modes(field)->largestError;
    const auto &surrogate = *weightsOf(field).surrogate;
    const auto x = parameters().toUnit(values);
    if (const auto *bits = quantisedGridOf(surrogate))
        return bits->errorBound(bits->weights(x, groups(), outOfRange));
    const auto *modal = modalOf(surrogate);
    if (!modal)
        return 0;
    return modal->errorBound(modal->ofRows().weights(x, groups(), outOfRange));
}

bool StudyFields::isInFewBits(FieldIndex field) const
{
    return !m_runSpace
           && (modes(field) ? modes(field)->quantised.has_value()
                            : quantisedGridOf(*weightsOf(field).surrogate) != nullptr);
}

bool StudyFields::isKriged(FieldIndex field) const
{
    return !m_runSpace && krigedOf(*weightsOf(field).surrogate) != nullptr;
}

std::uint64_t StudyFields::missingPoints(FieldIndex field, int groups) const
{
    if (m_study.description().design == StudyDesign::scattered || isKriged(field))
        return 0;
    const auto points = m_study.grid()->groupFirstPoint(groups);
    const auto states = m_study.coefficientStates(field);
    return static_cast<std::uint64_t>(
        std::count(states.begin(), states.begin() + static_cast<std::ptrdiff_t>(points),
                   CoefficientState::none));
}

std::shared_ptr<FieldSurrogate> StudyFields::surrogate(FieldIndex field)
{
    if (m_runSpace)
        return nullptr;
    auto &surrogate = m_surrogates.at(field);
    if (!surrogate && FieldSurrogate::fitsInMemory(m_study, field))
        surrogate = std::make_shared<FieldSurrogate>(m_study, field);
    return surrogate;
}

void StudyFields::expect(std::span<const FieldIndex> fields, double evaluations, int groups,
                         const std::function<bool()> &stop)
{
    const auto points = m_study.grid()->groupFirstPoint(groups);
    for (const auto field : fields) {
        const auto &ofModes = modes(field);
        const auto inAll = ofModes ? ofModes->modes() : points;
        if (evaluations * static_cast<double>(rows(field, groups)) < static_cast<double>(inAll))
            continue;
        const auto kept = surrogate(field);
        if (!kept || kept->load(m_study, groups, stop) < groups)
            return;
    }
}

int StudyFields::completeGroups(FieldIndex field)
{
    auto &groups = m_completeGroups.at(field);
    if (!groups)
        groups = data::completeGroups(m_study, field);
    return *groups;
}

std::shared_ptr<const ScalarSurrogate> StudyFields::scalarSurrogate(FieldIndex field, int groups)
{
    auto &loaded = m_scalar.at(field);
    if (loaded.groups != groups) {
        loaded.surrogate.reset();
        loaded = {groups, std::make_shared<ScalarSurrogate>(m_study, field, *m_backend, groups)};
    }
    return loaded.surrogate;
}

EvaluationWork StudyFields::evaluate(FieldIndex field, std::span<const double> values,
                                     FieldOutput out, FieldPrefix prefix, OutOfRange outOfRange)
{
    if (prefix.groups <= 0)
        prefix.groups = groups();
    if (m_runSpace) {
        const auto image = sampleScalar(*scalarSurrogate(field, prefix.groups),
                                        withSpace(m_study.description().space, values), m_image);
        std::ranges::copy(image.values, out.values.begin());
        if (!out.indicator.empty())
            std::ranges::copy(image.indicator, out.indicator.begin());
        EvaluationWork work;
        work.computedOn = image.computedOn;
        return work;
    }
    const auto x = parameters().toUnit(values);
    const auto &loaded = m_surrogates.at(field);
    if (prefix.modes == 0 && modes(field))
        prefix.modes = modes(field)->modes();
    const auto work =
        loaded && loaded->hasLoaded(prefix)
            ? loaded->evaluate(x, out, m_backend, 0, prefix, outOfRange)
            : evaluateFromFile(m_study, field, x, out, m_backend->context().cpu(), prefix,
                               outOfRange, out.indicator.empty() ? 0 : completeGroups(field));
    if (outOfRange == OutOfRange::extrapolated)
        requireFinite(m_fields[field], out);
    return work;
}

bool StudyFields::evaluateColumns(FieldIndex field, std::span<const double> values,
                                  std::span<const std::uint32_t> columns, FieldOutput out,
                                  FieldPrefix prefix, OutOfRange outOfRange)
{
    if (m_runSpace)
        return false;
    if (prefix.groups <= 0)
        prefix.groups = groups();
    const auto &loaded = m_surrogates.at(field);
    if (prefix.modes == 0 && modes(field))
        prefix.modes = modes(field)->modes();
    if (!loaded || !loaded->hasLoaded(prefix))
        return false;
    // Neighbours together, by the very sums that the whole field is made of: to the last digit.
    const auto x = parameters().toUnit(values);
    for (std::size_t begin = 0, end = 0; begin < columns.size(); begin = end) {
        for (end = begin + 1; end < columns.size() && columns[end] == columns[end - 1] + 1; ++end)
            ;
        loaded->evaluate(
            x, {out.values.subspan(begin, end - begin), out.indicator.subspan(begin, end - begin)},
            m_backend->context().cpu(), columns[begin], prefix, outOfRange);
    }
    if (outOfRange == OutOfRange::extrapolated)
        requireFinite(m_fields[field], out);
    return true;
}

void requireFinite(const Field &field, const FieldOutput &out)
{
    for (const auto numbers : {out.values, out.indicator})
        if (!std::ranges::all_of(numbers, [](float number) { return std::isfinite(number); }))
            throw Error("field " + field.name
                        + " leaves all numbers so far out of the ranges: ask for parameters that "
                          "are nearer");
}

GeometryValues StudyFields::geometry(std::span<const double> values, int groups,
                                     OutOfRange outOfRange)
{
    GeometryValues geometry;
    const auto evaluated = [&](std::optional<FieldIndex> field, std::vector<float> &into) {
        if (!field)
            return;
        into.resize(m_fields[*field].values());
        evaluate(*field, values, {into, {}}, groups, outOfRange);
    };
    evaluated(m_geometry.displacement, geometry.displacement);
    evaluated(m_geometry.distance, geometry.distance);
    return geometry;
}

std::unique_ptr<EntitySurrogate> StudyFields::entity(FieldIndex field, std::uint64_t entity,
                                                     const FieldSurrogate *loaded,
                                                     const std::function<bool()> &stop)
{
    if (!m_runSpace)
        return makeEntitySurrogate(m_study, field, entity, *m_backend, loaded, stop);
    if (entity >= m_fields.at(field).entities)
        throw Error("field " + m_fields[field].name + " has no position number "
                    + std::to_string(entity));
    std::array<double, 3> place{};
    auto rest = entity;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        place[axis] = m_image.origin[axis]
                      + static_cast<double>(rest % m_image.points[axis]) * m_image.spacing[axis];
        rest /= m_image.points[axis];
    }
    return makeEntitySurrogate(scalarSurrogate(field, groups()), place);
}

} // namespace gridhelm::data
