// SPDX-License-Identifier: GPL-3.0-or-later
//
// A back end whose results are off by a hundredth: what checks of results have to see.
#pragma once

#include "core/sparse/backend.h"

#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace gridhelm::test {

class OffBackend final : public sparse::Backend
{
public:
    explicit OffBackend(std::shared_ptr<const sparse::Backend> other)
        : m_other(std::move(other))
    {
    }

    std::string_view name() const override { return "off"; }
    std::string description() const override { return "off by a hundredth"; }
    const ExecutionContext &context() const override { return m_other->context(); }

    ComputedOn hierarchize(const sparse::SparseGrid &grid, std::span<double> values) const override
    {
        return off(values, m_other->hierarchize(grid, values));
    }
    ComputedOn hierarchize(const sparse::SparseGrid &grid, std::span<float> values) const override
    {
        return off(values, m_other->hierarchize(grid, values));
    }
    ComputedOn dehierarchize(const sparse::SparseGrid &grid,
                             std::span<double> values) const override
    {
        return off(values, m_other->dehierarchize(grid, values));
    }
    ComputedOn dehierarchize(const sparse::SparseGrid &grid, std::span<float> values) const override
    {
        return off(values, m_other->dehierarchize(grid, values));
    }

    std::unique_ptr<sparse::Evaluator<double>> load(std::shared_ptr<const sparse::SparseGrid> grid,
                                                    std::vector<double> values) const override
    {
        off(std::span(values), {});
        return m_other->load(std::move(grid), std::move(values));
    }
    std::unique_ptr<sparse::Evaluator<float>> load(std::shared_ptr<const sparse::SparseGrid> grid,
                                                   std::vector<float> values) const override
    {
        off(std::span(values), {});
        return m_other->load(std::move(grid), std::move(values));
    }

    std::unique_ptr<sparse::VectorEvaluator>
    loadVectors(linalg::MatrixView<const float> matrix) const override
    {
        m_rows.assign(matrix.data, matrix.data + matrix.rows * matrix.stride);
        off(std::span(m_rows), {});
        return m_other->loadVectors({m_rows.data(), matrix.rows, matrix.columns, matrix.stride});
    }

private:
    template <typename T>
    static ComputedOn off(std::span<T> values, ComputedOn where)
    {
        for (T &value : values)
            value *= T(1.01);
        return where;
    }

    std::shared_ptr<const sparse::Backend> m_other;
    mutable std::vector<float> m_rows; ///< of the matrix that was loaded last
};

} // namespace gridhelm::test
