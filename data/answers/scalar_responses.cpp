// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/answers/scalar_responses.h"

#include "core/answers/reduction.h"
#include "core/answers/taken_dimensions.h"
#include "core/sparse/sparse_grid_surrogate.h"
#include "core/support/error.h"
#include "core/support/memory_check.h"
#include "data/answers/named_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace gridhelm::data {

namespace {

using answers::PlaceKind;
using answers::ResponseModel;

/// Low and high ends of a place along x, y and z; all of space without any.
struct Box
{
    std::array<double, 3> low, high;
};

std::optional<Box> boxOf(const ResponseDefinition &definition)
{
    const auto place = answers::parsePlace(definition.place);
    const auto &n = place.numbers;
    if (answers::splitReduction(definition.reduction).inSpace == "value"
        && place.kind != PlaceKind::point)
        throw Error("a value is at a point: give one, or choose another way to get one number");
    switch (place.kind) {
    case PlaceKind::whole:
        return std::nullopt;
    case PlaceKind::point:
        return Box{{n[0], n[1], n[2]}, {n[0], n[1], n[2]}};
    case PlaceKind::box:
        return Box{{n[0], n[1], n[2]}, {n[3], n[4], n[5]}};
    default:
        throw Error("in a scalar study a response is at a point, in a box, or over the whole mesh: "
                    "choose one of these");
    }
}

/// What takes space out of the grid, and the volume that means are over.
struct Taken
{
    std::vector<std::optional<answers::Measure>> measures;
    double volume = 1;
};

Taken takenOf(const Study &study, const ResponseDefinition &definition)
{
    const auto &space = study.description().space;
    const auto directions = space.spatial();
    const auto box = boxOf(definition);
    Taken taken{std::vector<std::optional<answers::Measure>>(space.parameters().size())};
    for (std::size_t axis = 0; box && axis < 3; ++axis) {
        const auto outside = [&](const std::string &where) {
            throw Error(fmt::format("its region is outside of the mesh along {}: choose one inside",
                                    where));
        };
        if (axis >= directions.size()) {
            if (box->low[axis] > 0 || box->high[axis] < 0)
                outside(std::string(1, static_cast<char>('x' + axis)));
            continue;
        }
        const auto &direction = space[directions[axis]];
        if (box->low[axis] > direction.high || box->high[axis] < direction.low)
            outside(direction.name);
    }
    for (std::size_t axis = 0; axis < directions.size(); ++axis) {
        const auto t = directions[axis];
        const double length = space[t].high - space[t].low;
        const auto share = [&](double at) {
            return std::clamp((at - space[t].low) / length, 0.0, 1.0);
        };
        const double low = box && axis < 3 ? share(box->low[axis]) : 0;
        const double high = box && axis < 3 ? share(box->high[axis]) : 1;
        taken.measures[t] = answers::meanOver(*study.grid(), static_cast<int>(t), low, high);
        taken.volume *= (high > low ? high - low : 1) * (high > low ? length : 1);
    }
    return taken;
}

class ScalarFields
{
public:
    explicit ScalarFields(const Study &study)
        : m_study(study)
    {
    }

    const answers::GridCoefficients &of(FieldIndex field)
    {
        auto &known = m_fields[field];
        if (!known.grid) {
            requireMemory(static_cast<double>(m_study.grid()->points())
                              * (sizeof(float) + sizeof(double)),
                          "the coefficients of field " + m_study.fields()[field].name,
                          "close other programs");
            const auto coefficients = m_study.readScalarCoefficients(field);
            known = {m_study.grid(), 1, {coefficients.begin(), coefficients.end()}};
        }
        return known;
    }

private:
    const Study &m_study;
    std::map<FieldIndex, answers::GridCoefficients> m_fields;
};

std::shared_ptr<const ResponseModel> modelOf(const Study &study, ScalarFields &fields,
                                             const ResponseDefinition &definition)
{
    const answers::FieldExpression expression(definition.expression, namedFields(study.fields()));
    const auto reduction =
        answers::parseReduction(answers::splitReduction(definition.reduction).inSpace);
    const auto affine = expression.affine();
    for (const auto &variable : expression.variables())
        if (variable.axis >= 0)
            throw Error("a scalar study has no cells, by which slopes are found: leave slopes out");
    if (!affine || !reduction.isLinear())
        throw Error("responses of a scalar study are values, means and integrals of sums of its "
                    "fields: take one of these, or make a study of snapshots");
    const auto taken = takenOf(study, definition);
    const double scale = reduction.kind == answers::ReductionKind::integral ? taken.volume : 1;
    std::vector<ResponseModel::Part> parts;
    for (std::size_t v = 0; v < expression.variables().size(); ++v) {
        auto left = answers::withTaken(fields.of(expression.variables()[v].field), taken.measures);
        for (auto &coefficient : left.coefficients)
            coefficient *= scale * affine->factors[v];
        parts.push_back({std::make_shared<sparse::SparseGridSurrogate>(left.grid),
                         std::move(left.coefficients)});
    }
    return std::make_shared<ResponseModel>(std::move(parts),
                                           std::vector<double>{scale * affine->constant});
}

} // namespace

std::vector<StudyResponse> scalarResponses(const Study &study,
                                           const std::vector<ResponseDefinition> &definitions)
{
    ScalarFields fields(study);
    const auto space = answerSpace(study);
    std::vector<StudyResponse> responses;
    for (const auto &definition : definitions) {
        auto &response = responses.emplace_back();
        response.definition = definition;
        response.way = ResponseWay::rows;
        response.whyUnmeasured =
            "validation points of a scalar study are values at single positions";
        requireSensibleTime(space, definition);
        try {
            response.model = modelOf(study, fields, definition);
            reduceInTime(space, response);
        } catch (const Error &error) {
            throw Error(fmt::format("response {}: {}", definition.name, error.what()));
        }
    }
    return responses;
}

ParameterSpace answerSpace(const Study &study)
{
    return answerSpace(study.description().space);
}

ParameterSpace answerSpace(const ParameterSpace &whole)
{
    std::vector<Parameter> parameters;
    for (const auto &parameter : whole.parameters())
        if (parameter.kind != ParameterKind::spatial)
            parameters.push_back(parameter);
    return ParameterSpace(std::move(parameters));
}

} // namespace gridhelm::data
