// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sparse/team/assisted_vectors.h"

#include <bit>
#include <utility>

namespace gridhelm::sparse {
namespace {

class AssistedVectors final : public VectorEvaluator
{
public:
    AssistedVectors(std::unique_ptr<VectorEvaluator> first, std::unique_ptr<VectorEvaluator> helper,
                    MatrixView<const float> matrix, std::shared_ptr<JointWork> joint)
        : m_first(std::move(first))
        , m_helper(std::move(helper))
        , m_matrix(matrix)
        , m_work(std::move(joint))
    {
    }

    ComputedOn combine(const SparseWeights &weights, std::size_t firstColumn, std::span<float> y,
                       std::span<float> indicator) const override
    {
        linalg::requireFitting<float>(weights, m_matrix, firstColumn, y, indicator);
        if (y.empty())
            return {};
        constexpr std::size_t lineColumns = 16; // of a cache line
        return divide(
            {Operation::combination, kindOf(weights, indicator)}, y.size(),
            [&](const VectorEvaluator &each, Share share) {
                return each.combine(weights, firstColumn + share.begin, partOf(y, share),
                                    partOf(indicator, share));
            },
            lineColumns, firstColumn);
    }

    ComputedOn combineColumns(const SparseWeights &weights, std::span<const std::uint32_t> columns,
                              std::span<float> y, std::span<float> indicator) const override
    {
        linalg::requireFitting<float>(weights, m_matrix, columns, y, indicator);
        if (columns.empty())
            return {};
        return divide({Operation::columns, kindOf(weights, indicator)}, columns.size(),
                      [&](const VectorEvaluator &each, Share share) {
                          return each.combineColumns(weights, partOf(columns, share),
                                                     partOf(y, share), partOf(indicator, share));
                      });
    }

private:
    using Operation = AssistedWork::Operation;

    /// What takes about as long for each column: about as many rows.
    static std::size_t kindOf(const SparseWeights &weights, std::span<const float> indicator)
    {
        return 2 * static_cast<std::size_t>(std::bit_width(weights.rows.size()))
               + (indicator.empty() ? 0 : 1);
    }

    template <typename Work>
    ComputedOn divide(AssistedWork::Kind kind, std::size_t items, Work work,
                      std::size_t granule = 1, std::size_t origin = 0) const
    {
        return m_work.divide(
            kind, items, [&](Share share) { return work(*m_first, share); },
            [&](Share share) { return work(*m_helper, share); }, granule, origin);
    }

    std::unique_ptr<VectorEvaluator> m_first, m_helper;
    MatrixView<const float> m_matrix;
    mutable AssistedWork m_work;
};

} // namespace

std::unique_ptr<VectorEvaluator> makeAssistedVectors(std::unique_ptr<VectorEvaluator> first,
                                                     std::unique_ptr<VectorEvaluator> helper,
                                                     MatrixView<const float> matrix,
                                                     std::shared_ptr<JointWork> joint)
{
    return std::make_unique<AssistedVectors>(std::move(first), std::move(helper), matrix,
                                             std::move(joint));
}

} // namespace gridhelm::sparse
