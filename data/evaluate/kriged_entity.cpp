// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/evaluate/kriged_entity.h"

#include "core/sparse/slices.h"
#include "core/support/error.h"
#include "data/evaluate/unit_axes.h"

#include <numeric>
#include <string>
#include <utility>

namespace gridhelm::data {

namespace {

class KrigedEntity final : public EntitySurrogate
{
public:
    KrigedEntity(ParameterSpace space, std::shared_ptr<const Surrogate> surrogate,
                 std::vector<std::vector<double>> columns, const CpuDevice &cpu)
        : m_space(std::move(space))
        , m_surrogate(std::move(surrogate))
        , m_field(*krigedOf(*m_surrogate))
        , m_columns(std::move(columns))
        , m_cpu(cpu)
    {
    }

    int components() const override { return static_cast<int>(m_columns.size()); }

    void evaluate(const std::vector<std::vector<double>> &axes,
                  std::span<float> values) const override
    {
        const auto points = unitAxes<double>(m_space, axes);
        const auto count = points.count(), stride = m_columns.size();
        if (values.size() != count * stride)
            throw Error(std::to_string(count) + " combinations of parameters, each of "
                        + std::to_string(stride) + " values, and there is room for "
                        + std::to_string(values.size()));
        const auto coefficients = m_field.coefficients(sparse::allCombinations(points.axes), m_cpu);
        const auto modes = m_columns.front().size();
        for (std::size_t i = 0; i < count; ++i) {
            const double *of = coefficients->data() + i * modes;
            for (std::size_t c = 0; c < stride; ++c)
                values[i * stride + c] = static_cast<float>(
                    std::inner_product(of, of + modes, m_columns[c].begin(), 0.0));
        }
    }

private:
    ParameterSpace m_space;
    std::shared_ptr<const Surrogate> m_surrogate;
    const KrigedField &m_field; ///< the same
    std::vector<std::vector<double>> m_columns;
    CpuDevice m_cpu;
};

} // namespace

std::unique_ptr<EntitySurrogate> makeKrigedEntity(ParameterSpace space,
                                                  std::shared_ptr<const Surrogate> surrogate,
                                                  std::vector<std::vector<double>> columns,
                                                  const CpuDevice &cpu)
{
    return std::make_unique<KrigedEntity>(std::move(space), std::move(surrogate),
                                          std::move(columns), cpu);
}

} // namespace gridhelm::data
