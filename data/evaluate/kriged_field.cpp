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

/// Values of a mode at neighbouring columns, or at some.
struct ExactModes
{
    const linalg::MatrixView<const float> &modes;

    linalg::MatrixView<const float> shape() const { return modes; }
    void read(std::size_t mode, std::size_t first, std::span<float> values) const
    {
        std::copy_n(modes.row(mode) + first, values.size(), values.data());
    }
    void read(std::size_t mode, std::span<const std::uint32_t> columns,
              std::span<float> values) const
    {
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = modes.row(mode)[columns[i]];
    }
};
struct QuantisedModesOf
{
    const codec::QuantisedRows &modes;

    linalg::MatrixView<const float> shape() const { return modes.shape(); }
    void read(std::size_t mode, std::size_t first, std::span<float> values) const
    {
        modes.rows[mode].decode(first, values);
    }
    void read(std::size_t mode, std::span<const std::uint32_t> columns,
              std::span<float> values) const
    {
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = modes.rows[mode].value(columns[i]);
    }
};

void requireModes(std::span<const double> variances, const linalg::MatrixView<const float> &modes)
{
    if (variances.size() != modes.rows)
        throw Error(std::to_string(variances.size()) + " variances do not fit "
                    + std::to_string(modes.rows) + " POD modes: give one for each");
}

void requireColumns(std::size_t firstColumn, std::size_t count, std::size_t columns)
{
    if (firstColumn > columns || count > columns - firstColumn)
        throw Error(std::to_string(count) + " columns from number " + std::to_string(firstColumn)
                    + " on, and there are " + std::to_string(columns));
}
void requireColumns(std::span<const std::uint32_t> wanted, std::size_t count, std::size_t columns)
{
    const auto isThere = [&](std::uint32_t column) { return column < columns; };
    if (wanted.size() != count || !std::ranges::all_of(wanted, isThere))
        throw Error("a list of columns names some that are not there, or is not as long as what it "
                    "is to fill");
}

std::size_t columnsOf(std::size_t firstColumn, std::size_t begin, std::size_t /*size*/)
{
    return firstColumn + begin;
}
std::span<const std::uint32_t> columnsOf(std::span<const std::uint32_t> columns, std::size_t begin,
                                         std::size_t size)
{
    return columns.subspan(begin, size);
}

/// columns: the first one, or a list.
template <typename Modes, typename Columns>
void fill(std::span<const double> variances, const Modes &modes, Columns columns,
          std::span<float> deviations, const CpuDevice &cpu)
{
    const auto shape = modes.shape();
    requireModes(variances, shape);
    requireColumns(columns, deviations.size(), shape.columns);
    const auto count = deviations.size();
    parallelFor((count + strip - 1) / strip, cpu, 1, [&](std::size_t s) {
        const auto begin = s * strip, size = std::min(strip, count - begin);
        std::array<double, strip> sums{};
        std::array<float, strip> values;
        for (std::size_t m = 0; m < shape.rows; ++m) {
            modes.read(m, columnsOf(columns, begin, size), std::span(values).first(size));
            for (std::size_t i = 0; i < size; ++i) {
                const auto value = static_cast<double>(values[i]);
                sums[i] += variances[m] * value * value;
            }
        }
        for (std::size_t i = 0; i < size; ++i)
            deviations[begin + i] = static_cast<float>(std::sqrt(sums[i]));
    });
}

} // namespace

void fillDeviations(std::span<const double> variances, linalg::MatrixView<const float> modes,
                    std::size_t firstColumn, std::span<float> deviations, const CpuDevice &cpu)
{
    fill(variances, ExactModes{modes}, firstColumn, deviations, cpu);
}

void fillDeviations(std::span<const double> variances, linalg::MatrixView<const float> modes,
                    std::span<const std::uint32_t> columns, std::span<float> deviations,
                    const CpuDevice &cpu)
{
    fill(variances, ExactModes{modes}, columns, deviations, cpu);
}

void fillDeviations(std::span<const double> variances, const codec::QuantisedRows &modes,
                    std::size_t firstColumn, std::span<float> deviations, const CpuDevice &cpu)
{
    fill(variances, QuantisedModesOf{modes}, firstColumn, deviations, cpu);
}

void fillDeviations(std::span<const double> variances, const codec::QuantisedRows &modes,
                    std::span<const std::uint32_t> columns, std::span<float> deviations,
                    const CpuDevice &cpu)
{
    fill(variances, QuantisedModesOf{modes}, columns, deviations, cpu);
}

} // namespace gridhelm::data
