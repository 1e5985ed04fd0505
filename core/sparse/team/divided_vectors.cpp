// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sparse/team/divided_vectors.h"

#include "core/sparse/team/shares.h"
#include "core/support/bytes_text.h"
#include "core/support/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

namespace gridhelm::sparse {
namespace {

/// Columns of a cache line: where rows begin at one, their parts do, too.
constexpr std::size_t lineColumns = 16;

class DividedVectors final : public VectorEvaluator
{
public:
    struct Part
    {
        Share columns;
        std::unique_ptr<VectorEvaluator> evaluator;
        std::size_t firstColumn; ///< that the evaluator has
    };

    DividedVectors(MatrixView<const float> matrix, std::vector<Part> parts,
                   std::shared_ptr<JointWork> work)
        : m_matrix(matrix)
        , m_parts(std::move(parts))
        , m_work(std::move(work))
    {
    }

    ComputedOn combine(const SparseWeights &weights, std::size_t firstColumn, std::span<float> y,
                       std::span<float> indicator) const override
    {
        linalg::requireFitting<float>(weights, m_matrix, firstColumn, y, indicator);
        const Share wanted{firstColumn, firstColumn + y.size()};
        const auto common = [&](std::size_t i) {
            const auto &own = m_parts[i].columns;
            const auto begin = std::max(own.begin, wanted.begin);
            return Share{begin, std::max(begin, std::min(own.end, wanted.end))};
        };
        return runParts([&](std::size_t i) { return common(i).size(); },
                        [&](std::size_t i) {
                            const auto here = common(i);
                            const Share ofY{here.begin - firstColumn, here.end - firstColumn};
                            return m_parts[i].evaluator->combine(
                                weights, here.begin - m_parts[i].firstColumn, partOf(y, ofY),
                                partOf(indicator, ofY));
                        });
    }

    ComputedOn combineColumns(const SparseWeights &weights, std::span<const std::uint32_t> columns,
                              std::span<float> y, std::span<float> indicator) const override
    {
        linalg::requireFitting<float>(weights, m_matrix, columns, y, indicator);
        std::vector<std::vector<std::uint32_t>> places(m_parts.size()); // in the list
        for (std::size_t j = 0; j < columns.size(); ++j)
            places[holderOf(columns[j])].push_back(static_cast<std::uint32_t>(j));
        return runParts([&](std::size_t i) { return places[i].size(); },
                        [&](std::size_t i) {
                            return combineListed(m_parts[i], places[i], weights, columns, y,
                                                 indicator);
                        });
    }

private:
    std::size_t holderOf(std::size_t column) const
    {
        const auto behind = std::ranges::upper_bound(
            m_parts, column, {}, [](const Part &each) { return each.columns.end; });
        return static_cast<std::size_t>(behind - m_parts.begin());
    }

    /// By those that have something to do.
    template <typename SizeOf, typename Body>
    ComputedOn runParts(SizeOf sizeOf, Body body) const
    {
        std::vector<std::size_t> busy;
        for (std::size_t i = 0; i < m_parts.size(); ++i) {
            if (sizeOf(i) > 0)
                busy.push_back(i);
        }
        return busy.empty() ? ComputedOn() : m_work->run(busy, body);
    }

    static ComputedOn combineListed(const Part &part, const std::vector<std::uint32_t> &places,
                                    const SparseWeights &weights,
                                    std::span<const std::uint32_t> columns, std::span<float> y,
                                    std::span<float> indicator)
    {
        std::vector<std::uint32_t> own(places.size());
        std::ranges::transform(places, own.begin(), [&](std::uint32_t j) {
            return columns[j] - static_cast<std::uint32_t>(part.firstColumn);
        });
        std::vector<float> ofOwn(own.size()), indicatorOfOwn(indicator.empty() ? 0 : own.size());
        const auto where = part.evaluator->combineColumns(weights, own, ofOwn, indicatorOfOwn);
        const auto scatter = [&](const std::vector<float> &from, std::span<float> to) {
            for (std::size_t k = 0; k < from.size(); ++k)
                to[places[k]] = from[k];
        };
        scatter(ofOwn, y);
        scatter(indicatorOfOwn, indicator);
        return where;
    }

    MatrixView<const float> m_matrix;
    std::vector<Part> m_parts; ///< none empty, in the order of their columns
    std::shared_ptr<JointWork> m_work;
};

MatrixView<const float> columnsOf(const MatrixView<const float> &matrix, Share columns)
{
    return {matrix.data + columns.begin, matrix.rows, columns.size(), matrix.stride};
}

/// That the CPU takes what is left, if that is allowed.
void requireRestAllowed(std::size_t held, std::size_t members,
                        const MatrixView<const float> &matrix, const ExecutionContext &context)
{
    const double share = static_cast<double>(held) / static_cast<double>(matrix.columns);
    const auto problem =
        fmt::format("the {} memory holds {:.0f} % of the {} of coefficients",
                    members == 1 ? "GPU's" : "GPUs'", std::floor(100 * share),
                    memoryText(static_cast<double>(matrix.rows)
                               * static_cast<double>(matrix.columns * sizeof(float))));
    if (context.fallback() == FallbackPolicy::forbidden)
        throw BackendError(problem
                           + "; close other programs that use it, or choose the back end omp");
    context.report({ExecutionEvent::Kind::fallback, problem + ", the CPU evaluates the rest"});
}

} // namespace

std::unique_ptr<VectorEvaluator> loadDivided(std::span<const TeamMember> members,
                                             MatrixView<const float> matrix,
                                             const ExecutionContext &context,
                                             std::shared_ptr<JointWork> work)
{
    linalg::requireFitting<float>({}, matrix, 0, {}, {});
    double speedLeft = 0;
    for (const auto &member : members)
        speedLeft += member.speed;
    std::vector<DividedVectors::Part> parts;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < members.size(); ++i) {
        const auto &backend = members[i].backend;
        const double speed = members[i].speed;
        const auto left = matrix.columns - begin;
        const auto lines = static_cast<std::size_t>(
            std::ceil(static_cast<double>(left) * (speed / speedLeft) / lineColumns));
        speedLeft -= speed;
        const auto wanted = i + 1 == members.size() ? left : std::min(left, lines * lineColumns);
        // Asked only now, for the one before may be on the same GPU.
        const auto count =
            std::min(wanted, backend->columnsThatFit(columnsOf(matrix, {begin, begin + wanted})));
        if (count == 0)
            continue;
        const Share own{begin, begin + count};
        parts.push_back({own, backend->loadVectors(columnsOf(matrix, own)), own.begin});
        begin = own.end;
    }
    if (begin < matrix.columns) {
        requireRestAllowed(begin, members.size(), matrix, context);
        const Share rest{begin, matrix.columns};
        parts.push_back(
            {rest, makeOmpBackend(context)->loadVectors(columnsOf(matrix, rest)), rest.begin});
    }
    return std::make_unique<DividedVectors>(matrix, std::move(parts), std::move(work));
}

std::unique_ptr<VectorEvaluator> loadDivided(std::span<const TeamMember> members,
                                             const QuantisedRows &matrix,
                                             std::shared_ptr<JointWork> work)
{
    linalg::requireFitting<float>({}, matrix.shape(), 0, {}, {});
    std::vector<Claim> claims;
    for (const auto &member : members)
        claims.push_back({member.speed});
    const auto groups =
        shared((matrix.columns + codec::groupValues - 1) / codec::groupValues, claims);
    std::vector<DividedVectors::Part> parts;
    for (std::size_t i = 0; i < members.size(); ++i) {
        const Share own{groups[i].begin * codec::groupValues,
                        std::min(groups[i].end * codec::groupValues, matrix.columns)};
        if (groups[i].size() > 0)
            parts.push_back({own, members[i].backend->loadQuantised(matrix), 0});
    }
    return std::make_unique<DividedVectors>(matrix.shape(), std::move(parts), std::move(work));
}

} // namespace gridhelm::sparse
