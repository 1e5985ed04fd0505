// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sparse/omp/omp_vector_evaluator.h"

namespace gridhelm::sparse::omp {
namespace {

class OmpVectorEvaluator final : public VectorEvaluator
{
public:
    OmpVectorEvaluator(MatrixView<const float> matrix, const CpuDevice &cpu)
        : m_matrix(matrix)
        , m_cpu(cpu)
    {
        requireFitting<float>({}, matrix, 0, {}, {});
    }

    ComputedOn combine(const SparseWeights &weights, std::size_t firstColumn, std::span<float> y,
                       std::span<float> indicator) const override
    {
        sparse::combine<float>(weights, m_matrix, firstColumn, y, indicator, m_cpu);
        return ComputedOn::cpu();
    }

    ComputedOn combineColumns(const SparseWeights &weights, std::span<const std::uint32_t> columns,
                              std::span<float> y, std::span<float> indicator) const override
    {
        sparse::combineColumns<float>(weights, m_matrix, columns, y, indicator, m_cpu);
        return ComputedOn::cpu();
    }

private:
    MatrixView<const float> m_matrix;
    CpuDevice m_cpu;
};

} // namespace

std::unique_ptr<VectorEvaluator> makeVectorEvaluator(MatrixView<const float> matrix,
                                                     const CpuDevice &cpu)
{
    return std::make_unique<OmpVectorEvaluator>(matrix, cpu);
}

} // namespace gridhelm::sparse::omp
