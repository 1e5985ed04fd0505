// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/backend_choice.h"

#include "app/choice/machine_choice.h"
#include "app/cli/output.h"
#include "core/choice/auto_backend.h"
#include "core/choice/auto_solvers.h"
#include "core/support/error.h"
#include "core/support/parse_numbers.h"
#include "core/support/system_info.h"
#include "gpu/cuda_solvers.h"
#include "gpu/sparse/cuda_backend.h"

#include <fmt/format.h>

namespace gridhelm::cli {

int threadCount(const GlobalOptions &global)
{
    constexpr int most = 1024;
    const int threads = parseInteger(global.threads, "--threads");
    if (threads < 0 || threads > most)
        throw Error(fmt::format("{} threads are not possible: choose 1 to {}, or 0 for all",
                                threads, most));
    return threads;
}

int threadCountOrAll(const GlobalOptions &global)
{
    const int threads = threadCount(global);
    return threads > 0 ? threads : querySystemInfo().threadCount;
}

const std::shared_ptr<choice::BackendChoice> &backendChoice()
{
    static const auto choice = app::makeMachineChoice([](const std::string &sentence) {
        printMessage(fmt::format("gridhelm-cli: {}.\n", sentence));
    });
    return choice;
}

std::unique_ptr<sparse::Backend> makeBackend(const GlobalOptions &global)
{
    const int threads = threadCount(global);
    if (global.backend == "auto")
        return choice::makeAutoBackend(backendChoice(), threads);
    if (global.backend == "omp")
        return sparse::makeOmpBackend(threads);
    if (global.backend == "reference")
        return sparse::makeReferenceBackend();
    if (global.backend == "cuda")
        return gpu::makeCudaBackend();
    throw Error(fmt::format("there is no back end \"{}\": use auto, omp, cuda or reference (the "
                            "command \"backends\" describes them)",
                            global.backend));
}

const solvers::SolverBackend &solverBackend(const GlobalOptions &global)
{
    static const auto automatic = choice::makeAutoSolvers(backendChoice());
    if (global.backend == "auto")
        return *automatic;
    if (global.backend == "omp")
        return solvers::ompSolvers();
    if (global.backend == "cuda")
        return gpu::cudaSolvers();
    throw Error(
        fmt::format("the solvers have no back end \"{}\": use auto, omp or cuda", global.backend));
}

} // namespace gridhelm::cli
