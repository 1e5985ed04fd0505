// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sparse/omp/omp_vector_evaluator.h"

#include "core/linalg/tiled_combination.h"

namespace gridhelm::sparse::omp {
namespace {

class OmpVectorEvaluator final : public VectorEvaluator
{
public:
    OmpVectorEvaluator(MatrixView<const float> matrix, const ExecutionContext &context)
        : m_matrix(matrix)
        , m_cpu(context.cpu())
        , m_constants(context.tuning(), sizeof(float), matrix.columns)
    {
        linalg::requireFitting<float>({}, matrix, 0, {}, {});
    }

    ComputedOn combine(const SparseWeights &weights, std::size_t firstColumn, std::span<float> y,
                       std::span<float> indicator) const override
    {
        linalg::combineTiles<float>(weights, m_matrix, firstColumn, y, indicator, m_cpu,
                                    m_constants);
        return ComputedOn::cpu();
    }

    ComputedOn combineColumns(const SparseWeights &weights, std::span<const std::uint32_t> columns,
                              std::span<float> y, std::span<float> indicator) const override
    {
        linalg::combineColumns<float>(weights, m_matrix, columns, y, indicator, m_cpu);
        return ComputedOn::cpu();
    }

private:
    MatrixView<const float> m_matrix;
    CpuDevice m_cpu;
    linalg::CombinationConstants m_constants;
};

class OmpQuantisedEvaluator final : public VectorEvaluator
{
public:
    OmpQuantisedEvaluator(const QuantisedRows &matrix, const CpuDevice &cpu)
        : m_matrix(matrix)
        , m_cpu(cpu)
    {
    }

    ComputedOn combine(const SparseWeights &weights, std::size_t firstColumn, std::span<float> y,
                       std::span<float> indicator) const override
    {
        linalg::combine(weights, m_matrix, firstColumn, y, indicator, m_cpu);
        return ComputedOn::cpu();
    }

    ComputedOn combineColumns(const SparseWeights &weights, std::span<const std::uint32_t> columns,
                              std::span<float> y, std::span<float> indicator) const override
    {
        linalg::combineColumns(weights, m_matrix, columns, y, indicator, m_cpu);
        return ComputedOn::cpu();
    }

private:
    QuantisedRows m_matrix;
    CpuDevice m_cpu;
};

} // namespace

std::unique_ptr<VectorEvaluator> makeVectorEvaluator(MatrixView<const float> matrix,
                                                     const ExecutionContext &context)
{
    return std::make_unique<OmpVectorEvaluator>(matrix, context);
}

std::unique_ptr<VectorEvaluator> makeQuantisedEvaluator(const QuantisedRows &matrix,
                                                        const CpuDevice &cpu)
{
    return std::make_unique<OmpQuantisedEvaluator>(matrix, cpu);
}

} // namespace gridhelm::sparse::omp

namespace gridhelm::sparse {

std::unique_ptr<VectorEvaluator> Backend::loadQuantised(const QuantisedRows &matrix) const
{
    return omp::makeQuantisedEvaluator(matrix, context().cpu());
}

} // namespace gridhelm::sparse
