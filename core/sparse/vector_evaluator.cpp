// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sparse/backend.h"

namespace gridhelm::sparse {

namespace {

/// Of back ends that compute where the matrix is.
class InPlaceVectorEvaluator final : public VectorEvaluator
{
public:
    InPlaceVectorEvaluator(const Backend &backend, MatrixView<const float> matrix)
        : m_backend(backend)
        , m_matrix(matrix)
    {
        requireFitting<float>({}, matrix, 0, {}, {});
    }

    void spvm(const SparseWeights &weights, std::size_t firstColumn, std::span<float> y,
              std::span<float> indicator) const override
    {
        m_backend.spvm(weights, m_matrix, firstColumn, y, indicator);
    }

    void spvmColumns(const SparseWeights &weights, std::span<const std::uint32_t> columns,
                     std::span<float> y, std::span<float> indicator) const override
    {
        m_backend.spvmColumns(weights, m_matrix, columns, y, indicator);
    }

private:
    const Backend &m_backend;
    MatrixView<const float> m_matrix;
};

} // namespace

std::unique_ptr<VectorEvaluator> Backend::loadVectors(MatrixView<const float> matrix) const
{
    return std::make_unique<InPlaceVectorEvaluator>(*this, matrix);
}

} // namespace gridhelm::sparse
