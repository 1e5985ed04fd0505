// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/accelerators.h"

#include "app/choice/machine_choice.h"
#include "core/choice/auto_backend.h"
#include "core/choice/auto_solvers.h"
#include "gpu/cuda_solvers.h"
#include "gpu/device_info.h"
#include "gpu/sparse/cuda_backend.h"

#include <utility>

namespace gridhelm::desktop {

ui::Accelerators accelerators(std::function<void(const std::string &sentence)> say)
{
    const auto list = gpu::listDevices();
    if (list.devices.empty())
        return {{ui::unavailable("cuda", QString::fromStdString(list.reason))}, {}};
    const auto name = QString::fromStdString(list.devices.front().name);
    const auto choice = app::makeMachineChoice(std::move(say));
    static const auto autoSolvers = choice::makeAutoSolvers(choice); // that outlives the window
    const auto always = [](const ui::StudyFacts *) { return QString(); };
    // Measures where it evaluates, which is never the window's own thread.
    return {
        {{"auto", "The faster one for what is asked for: all threads, or the GPU " + name, false,
          [choice](int threads) -> std::shared_ptr<const sparse::Backend> {
              return choice::makeAutoBackend(choice, threads);
          },
          always, true},
         {"cuda", "On the GPU " + name, true,
          [](int) -> std::shared_ptr<const sparse::Backend> { return gpu::makeCudaBackend(); },
          always}},
        {autoSolvers.get(), &gpu::cudaSolvers()}};
}

} // namespace gridhelm::desktop
