// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sparse/omp/simd_targets.h"

#include "core/support/error.h"

#include <hwy/highway.h>
#include <hwy/targets.h>

#include <algorithm>
#include <bit>

namespace gridhelm::sparse::omp {

namespace {

/// Highway numbers better targets with lower bits.
std::int64_t bestOf(std::int64_t targets)
{
    return targets & -targets;
}

std::int64_t compiledAndSupported()
{
    return hwy::SupportedTargets() & HWY_TARGETS;
}

} // namespace

std::vector<std::string> availableSimdTargets()
{
    const auto forced = hwy::SupportedTargets();
    hwy::SetSupportedTargetsForTest(0);
    auto remaining = compiledAndSupported();
    hwy::SetSupportedTargetsForTest(forced);
    std::vector<std::string> names;
    for (; remaining != 0; remaining &= remaining - 1)
        names.emplace_back(hwy::TargetName(bestOf(remaining)));
    return names;
}

std::string activeSimdTarget()
{
    return hwy::TargetName(bestOf(compiledAndSupported()));
}

void forceSimdTarget(const std::string &name)
{
    useBestSimdTarget();
    for (auto remaining = compiledAndSupported(); remaining != 0; remaining &= remaining - 1) {
        if (name == hwy::TargetName(bestOf(remaining))) {
            hwy::SetSupportedTargetsForTest(bestOf(remaining));
            hwy::GetChosenTarget().Update(hwy::SupportedTargets());
            return;
        }
    }
    throw Error("SIMD instruction set \"" + name + "\" is not available on this machine");
}

void useBestSimdTarget()
{
    hwy::SetSupportedTargetsForTest(0);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

} // namespace gridhelm::sparse::omp
