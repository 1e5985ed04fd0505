// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sparse/team/assisted_backend.h"

#include "core/sparse/team/assisted_evaluator.h"
#include "core/sparse/team/assisted_vectors.h"
#include "core/sparse/team/joint_work.h"
#include "core/sparse/transforms_of_another.h"

#include <string>
#include <utility>

namespace gridhelm::sparse {
namespace {

class AssistedBackend final : public TransformsOfAnother
{
public:
    AssistedBackend(std::shared_ptr<const Backend> first, std::shared_ptr<const Backend> helper,
                    const ExecutionContext &context)
        : TransformsOfAnother(std::move(first))
        , m_helper(std::move(helper))
        , m_context(context)
        , m_name(std::string(other().name()) + "+" + std::string(m_helper->name()))
    {
    }

    std::string_view name() const override { return m_name; }
    std::string description() const override
    {
        return other().description() + ", with " + m_helper->description();
    }
    const ExecutionContext &context() const override { return m_context; }

    std::unique_ptr<Evaluator<double>> load(std::shared_ptr<const SparseGrid> grid,
                                            std::vector<double> coefficients) const override
    {
        return loadBoth<double>(std::move(grid), std::move(coefficients));
    }
    std::unique_ptr<Evaluator<float>> load(std::shared_ptr<const SparseGrid> grid,
                                           std::vector<float> coefficients) const override
    {
        return loadBoth<float>(std::move(grid), std::move(coefficients));
    }
    std::unique_ptr<VectorEvaluator> loadVectors(MatrixView<const float> matrix) const override
    {
        return makeAssistedVectors(other().loadVectors(matrix), m_helper->loadVectors(matrix),
                                   matrix, m_joint);
    }
    std::unique_ptr<VectorEvaluator> loadQuantised(const QuantisedRows &matrix) const override
    {
        return makeAssistedVectors(other().loadQuantised(matrix), m_helper->loadQuantised(matrix),
                                   matrix.shape(), m_joint);
    }

private:
    template <typename T>
    std::unique_ptr<Evaluator<T>> loadBoth(std::shared_ptr<const SparseGrid> grid,
                                           std::vector<T> coefficients) const
    {
        auto first = other().load(grid, coefficients);
        auto helper = m_helper->load(std::move(grid), std::move(coefficients));
        return makeAssistedEvaluator<T>(std::move(first), std::move(helper),
                                        other().smallestShare(), m_joint);
    }

    std::shared_ptr<const Backend> m_helper;
    ExecutionContext m_context;
    std::string m_name;
    std::shared_ptr<JointWork> m_joint = std::make_shared<JointWork>(2);
};

} // namespace

std::unique_ptr<Backend> makeAssistedBackend(std::shared_ptr<const Backend> first,
                                             std::shared_ptr<const Backend> helper,
                                             const ExecutionContext &context)
{
    return std::make_unique<AssistedBackend>(std::move(first), std::move(helper), context);
}

} // namespace gridhelm::sparse
