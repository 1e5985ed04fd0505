// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/support/error.h"
#include "core/support/nearest_name.h"
#include "data/answers/named_fields.h"
#include "data/answers/numbered_place.h"
#include "data/answers/study_responses.h"
#include "data/study/geometry_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace gridhelm::data {

namespace {

using answers::FieldExpression;

[[noreturn]] void refuseNonNumber(const std::string &name)
{
    throw Error(fmt::format("response {} is no finite number in some state (a division by 0, or "
                            "a root of what is negative?): change its formula",
                            name));
}

} // namespace

void requireFieldsOnMesh(const Study &study)
{
    if (study.description().kind != StudyKind::vector)
        throw Error("this is about fields on a mesh, and a scalar study has none: make a study of "
                    "snapshots");
}

namespace {

void requireOneAssociation(const Study &study, const std::vector<FieldIndex> &fields)
{
    for (const auto field : fields)
        if (study.fields()[field].association != study.fields()[fields[0]].association)
            throw Error("its formula has fields at points and fields in cells, which are nowhere "
                        "together: name those of one kind");
}

} // namespace

std::string_view toString(ResponseWay way)
{
    switch (way) {
    case ResponseWay::rows:
        return "rows";
    case ResponseWay::snapshots:
        return "snapshots";
    case ResponseWay::field:
        return "field";
    }
    return {};
}

ResponseOfState::ResponseOfState(const Study &study, const ResponseDefinition &definition,
                                 const SamplesOfMesh &samples)
try : m_definition(definition), m_expression(definition.expression, namedFields(study.fields())),
    m_reduction(answers::parseReduction(answers::splitReduction(definition.reduction).inSpace)) {
    requireFieldsOnMesh(study);
    m_fields = m_expression.fields();
    requireOneAssociation(study, m_fields);
    const auto of = study.fields()[m_fields[0]].association;
    m_geometry = geometryFieldsOf(study.fields());
    for (const auto field : m_geometry.all())
        if (std::ranges::find(m_fields, field) == m_fields.end())
            m_fields.push_back(field);
    for (const auto field : m_fields)
        m_of.push_back(study.fields()[field]);
    const auto place = placeOnMesh(study, answers::parsePlace(definition.place));
    if (answers::splitReduction(definition.reduction).inSpace == "value"
        && place.kind != answers::PlaceKind::point)
        throw Error("a value is at a point: give one, or choose another way to get one number");
    m_affine = m_expression.affine();
    SlopeAxes slopes{};
    for (const auto &variable : m_expression.variables())
        if (variable.axis >= 0)
            slopes[static_cast<std::size_t>(variable.axis)] = true;
    if (!m_geometry.isFixed()) {
        m_samplesIn = [=](const GeometryValues &geometry) {
            return samples(of, place, slopes, geometry);
        };
        return;
    }
    m_samples = samples(of, place, slopes, {});
    m_isLinear = m_affine && m_reduction.isLinear();
} catch (const Error &error) {
    throw Error(fmt::format("response {}: {}", definition.name, error.what()));
}

const WeightedSums &ResponseOfState::sumsOf(const FieldExpression::Variable &variable,
                                            const ResponseSamples &samples)
{
    if (variable.axis < 0)
        return samples;
    return samples.slopes[static_cast<std::size_t>(variable.axis)];
}

GeometryValues ResponseOfState::geometryIn(const std::vector<std::vector<float>> &values) const
{
    const auto valuesOf = [&](const std::optional<FieldIndex> &field) {
        return field ? values[numberOf(*field)] : std::vector<float>();
    };
    return {valuesOf(m_geometry.displacement), valuesOf(m_geometry.distance)};
}

std::size_t ResponseOfState::numberOf(FieldIndex field) const
{
    return static_cast<std::size_t>(std::ranges::find(m_fields, field) - m_fields.begin());
}

struct ResponseOfState::Taken
{
    const WeightedSums *sums;
    const float *values;
    const Field *field; ///< whose values they are, as they are stored
    int component;      ///< -1: the magnitude

    double of(std::size_t place, std::size_t which) const
    {
        const auto components = static_cast<std::size_t>(field->components);
        double sum = 0;
        for (auto k = sums->first[place]; k < sums->first[place + 1]; ++k)
            sum += sums->shares[k].weight
                   * field->valueOf(values[sums->shares[k].entity * components + which]);
        return sum;
    }
    double at(std::size_t place) const
    {
        if (component >= 0)
            return of(place, static_cast<std::size_t>(component));
        double squares = 0;
        for (int c = 0; c < field->components; ++c) {
            const double one = of(place, static_cast<std::size_t>(c));
            squares += one * one;
        }
        return std::sqrt(squares);
    }
};

std::vector<ResponseOfState::Taken>
ResponseOfState::takenFrom(const std::vector<std::vector<float>> &values,
                           const ResponseSamples &samples) const
{
    std::vector<Taken> taken;
    for (const auto &variable : m_expression.variables()) {
        const auto which = numberOf(variable.field);
        taken.push_back(
            {&sumsOf(variable, samples), values[which].data(), &m_of[which], variable.component});
    }
    return taken;
}

ResponseSamples ResponseOfState::samplesIn(const std::vector<std::vector<float>> &values) const
try {
    return m_samplesIn(geometryIn(values));
} catch (const Error &error) { // the place may be there in other states
    throw Error(fmt::format("response {}, in some state: {}", m_definition.name, error.what()));
}

double ResponseOfState::evaluate(const std::vector<std::vector<float>> &values) const
{
    const auto moved = m_samplesIn ? samplesIn(values) : ResponseSamples();
    const auto &samples = m_samplesIn ? moved : m_samples;
    const auto taken = takenFrom(values, samples);
    std::vector<double> at(taken.size()), all(samples.places());
    for (std::size_t place = 0; place < all.size(); ++place) {
        double sum = m_affine ? m_affine->constant : 0;
        for (std::size_t k = 0; k < at.size(); ++k) {
            at[k] = taken[k].at(place);
            if (m_affine)
                sum += m_affine->factors[k] * at[k];
        }
        all[place] = m_affine ? sum : m_expression.evaluate(at);
        if (std::isnan(all[place])) // a minimum or a share would pass over it
            refuseNonNumber(m_definition.name);
    }
    return finite(answers::reduce(m_reduction, all, samples.weights));
}

namespace {

/// `samples`: to be read, or to be changed.
template <typename Samples, typename Action>
void forEachShare(Samples &samples, Action action)
{
    for (auto &share : samples.shares)
        action(share);
    for (auto &slope : samples.slopes)
        for (auto &share : slope.shares)
            action(share);
}

} // namespace

std::optional<std::vector<std::uint32_t>> ResponseOfState::entities() const
{
    if (m_samplesIn)
        return std::nullopt;
    std::vector<std::uint32_t> all;
    forEachShare(m_samples, [&](const WeightedSums::Share &share) {
        all.push_back(static_cast<std::uint32_t>(share.entity));
    });
    std::ranges::sort(all);
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

ResponseOfState ResponseOfState::ofEntities() const
{
    auto fewer = *this;
    const auto there = entities();
    forEachShare(fewer.m_samples, [&](WeightedSums::Share &share) {
        share.entity = static_cast<std::size_t>(std::ranges::lower_bound(*there, share.entity)
                                                - there->begin());
    });
    return fewer;
}

double ResponseOfState::finite(double value) const
{
    if (!std::isfinite(value))
        refuseNonNumber(m_definition.name);
    return value;
}

double ResponseOfState::atOffsets() const
try {
    if (!m_geometry.isFixed() || std::ranges::all_of(m_of, &Field::isPlain))
        return 0;
    std::vector<std::vector<float>> zeros;
    for (const auto &field : m_of)
        zeros.emplace_back(field.values());
    return evaluate(zeros);
} catch (const Error &) { // a division by 0, say
    return 0;
}

double ResponseOfState::constant() const
{
    std::vector<double> all(m_samples.places(), m_affine->constant);
    const auto &variables = m_expression.variables();
    for (std::size_t v = 0; v < variables.size(); ++v) {
        const double offset = m_of[numberOf(variables[v].field)].offset;
        const auto &sums = sumsOf(variables[v], m_samples);
        for (std::size_t place = 0; offset != 0 && place < all.size(); ++place)
            for (auto k = sums.first[place]; k < sums.first[place + 1]; ++k)
                all[place] += m_affine->factors[v] * sums.shares[k].weight * offset;
    }
    return finite(answers::reduce(m_reduction, all, m_samples.weights));
}

double ResponseOfState::partOf(std::size_t i, std::span<const float> row) const
{
    const auto &variables = m_expression.variables();
    const auto components = static_cast<std::size_t>(m_of[i].components);
    std::vector<double> all(m_samples.places(), 0.0);
    for (std::size_t v = 0; v < variables.size(); ++v) {
        if (variables[v].field != m_fields[i])
            continue;
        const auto component = static_cast<std::size_t>(variables[v].component);
        const auto &sums = sumsOf(variables[v], m_samples);
        for (std::size_t place = 0; place < all.size(); ++place)
            for (auto k = sums.first[place]; k < sums.first[place + 1]; ++k)
                all[place] +=
                    m_affine->factors[v] * sums.shares[k].weight * m_of[i].scale
                    * static_cast<double>(row[sums.shares[k].entity * components + component]);
    }
    return finite(answers::reduce(m_reduction, all, m_samples.weights));
}

std::size_t responseIndex(const std::vector<ResponseDefinition> &definitions,
                          const std::string &name)
{
    std::vector<std::string> names;
    std::string list;
    for (const auto &definition : definitions) {
        if (definition.name == name)
            return names.size();
        names.push_back(definition.name);
        list += (list.empty() ? "" : ", ") + definition.name;
    }
    if (names.empty())
        throw Error(fmt::format("the study has no responses, and so no {}: add some with "
                                "\"gridhelm-cli responses STUDY --add\"",
                                name));
    const auto near = nearestName(name, names);
    throw Error(fmt::format("there is no response {}{}: choose from {}", name,
                            near.empty() ? "" : " (did you mean " + near + "?)", list));
}

} // namespace gridhelm::data
