// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/answers/field_rows.h"

#include "core/answers/uncertainty.h"
#include "core/support/error.h"
#include "core/support/memory_check.h"
#include "data/evaluate/study_surrogate.h"
#include "data/study/geometry_fields.h"
#include "data/study/study_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>

namespace gridhelm::data {

FieldRows::FieldRows(const Study &study, const std::string &field)
    : FieldRows(study, field, readTogether(study, study.fieldIndex(field)).get())
{
}

FieldRows::FieldRows(const Study &study, const std::string &field, const ReadTransaction *)
    : m_loaded(study, study.fieldIndex(field))
{
    if (!m_loaded.isInFewBits()) {
        m_loaded.loadAll(study);
        return;
    }
    const auto rows = m_loaded.surrogate().rows();
    const auto columns = m_loaded.values();
    requireMemory(static_cast<double>(rows) * static_cast<double>(columns) * sizeof(float),
                  fmt::format("the {} rows of field {}", rows, field), "close other programs");
    m_decoded.resize(rows * columns);
    for (std::uint64_t row = 0; row < rows; ++row)
        readRow(study, study.fieldIndex(field), m_loaded.surrogate(), row,
                std::span(m_decoded).subspan(row * columns, columns));
}

linalg::MatrixView<const float> FieldRows::matrix() const
{
    if (m_decoded.empty())
        return m_loaded.matrix();
    const auto columns = m_loaded.values();
    return {m_decoded.data(), m_decoded.size() / columns, columns, columns};
}

void FieldRows::evaluate(std::span<const double> x, std::span<float> values,
                         const CpuDevice &cpu) const
{
    if (m_decoded.empty()) {
        m_loaded.evaluate(x, {values}, cpu);
        return;
    }
    const auto weights = surrogate().weights(x, surrogate().groups());
    const auto rows = matrix();
    std::ranges::fill(values, 0.0F);
    for (std::size_t k = 0; k < weights.rows.size(); ++k) {
        const float *row = rows.row(weights.rows[k]);
        const auto weight = static_cast<float>(weights.weights[k]);
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] += weight * row[i];
    }
}

std::optional<ErrorMap> errorMapOf(const Study &study, const FieldRows &rows,
                                   const ExecutionContext &context)
{
    return errorMapOf(
        study, study.fieldIndex(rows.field().name),
        [&](std::span<const double> x, std::span<float> values) {
            rows.evaluate(x, values, context.cpu());
        },
        context);
}

std::optional<std::vector<float>> bodySharesOf(const Study &study, const Field &field,
                                               std::span<const double> places, const CpuDevice &cpu)
{
    const auto geometry = geometryFieldsOf(study.fields());
    if (!geometry.leaveOutside(study.fieldIndex(field.name), field))
        return std::nullopt;
    const FieldRows distance(study, std::string(distanceField));
    const auto present =
        answers::uncertaintyMaps(distance.surrogate(), distance.matrix(), places, {}, 0.0, cpu)
            .above;
    std::vector<float> shares(field.values());
    const auto components = shares.size() / present.size();
    for (std::size_t i = 0; i < shares.size(); ++i)
        shares[i] = present[i / components];
    return shares;
}

void leaveOutWithoutBody(std::span<const float> shares, std::span<float> map)
{
    for (std::size_t i = 0; i < map.size(); ++i)
        if (shares[i] == 0)
            map[i] = std::numeric_limits<float>::quiet_NaN();
}

} // namespace gridhelm::data
