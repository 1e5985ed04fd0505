// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/fields_archive.h"

#include "data/evaluate/error_bands.h"
#include "data/mesh/mesh_coordinates.h"
#include "data/mesh/mesh_writer.h"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <string>
#include <utility>

namespace gridhelm::cli {
namespace {

using data::NumpyArray;

NumpyArray arrayOf(const data::Field &field, std::size_t rows)
{
    std::vector<std::uint64_t> shape{rows, field.entities};
    if (field.components > 1)
        shape.push_back(static_cast<std::uint64_t>(field.components));
    const auto name = data::NumpyArchive::nameFor(field.name);
    return field.isPlain() ? data::float32Array(name, std::move(shape))
                           : data::float64Array(name, std::move(shape));
}

void append(data::NumpyArchive &archive, std::size_t array, const data::Field &field,
            const std::vector<float> &stored)
{
    if (field.isPlain()) {
        archive.append(array, std::span(stored));
        return;
    }
    std::vector<double> values(stored.size());
    std::ranges::transform(stored, values.begin(),
                           [&](float number) { return field.valueOf(number); });
    archive.append(array, std::span(values));
}

data::NumpyTexts namesOf(const std::string &name, const auto &all)
{
    std::vector<std::string> texts;
    for (const auto &one : all)
        texts.push_back(one.name);
    return {name, texts};
}

data::NumpyTexts unitsOf(const std::string &name, const auto &all)
{
    std::vector<std::string> texts;
    for (const auto &one : all)
        texts.push_back(one.unit);
    return {name, texts};
}

constexpr double notMeasured = std::numeric_limits<double>::quiet_NaN();

/// Arrays, and what fills those that are known from the beginning.
class Layout
{
public:
    std::size_t add(NumpyArray array)
    {
        m_arrays.push_back(std::move(array));
        return m_arrays.size() - 1;
    }
    template <typename Values>
    void add(NumpyArray array, Values values)
    {
        const auto index = add(std::move(array));
        m_fillers.emplace_back([index, values = std::move(values)](data::NumpyArchive &archive) {
            archive.append(index, std::span(values));
        });
    }
    void add(data::NumpyTexts texts) { add(texts.array, std::move(texts.characters)); }

    const std::vector<NumpyArray> &arrays() const { return m_arrays; }
    void fill(data::NumpyArchive &archive) const
    {
        for (const auto &filler : m_fillers)
            filler(archive);
    }

private:
    std::vector<NumpyArray> m_arrays;
    std::vector<std::function<void(data::NumpyArchive &)>> m_fillers;
};

void addMesh(Layout &layout, vtkDataSet &mesh, const std::vector<data::Field> &fields)
{
    const auto places = [&](const char *name, std::vector<double> values) {
        auto array = data::float64Array(name, {values.size() / 3, 3});
        layout.add(std::move(array), std::move(values));
    };
    places("nodes", data::placesOfPoints(mesh));
    if (std::ranges::find(fields, data::Association::cell, &data::Field::association)
        != fields.end())
        places("cell_centres", data::placesOfCells(mesh));
    if (const auto points = data::gridDimensions(mesh)) // x is the fastest, so it is last
        layout.add(data::int64Array("node_shape", {3}),
                   std::array{(*points)[2], (*points)[1], (*points)[0]});
}

} // namespace

FieldsArchive::FieldsArchive(const std::filesystem::path &path, const StudyEvaluation &study,
                             vtkDataSet &mesh, std::size_t rows, IndicatorFields indicators)
    : m_file(path)
    , m_indicators(indicators)
{
    const auto &parameters = study.parameters().parameters();
    Layout layout;
    m_parameters = layout.add(data::float64Array("parameters", {rows, parameters.size()}));
    layout.add(namesOf("parameter_names", parameters));
    layout.add(unitsOf("parameter_units", parameters));
    layout.add(namesOf("field_names", study.fields()));
    layout.add(unitsOf("field_units", study.fields()));
    addMesh(layout, mesh, study.fields());
    for (const auto &field : study.fields()) {
        m_fields.push_back(layout.add(arrayOf(field, rows)));
        if (indicators == IndicatorFields::written)
            m_indicatorFields.push_back(layout.add(arrayOf(data::indicatorOf(field), rows)));
        auto &bands = m_bands.emplace_back();
        std::ranges::transform(data::bandNumbers(field, {}), bands.begin(), [&](const auto &one) {
            return layout.add(data::float64Array(data::NumpyArchive::nameFor(one.name), {rows}));
        });
    }
    m_archive.emplace(m_file, layout.arrays());
    layout.fill(*m_archive);
}

void FieldsArchive::add(const EvaluatedFields &result, std::span<const double> values)
{
    m_archive->append(m_parameters, values);
    for (std::size_t f = 0; f < m_fields.size(); ++f) {
        append(*m_archive, m_fields[f], result.fields[f], result.values[f]);
        if (m_indicators == IndicatorFields::written)
            append(*m_archive, m_indicatorFields[f], data::indicatorOf(result.fields[f]),
                   result.indicators[f]);
        const auto bands = data::bandNumbers(result.fields[f], result.bands[f]);
        for (std::size_t i = 0; i < bands.size(); ++i) {
            const double value = bands[i].value.value_or(notMeasured);
            m_archive->append(m_bands[f][i], std::span(&value, 1));
        }
    }
}

void FieldsArchive::commit()
{
    m_archive->close();
    m_file.commit();
}

} // namespace gridhelm::cli
