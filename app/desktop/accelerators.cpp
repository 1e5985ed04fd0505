// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/accelerators.h"

#include "app/machine/machine_execution.h"
#include "core/dispatch/dispatching_backend.h"
#include "core/dispatch/dispatching_solvers.h"
#include "gpu/cuda_solvers.h"
#include "gpu/device_info.h"
#include "gpu/sparse/cuda_backend.h"

#include <utility>

namespace gridhelm::desktop {

ui::Accelerators accelerators(const ExecutionContext &context)
{
    if (context.gpus().empty())
        return {{ui::unavailable("cuda", QString::fromStdString(gpu::listDevices().reason))}, {}};
    const auto index = static_cast<std::size_t>(context.gpus().front().index);
    const auto name = QString::fromStdString(gpu::listDevices().devices.at(index).name);
    const auto dispatcher = app::makeMachineDispatcher(context);
    // These outlive the window.
    static const auto autoSolvers = dispatch::makeDispatchingSolvers(dispatcher);
    static const auto cudaSolvers = dispatch::makeFailoverSolvers(gpu::cudaSolvers());
    const auto always = [](const ui::StudyFacts *) { return QString(); };
    // Measures where it evaluates, which is never the window's own thread.
    return {
        {{"auto", "The faster one for what is asked for: all threads, or the GPU " + name, false,
          [dispatcher](const ExecutionContext &with) -> std::shared_ptr<const sparse::Backend> {
              return dispatch::makeDispatchingBackend(dispatcher, with);
          },
          always, true},
         {"cuda", "On the GPU " + name + "; the threads copy its results", false,
          [](const ExecutionContext &with) {
              return dispatch::makeFailoverBackend(gpu::makeCudaBackend(with), with);
          },
          always}},
        {autoSolvers.get(), cudaSolvers.get()}};
}

} // namespace gridhelm::desktop
