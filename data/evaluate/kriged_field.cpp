// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/evaluate/kriged_field.h"

#include "core/execution/parallel_for.h"
#include "core/support/error.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

namespace gridhelm::data {

KrigedField::KrigedField(std::shared_ptr<const FieldKriging> kriging, int groups)
    : m_kriging(std::move(kriging))
    , m_surrogate(m_kriging->model)
    , m_groups(groups)
{
}

KrigedField::~KrigedField() = default;

SparseWeights KrigedField::weights(std::span<const double> x, int, OutOfRange outOfRange) const
{
    return m_surrogate.weights(x, 1, outOfRange);
}

SparseWeights KrigedField::derivativeWeights(std::span<const double> x, int t, int,
                                             OutOfRange outOfRange) const
{
    return m_surrogate.derivativeWeights(x, t, 1, outOfRange);
}

std::vector<double> KrigedField::variances(std::span<const double> x, const CpuDevice &cpu) const
{
    const kriging::KrigingDeviations *deviations = nullptr;
    {
        const std::lock_guard lock(m_mutex);
        if (!m_deviations)
            m_deviations = std::make_unique<const kriging::KrigingDeviations>(
                m_kriging->model, ExecutionContext(cpu));
        deviations = m_deviations.get();
    }
    return deviations->variances(x);
}

std::shared_ptr<const std::vector<double>>
KrigedField::coefficients(const std::vector<double> &places, const CpuDevice &cpu) const
{
    const std::lock_guard lock(m_mutex);
    if (m_coefficients && m_places == places)
        return m_coefficients;
    const auto d = static_cast<std::size_t>(dimension()), count = places.size() / d;
    const auto modes = static_cast<std::size_t>(m_surrogate.rows());
    auto all = std::make_shared<std::vector<double>>(count * modes);
    parallelFor(count, cpu, 16, [&](std::size_t i) {
        const auto weights = m_surrogate.weights({places.data() + i * d, d}, 1);
        for (std::size_t k = 0; k < weights.rows.size(); ++k)
            (*all)[i * modes + weights.rows[k]] = weights.weights[k];
    });
    m_places = places;
    m_coefficients = all;
    return all;
}

const KrigedField *krigedOf(const Surrogate &surrogate)
{
    return dynamic_cast<const KrigedField *>(&surrogate);
}

namespace {

constexpr std::size_t strip = 1024; // of sums, which stay in the cache

void requireModes(std::span<const double> variances, const sparse::MatrixView<const float> &modes)
{
    if (variances.size() != modes.rows)
        throw Error(std::to_string(variances.size()) + " variances do not fit "
                    + std::to_string(modes.rows) + " modes: give one for each");
}

/// columnOf(i): where value i stands in the rows.
template <typename ColumnOf>
void fill(std::span<const double> variances, const sparse::MatrixView<const float> &modes,
          std::span<float> deviations, const CpuDevice &cpu, ColumnOf columnOf)
{
    const auto count = deviations.size();
    parallelFor((count + strip - 1) / strip, cpu, 1, [&](std::size_t s) {
        const auto begin = s * strip, size = std::min(strip, count - begin);
        std::array<double, strip> sums{};
        for (std::size_t m = 0; m < modes.rows; ++m) {
            const float *row = modes.row(m);
            for (std::size_t i = 0; i < size; ++i) {
                const auto value = static_cast<double>(row[columnOf(begin + i)]);
                sums[i] += variances[m] * value * value;
            }
        }
        for (std::size_t i = 0; i < size; ++i)
            deviations[begin + i] = static_cast<float>(std::sqrt(sums[i]));
    });
}

} // namespace

void fillDeviations(std::span<const double> variances, sparse::MatrixView<const float> modes,
                    std::size_t firstColumn, std::span<float> deviations, const CpuDevice &cpu)
{
    requireModes(variances, modes);
    if (firstColumn > modes.columns || deviations.size() > modes.columns - firstColumn)
        throw Error(std::to_string(deviations.size()) + " columns from number "
                    + std::to_string(firstColumn) + " on, and there are "
                    + std::to_string(modes.columns));
    fill(variances, modes, deviations, cpu, [=](std::size_t i) { return firstColumn + i; });
}

void fillDeviations(std::span<const double> variances, sparse::MatrixView<const float> modes,
                    std::span<const std::uint32_t> columns, std::span<float> deviations,
                    const CpuDevice &cpu)
{
    requireModes(variances, modes);
    const auto isThere = [&](std::uint32_t column) { return column < modes.columns; };
    if (columns.size() != deviations.size() || !std::ranges::all_of(columns, isThere))
        throw Error("a list of columns names some that are not there, or is not as long as what it "
                    "is to fill");
    fill(variances, modes, deviations, cpu, [=](std::size_t i) { return columns[i]; });
}

} // namespace gridhelm::data
