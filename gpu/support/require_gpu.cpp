// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/support/require_gpu.h"

#include "core/support/error.h"
#include "gpu/device_info.h"

namespace gridhelm::gpu {

const GpuDevice &requireGpu(const ExecutionContext &context)
{
    if (!context.gpus().empty())
        return context.gpus().front();
    const auto list = listDevices();
    if (list.devices.empty())
        throw Error("there is no back end cuda here: " + list.reason + "; until then choose omp");
    throw Error("the back end cuda has no GPU to compute on, because only the CPU was chosen; "
                "choose a GPU, or the back end omp");
}

} // namespace gridhelm::gpu
