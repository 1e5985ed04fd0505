// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/answers/field_rows.h"

#include "core/support/error.h"
#include "core/support/memory_check.h"
#include "data/evaluate/study_surrogate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace gridhelm::data {

FieldRows::FieldRows(const Study &study, const std::string &field)
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

sparse::MatrixView<const float> FieldRows::matrix() const
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

} // namespace gridhelm::data
