// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/accelerators.h"

#include "gpu/cuda_solvers.h"
#include "gpu/device_info.h"
#include "gpu/sparse/cuda_backend.h"

namespace gridhelm::desktop {

ui::Accelerators accelerators()
{
    const auto list = gpu::listDevices();
    if (list.devices.empty())
        return {{ui::unavailable("cuda", QString::fromStdString(list.reason))}, {}};
    const auto name = QString::fromStdString(list.devices.front().name);
    return {{{"cuda", "On the GPU " + name, true,
              [](int) -> std::shared_ptr<const sparse::Backend> { return gpu::makeCudaBackend(); },
              [](const ui::StudyFacts *) { return QString(); }}},
            {&gpu::cudaSolvers()}};
}

} // namespace gridhelm::desktop
