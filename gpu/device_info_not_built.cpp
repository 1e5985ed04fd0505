// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/device_info.h"

namespace gridhelm::gpu {

bool isBuilt() noexcept
{
    return false;
}

DeviceList listDevices()
{
    return {{},
            "not built with CUDA: configure with nvcc on the PATH (preset \"cuda\") to have it"};
}

} // namespace gridhelm::gpu
