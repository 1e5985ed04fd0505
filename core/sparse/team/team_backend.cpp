// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sparse/team/team_backend.h"

#include "core/sparse/team/assisted_backend.h"
#include "core/sparse/team/divided_transform.h"
#include "core/sparse/team/divided_vectors.h"
#include "core/sparse/team/joint_work.h"
#include "core/sparse/team/team_evaluator.h"
#include "core/support/enumeration.h"
#include "core/support/error.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>

namespace gridhelm::sparse {
namespace {

class TeamBackend final : public Backend
{
public:
    TeamBackend(std::vector<TeamMember> members, const ExecutionContext &context)
        : m_members(std::move(members))
        , m_context(context)
    {
        if (m_members.empty() || !std::ranges::all_of(m_members, [](const TeamMember &member) {
                return member.speed > 0 && std::isfinite(member.speed);
            }))
            throw Error("several devices can evaluate together only if there are any, and all of "
                        "a speed above 0; name at least one");
        std::vector<std::string> names; // "cuda", "cuda+omp"
        for (const auto &member : m_members) {
            const std::string name(member.backend->name());
            if (std::ranges::find(names, name) != names.end())
                continue;
            names.push_back(name);
            m_name += (m_name.empty() ? "" : "+") + name;
        }
        m_work = std::make_shared<JointWork>(m_members.size() + 1); // and the CPU's rest
    }

    std::string_view name() const override { return m_name; }
    std::string description() const override
    {
        std::vector<std::string> all;
        for (const auto &member : m_members)
            all.push_back(member.backend->description());
        return enumeration(all, "and");
    }
    const ExecutionContext &context() const override { return m_context; }

    ComputedOn hierarchize(const SparseGrid &grid, std::span<double> values) const override
    {
        return transform(Transform::hierarchize, grid, values);
    }
    ComputedOn hierarchize(const SparseGrid &grid, std::span<float> values) const override
    {
        return transform(Transform::hierarchize, grid, values);
    }
    ComputedOn dehierarchize(const SparseGrid &grid, std::span<double> coefficients) const override
    {
        return transform(Transform::dehierarchize, grid, coefficients);
    }
    ComputedOn dehierarchize(const SparseGrid &grid, std::span<float> coefficients) const override
    {
        return transform(Transform::dehierarchize, grid, coefficients);
    }

    std::unique_ptr<Evaluator<double>> load(std::shared_ptr<const SparseGrid> grid,
                                            std::vector<double> coefficients) const override
    {
        return makeTeamEvaluator<double>(m_members, std::move(grid), std::move(coefficients),
                                         m_work);
    }
    std::unique_ptr<Evaluator<float>> load(std::shared_ptr<const SparseGrid> grid,
                                           std::vector<float> coefficients) const override
    {
        return makeTeamEvaluator<float>(m_members, std::move(grid), std::move(coefficients),
                                        m_work);
    }
    std::size_t smallestShare() const override
    {
        std::size_t largest = 1;
        for (const auto &member : m_members)
            largest = std::max(largest, member.backend->smallestShare());
        return largest;
    }
    std::unique_ptr<VectorEvaluator> loadVectors(MatrixView<const float> matrix) const override
    {
        return loadDivided(m_members, matrix, m_context, m_work);
    }
    std::unique_ptr<VectorEvaluator> loadQuantised(const QuantisedRows &matrix) const override
    {
        return loadDivided(m_members, matrix, m_work);
    }

private:
    template <typename T>
    ComputedOn transform(Transform transform, const SparseGrid &grid, std::span<T> values) const
    {
        if (grid.points() >= fewestPointsDivided)
            return transformDivided(transform, grid, values, m_members, *m_work);
        const auto &first = *m_members.front().backend;
        return transform == Transform::hierarchize ? first.hierarchize(grid, values)
                                                   : first.dehierarchize(grid, values);
    }

    std::vector<TeamMember> m_members;
    ExecutionContext m_context;
    std::string m_name;
    std::shared_ptr<JointWork> m_work;
};

} // namespace

std::unique_ptr<Backend> makeTeamBackend(std::vector<TeamMember> members,
                                         const ExecutionContext &context)
{
    const auto helpers = std::ranges::stable_partition(members, std::not_fn(&TeamMember::isHelper));
    std::vector<TeamMember> others(helpers.begin(), helpers.end());
    members.erase(helpers.begin(), helpers.end());
    if (members.empty())
        std::swap(members, others);
    if (others.empty())
        return std::make_unique<TeamBackend>(std::move(members), context);
    // Helpers were named: what the others have no room for is theirs without a fallback.
    return makeAssistedBackend(
        std::make_shared<TeamBackend>(std::move(members),
                                      context.withFallback(FallbackPolicy::allowed)),
        std::make_shared<TeamBackend>(std::move(others), context), context);
}

} // namespace gridhelm::sparse
