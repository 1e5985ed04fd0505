// SPDX-License-Identifier: GPL-3.0-or-later
//
// What there is of the benchmarks of the CUDA device where CUDA was not built in.
#include "app/bench/device_seconds.h"
#include "app/bench/link_seconds.h"
#include "app/cli/commands.h"
#include "core/support/error.h"
#include "gpu/device_info.h"

#include <string>

namespace gridhelm {
namespace cli {
namespace {

void addWithoutCuda(CLI::App &parent, const std::string &name)
{
    CLI::App &command = *parent.add_subcommand(name, "(not built in: needs CUDA)");
    command.allow_extras();
    command.callback(
        [] { throw Error("there is nothing to measure: " + gpu::listDevices().reason); });
}

} // namespace

void addBenchCudaSparseCommand(CLI::App &parent, const GlobalOptions &)
{
    addWithoutCuda(parent, "cuda-sparse");
}

void addBenchCudaPoissonCommand(CLI::App &parent, const GlobalOptions &)
{
    addWithoutCuda(parent, "cuda-poisson");
}

void addBenchCudaPmmCommand(CLI::App &parent, const GlobalOptions &)
{
    addWithoutCuda(parent, "cuda-pmm");
}

} // namespace cli

namespace bench {

std::optional<double> secondsOnDevice(const dispatch::Workload &, const ExecutionContext &,
                                      const gpu::DeviceLimits &)
{
    return std::nullopt;
}

double secondsOfPeerCopy(const GpuDevice &, const GpuDevice &, std::size_t)
{
    throw Error("nothing can be sent from GPU to GPU: " + gpu::listDevices().reason);
}

} // namespace bench
} // namespace gridhelm
