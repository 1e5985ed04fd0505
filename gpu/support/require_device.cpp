// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/support/require_device.h"

#include "core/support/error.h"
#include "gpu/device_info.h"

namespace gridhelm::gpu {

void requireDevice()
{
    const auto list = listDevices();
    if (list.devices.empty())
        throw Error("there is no back end cuda here: " + list.reason + "; until then choose omp");
}

} // namespace gridhelm::gpu
