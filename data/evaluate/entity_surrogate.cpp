// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/evaluate/entity_surrogate.h"

#include "core/support/error.h"
#include "core/support/memory_check.h"
#include "data/evaluate/kriged_entity.h"
#include "data/evaluate/quantised_grid.h"
#include "data/evaluate/study_surrogate.h"
#include "data/evaluate/unit_axes.h"
#include "data/study/study_file.h"

#include <algorithm>
#include <string>
#include <utility>

namespace gridhelm::data {

namespace {

/// A scalar grid for each component.
class VectorEntity : public EntitySurrogate
{
public:
    VectorEntity(ParameterSpace space, std::vector<std::unique_ptr<sparse::Evaluator<double>>> of)
        : m_space(std::move(space))
        , m_components(std::move(of))
    {
    }

    int components() const override { return static_cast<int>(m_components.size()); }

    void evaluate(const std::vector<std::vector<double>> &axes,
                  std::span<float> values) const override
    {
        const auto points = unitAxes<double>(m_space, axes);
        const auto count = points.count(), stride = m_components.size();
        if (values.size() != count * stride)
            throw Error(std::to_string(count) + " combinations of parameters, each of "
                        + std::to_string(stride) + " values, and there is room for "
                        + std::to_string(values.size()));
        std::vector<double> ofOne(count);
        for (std::size_t c = 0; c < stride; ++c) {
            m_components[c]->interpolateCartesian(points, {ofOne});
            for (std::size_t i = 0; i < count; ++i)
                values[i * stride + c] = static_cast<float>(ofOne[i]);
        }
    }

private:
    ParameterSpace m_space;
    std::vector<std::unique_ptr<sparse::Evaluator<double>>> m_components;
};

class ScalarEntity : public EntitySurrogate
{
public:
    ScalarEntity(std::shared_ptr<const ScalarSurrogate> surrogate,
                 const std::array<double, 3> &place)
        : m_surrogate(std::move(surrogate))
        , m_place(place)
    {
    }

    int components() const override { return 1; }

    void evaluate(const std::vector<std::vector<double>> &axes,
                  std::span<float> values) const override
    {
        const auto &space = m_surrogate->space();
        std::vector<std::vector<double>> all;
        std::size_t next = 0, direction = 0;
        for (const auto &parameter : space.parameters()) {
            if (parameter.kind == ParameterKind::spatial)
                all.push_back({std::clamp(m_place.at(direction++), parameter.low, parameter.high)});
            else if (next < axes.size())
                all.push_back(axes[next++]);
        }
        if (next != axes.size() || all.size() != space.parameters().size())
            throw Error(std::to_string(axes.size())
                        + " axes do not fit the study's parameters: give a list of values for "
                          "each");
        m_surrogate->evaluate(all, {values});
    }

private:
    std::shared_ptr<const ScalarSurrogate> m_surrogate;
    std::array<double, 3> m_place;
};

/// Of each component, a number for each row.
using Columns = std::vector<std::vector<double>>;

/// Of rows that are modes: what the coefficients of the grid's points are there.
Columns coefficientsOf(const Surrogate &surrogate, Columns columns)
{
    const auto *modal = modalOf(surrogate);
    if (!modal)
        return columns;
    const auto &rows = modal->modal();
    Columns coefficients;
    for (const auto &ofModes : columns) {
        auto &ofPoints = coefficients.emplace_back(rows.rows(), 0.0);
        for (std::size_t point = 0; point < rows.rows(); ++point) {
            const float *of = rows.coefficients.data() + point * rows.modes;
            for (std::size_t m = 0; m < rows.modes; ++m)
                ofPoints[point] += static_cast<double>(of[m]) * ofModes[m];
        }
    }
    return coefficients;
}

} // namespace

std::unique_ptr<EntitySurrogate> makeEntitySurrogate(const Study &study, FieldIndex index,
                                                     std::uint64_t entity,
                                                     const sparse::Backend &backend,
                                                     const FieldSurrogate *loaded,
                                                     const std::function<bool()> &stop)
{
    static_cast<void>(study.parts(index)); // checks the field
    const auto &field = study.fields()[index];
    if (entity >= field.entities)
        throw Error("field " + field.name + " has values at " + std::to_string(field.entities)
                    + " positions, so there is no number " + std::to_string(entity));
    const auto grid = study.grid();
    const auto stride = static_cast<std::size_t>(field.components);
    const auto first = entity * stride;
    const ReadTransaction together(study.file());
    const auto surrogate = surrogateOf(study, index);
    requireMemory(static_cast<double>((grid->points() + surrogate->rows()) * stride)
                      * sizeof(double),
                  "one position of field " + field.name, "close other programs");
    const bool isLoaded = loaded && loaded->field() == field
                          && loaded->loadedGroups() == grid->groups()
                          && loaded->surrogate().rows() == surrogate->rows()
                          && loaded->modes() == study.modeSet(index)
                          && (quantisedGridOf(loaded->surrogate()) != nullptr)
                                 == (quantisedGridOf(*surrogate) != nullptr);
    Columns columns(stride, std::vector<double>(surrogate->rows()));
    std::vector<float> part;
    for (std::uint64_t row = 0; row < surrogate->rows(); ++row) {
        if (stop && stop())
            return nullptr;
        if (isLoaded) {
            for (std::size_t c = 0; c < stride; ++c)
                columns[c][row] = loaded->value(row, first + c);
            continue;
        }
        // A vector may lie across two parts.
        auto inMemory = study.parts(index);
        for (std::size_t c = 0; c < stride; ++c) {
            const auto wanted = (first + c) / Study::partValues();
            if (wanted != inMemory) {
                part.resize(study.valuesInPart(index, wanted));
                readRowPart(study, index, *surrogate, row, wanted, part);
                inMemory = wanted;
            }
            columns[c][row] = part[(first + c) % Study::partValues()];
        }
    }
    if (krigedOf(*surrogate))
        return makeKrigedEntity(study.description().space, surrogate, std::move(columns),
                                backend.context().cpu());
    auto coefficients = coefficientsOf(*surrogate, std::move(columns));
    std::vector<std::unique_ptr<sparse::Evaluator<double>>> evaluators;
    for (auto &ofOne : coefficients)
        evaluators.push_back(backend.load(grid, std::move(ofOne)));
    return std::make_unique<VectorEntity>(study.description().space, std::move(evaluators));
}

std::unique_ptr<EntitySurrogate>
makeEntitySurrogate(std::shared_ptr<const ScalarSurrogate> surrogate,
                    const std::array<double, 3> &place)
{
    return std::make_unique<ScalarEntity>(std::move(surrogate), place);
}

} // namespace gridhelm::data
