// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/choice/candidate.h"

#include "core/support/system_info.h"

namespace gridhelm::choice {

Candidate processorCandidate()
{
    return {"omp", querySystemInfo().cpuName,
            [](int threads) -> std::shared_ptr<const sparse::Backend> {
                return sparse::makeOmpBackend(threads);
            },
            &solvers::ompSolvers()};
}

std::string sentenceOnRelief(const std::string &failed, const std::string &by,
                             const std::string &problem)
{
    return by + " takes over from " + failed + ": " + problem;
}

} // namespace gridhelm::choice
