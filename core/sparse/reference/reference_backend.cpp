// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sparse/backend.h"

#include "core/sparse/reference/literal.h"

#include <cmath>
#include <utility>

namespace gridhelm::sparse {

namespace {

template <typename T>
class ReferenceEvaluator final : public Evaluator<T>
{
public:
    ReferenceEvaluator(std::shared_ptr<const SparseGrid> grid, std::vector<T> coefficients)
        : m_grid(std::move(grid))
        , m_coefficients(std::move(coefficients))
    {
        m_grid->requireOneValuePerPoint(m_coefficients.size());
    }

    const SparseGrid &grid() const override { return *m_grid; }

    ComputedOn doInterpolate(PointsView<T> points, EvaluationOutput<T> out) const override
    {
        for (std::size_t j = 0; j < points.count(); ++j)
            interpolateOne(points.point(j), j, out);
        return ComputedOn::cpu();
    }

    ComputedOn doInterpolateShared(PointsView<T> points, const std::vector<bool> & /*isFixed*/,
                                   EvaluationOutput<T> out) const override
    {
        return doInterpolate(points, out);
    }

    ComputedOn doInterpolateCartesian(const CartesianPoints<T> &points, CartesianPart part,
                                      EvaluationOutput<T> out) const override
    {
        const auto d = points.axes.size();
        const auto before = countOf(points, {0, part.begin});
        std::vector<T> x(d);
        for (std::size_t j = 0; j < countOf(points, part); ++j) {
            auto remaining = before + j;
            for (std::size_t t = d; t-- > 0;) {
                x[t] = points.axes[t][remaining % points.axes[t].size()];
                remaining /= points.axes[t].size();
            }
            interpolateOne(x, j, out);
        }
        return ComputedOn::cpu();
    }

    ComputedOn doGradient(PointsView<T> points, std::span<T> values,
                          std::span<T> gradients) const override
    {
        doInterpolate(points, {values});
        const auto d = static_cast<std::size_t>(points.dimension);
        for (std::size_t j = 0; j < points.count(); ++j)
            reference::gradient<T>(*m_grid, m_coefficients, points.point(j),
                                   gradients.subspan(j * d, d));
        return ComputedOn::cpu();
    }

    Combination doCombine(const SparseWeights &weights) const override
    {
        return combineCoefficients<T>(weights, m_coefficients);
    }

    std::size_t bytes() const override
    {
        return m_coefficients.capacity() * sizeof(T) + m_grid->tableBytes();
    }

private:
    void interpolateOne(std::span<const T> x, std::size_t j, EvaluationOutput<T> out) const
    {
        const auto result = reference::interpolate<T>(*m_grid, m_coefficients, x);
        out.values[j] = result.value;
        if (!out.indicator.empty())
            out.indicator[j] = std::abs(result.lastGroup);
    }

    std::shared_ptr<const SparseGrid> m_grid;
    std::vector<T> m_coefficients;
};

MatrixView<const float> shapeOf(const MatrixView<const float> &matrix)
{
    return matrix;
}
MatrixView<const float> shapeOf(const QuantisedRows &matrix)
{
    return matrix.shape();
}

/// Of a MatrixView, or of QuantisedRows.
template <typename Matrix>
class ReferenceVectorEvaluator final : public VectorEvaluator
{
public:
    explicit ReferenceVectorEvaluator(const Matrix &matrix)
        : m_matrix(matrix)
    {
        linalg::requireFitting<float>({}, shapeOf(matrix), 0, {}, {});
    }

    ComputedOn combine(const SparseWeights &weights, std::size_t firstColumn, std::span<float> y,
                       std::span<float> indicator) const override
    {
        linalg::requireFitting<float>(weights, shapeOf(m_matrix), firstColumn, y, indicator);
        for (std::size_t i = 0; i < y.size(); ++i)
            combineOne(weights, firstColumn + i, i, {y, indicator});
        return ComputedOn::cpu();
    }
    ComputedOn combineColumns(const SparseWeights &weights, std::span<const std::uint32_t> columns,
                              std::span<float> y, std::span<float> indicator) const override
    {
        linalg::requireFitting<float>(weights, shapeOf(m_matrix), columns, y, indicator);
        for (std::size_t i = 0; i < y.size(); ++i)
            combineOne(weights, columns[i], i, {y, indicator});
        return ComputedOn::cpu();
    }

private:
    void combineOne(const SparseWeights &weights, std::size_t column, std::size_t i,
                    EvaluationOutput<float> out) const
    {
        const auto sum = reference::combine(weights, m_matrix, column);
        out.values[i] = sum.value;
        if (!out.indicator.empty())
            out.indicator[i] = std::abs(sum.lastGroup);
    }

    Matrix m_matrix;
};

class ReferenceBackend final : public Backend
{
public:
    std::string_view name() const override { return "reference"; }
    std::string description() const override { return "literal, one thread"; }
    const ExecutionContext &context() const override { return m_context; }

    ComputedOn hierarchize(const SparseGrid &grid, std::span<double> values) const override
    {
        reference::hierarchize(grid, values);
        return ComputedOn::cpu();
    }
    ComputedOn hierarchize(const SparseGrid &grid, std::span<float> values) const override
    {
        reference::hierarchize(grid, values);
        return ComputedOn::cpu();
    }
    ComputedOn dehierarchize(const SparseGrid &grid, std::span<double> coefficients) const override
    {
        reference::dehierarchize(grid, coefficients);
        return ComputedOn::cpu();
    }
    ComputedOn dehierarchize(const SparseGrid &grid, std::span<float> coefficients) const override
    {
        reference::dehierarchize(grid, coefficients);
        return ComputedOn::cpu();
    }
    std::unique_ptr<Evaluator<double>> load(std::shared_ptr<const SparseGrid> grid,
                                            std::vector<double> coefficients) const override
    {
        return std::make_unique<ReferenceEvaluator<double>>(std::move(grid),
                                                            std::move(coefficients));
    }
    std::unique_ptr<Evaluator<float>> load(std::shared_ptr<const SparseGrid> grid,
                                           std::vector<float> coefficients) const override
    {
        return std::make_unique<ReferenceEvaluator<float>>(std::move(grid),
                                                           std::move(coefficients));
    }
    std::unique_ptr<VectorEvaluator> loadVectors(MatrixView<const float> matrix) const override
    {
        return std::make_unique<ReferenceVectorEvaluator<MatrixView<const float>>>(matrix);
    }
    std::unique_ptr<VectorEvaluator> loadQuantised(const QuantisedRows &matrix) const override
    {
        return std::make_unique<ReferenceVectorEvaluator<QuantisedRows>>(matrix);
    }

private:
    ExecutionContext m_context{CpuDevice{}};
};

} // namespace

std::unique_ptr<Backend> makeReferenceBackend()
{
    return std::make_unique<ReferenceBackend>();
}

} // namespace gridhelm::sparse
