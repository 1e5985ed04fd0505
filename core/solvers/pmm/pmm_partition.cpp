// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/pmm/pmm_partition.h"

#include "core/support/error.h"

#include <fmt/format.h>

#include <algorithm>

namespace gridhelm::solvers {

std::string_view nameOf(PmmPartition partition)
{
    return partition == PmmPartition::repartition ? "repartition" : "pipelined";
}

std::optional<PmmPartition> parsePmmPartition(std::string_view text, std::string_view what)
{
    if (text == "auto")
        return std::nullopt;
    for (auto partition : {PmmPartition::repartition, PmmPartition::pipelined}) {
        if (text == nameOf(partition))
            return partition;
    }
    throw Error(fmt::format("{}: there is no partition \"{}\"; choose auto, repartition or "
                            "pipelined",
                            what, text));
}

PmmSlabs dividedAmongTeam(const PmmProblem &problem, PmmPartition partition, std::size_t granule,
                          std::span<const double> weights, const ExecutionContext &context)
{
    PmmSlabs slabs;
    slabs.planes = divided(problem.nodes[2], granule, weights);
    if (partition == PmmPartition::repartition)
        slabs.rows = divided(problem.nodes[1], granule, weights);
    reportShares(slabs.planes, "planes", context);
    if (slabs.devices() < weights.size()) {
        const auto &n = problem.nodes;
        const auto size = partition == PmmPartition::repartition
                              ? fmt::format("{} rows and {} planes", n[1], n[2])
                              : fmt::format("{} planes", n[2]);
        const auto tiles = granule == 1 ? std::string() : fmt::format(", in tiles of {}", granule);
        context.report(
            {ExecutionEvent::Kind::notice,
             fmt::format("{} of {} {} compute: the grid has only {}{}", slabs.devices(),
                         weights.size(), context.ranks() ? "ranks" : "devices", size, tiles)});
    }
    return slabs;
}

} // namespace gridhelm::solvers
