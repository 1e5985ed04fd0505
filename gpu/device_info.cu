// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/device_info.h"

#include <cuda_runtime.h>

namespace gridhelm::gpu {

bool isBuilt() noexcept
{
    return true;
}

DeviceList listDevices()
{
    int count = 0;
    const cudaError_t status = cudaGetDeviceCount(&count);
    if (status == cudaErrorInsufficientDriver || status == cudaErrorStubLibrary)
        return {{},
                {},
                "no usable CUDA driver (it is missing or older than CUDA "
                    + std::to_string(CUDART_VERSION / 1000) + "); install NVIDIA's driver"};
    if (status == cudaErrorNoDevice || (status == cudaSuccess && count == 0))
        return {{},
                {},
                "no CUDA device was found; check that this machine has an NVIDIA GPU and that "
                "CUDA_VISIBLE_DEVICES does not hide it"};
    if (status != cudaSuccess)
        return {{},
                {},
                std::string("CUDA does not start (") + cudaGetErrorString(status)
                    + "); check the driver with nvidia-smi"};

    DeviceList list;
    int version = 0; // 12080
    if (cudaDriverGetVersion(&version) == cudaSuccess)
        list.driver = "driver for CUDA " + std::to_string(version / 1000) + "."
                      + std::to_string(version % 1000 / 10);
    for (int index = 0; index < count; ++index) {
        cudaDeviceProp properties{};
        const cudaError_t queried = cudaGetDeviceProperties(&properties, index);
        if (queried != cudaSuccess)
            return {{},
                    {},
                    "CUDA device " + std::to_string(index) + " does not answer ("
                        + cudaGetErrorString(queried) + "); check it with nvidia-smi"};
        int kilohertz = 0, bits = 0;
        cudaDeviceGetAttribute(&kilohertz, cudaDevAttrMemoryClockRate, index);
        cudaDeviceGetAttribute(&bits, cudaDevAttrGlobalMemoryBusWidth, index);
        const double perSecond = 2 * 1e3 * kilohertz * bits / 8; // twice a cycle
        char busId[32] = "";
        if (cudaDeviceGetPCIBusId(busId, sizeof(busId), index) != cudaSuccess)
            busId[0] = 0;
        list.devices.push_back({properties.name, properties.totalGlobalMem, properties.major,
                                properties.minor, perSecond, busId});
    }
    return list;
}

std::vector<GpuDevice> gpuDevices()
{
    std::vector<GpuDevice> gpus(listDevices().devices.size());
    for (std::size_t i = 0; i < gpus.size(); ++i)
        gpus[i].index = static_cast<int>(i);
    return gpus;
}

} // namespace gridhelm::gpu
