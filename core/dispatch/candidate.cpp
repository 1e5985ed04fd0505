// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dispatch/candidate.h"

#include "core/support/system_info.h"

namespace gridhelm::dispatch {

Candidate cpuCandidate()
{
    return {"omp", querySystemInfo().cpuName,
            [](const ExecutionContext &context) -> std::shared_ptr<const sparse::Backend> {
                return sparse::makeOmpBackend(context);
            },
            &solvers::ompSolvers()};
}

} // namespace gridhelm::dispatch
