// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/accelerators.h"

#include "app/machine/machine_execution.h"
#include "app/machine/tuned_machine.h"
#include "core/dispatch/dispatching_backend.h"
#include "core/dispatch/dispatching_solvers.h"
#include "gpu/cuda_solvers.h"
#include "gpu/device_info.h"
#include "gpu/sparse/cuda_backend.h"
#include "gpu/stencil/cuda_stencil.h"

#include <map>
#include <memory>
#include <string>
#include <utility>

namespace gridhelm::desktop {
namespace {

QString nameOfGpu(const GpuDevice &gpu)
{
    return QString::fromStdString(
        gpu::listDevices().devices.at(static_cast<std::size_t>(gpu.index)).name);
}

/// As --devices of the command line.
ui::Devices devicesOf(const ExecutionContext &context)
{
    const auto &gpus = context.gpus();
    ui::Devices devices;
    devices.offers.push_back({"auto", "auto: CPU and " + nameOfGpu(gpus.front()), gpus});
    for (const auto &gpu : gpus) {
        const auto number = QString::number(gpu.index);
        devices.offers.push_back({"gpu:" + number, "GPU " + number + ": " + nameOfGpu(gpu), {gpu}});
    }
    devices.tuning = [](const ExecutionContext &with) {
        return app::tuningGpus(with, gpu::listDevices());
    };
    devices.tuned = &app::withSavedTuning;
    devices.offers.push_back({"cpu", "CPU", {}}); // last: without a GPU other back ends are chosen
    return devices;
}

ui::SolverDevices solverDevices(const ExecutionContext &context)
{
    ui::SolverDevices devices;
    const auto &gpus = context.gpus();
    devices.offers.push_back({"auto", "auto"});
    devices.offers.push_back({"CPU", "cpu"});
    for (const auto &gpu : gpus) {
        const auto number = QString::number(gpu.index);
        devices.offers.push_back({"GPU " + number + ": " + nameOfGpu(gpu), "gpu:" + number});
    }
    if (gpus.size() > 1)
        devices.offers.push_back({QString("all GPUs (%1)").arg(gpus.size()), "gpu:all"});
    devices.stencils = &gpu::stencilGpu();
    if (!gpus.empty()) {
        const auto *title = gpus.size() > 1 ? "all GPUs and the CPU" : "GPU and CPU";
        devices.offers.push_back({title, "gpu:all+cpu"});
    }
    devices.find = [](const CpuDevice &cpu, const std::string &names) {
        return app::withSavedTuning(app::machineContext(cpu, names, "devices"));
    };
    return devices;
}

/// Of the devices of a context; what has been measured on them stays known while the program runs.
class Dispatchers
{
public:
    std::shared_ptr<dispatch::Dispatcher> of(const ExecutionContext &context)
    {
        std::vector<int> gpus;
        for (const auto &gpu : context.gpus())
            gpus.push_back(gpu.index);
        auto &dispatcher = m_made[gpus];
        if (!dispatcher)
            dispatcher = app::makeMachineDispatcher(context);
        return dispatcher;
    }

private:
    std::map<std::vector<int>, std::shared_ptr<dispatch::Dispatcher>> m_made; ///< by the GPUs
};

} // namespace

ui::Accelerators accelerators(const ExecutionContext &context)
{
    if (context.gpus().empty()) {
        const auto reason = QString::fromStdString(gpu::listDevices().reason);
        return {{ui::unavailable("cuda", reason)}, {}, {{}, reason}, solverDevices(context)};
    }
    const auto dispatchers = std::make_shared<Dispatchers>();
    // These outlive the window.
    static const auto autoSolvers = dispatch::makeDispatchingSolvers(dispatchers->of(context));
    static const auto cudaSolvers = dispatch::makeFailoverSolvers(gpu::cudaSolvers());
    const auto always = [](const ui::StudyFacts *) { return QString(); };
    // Measures where it evaluates, which is never the window's own thread.
    ui::BackendOffer fastest{
        "auto", "The faster one for what is asked for: all threads, or the GPU", false,
        [dispatchers](const ExecutionContext &with) -> std::shared_ptr<const sparse::Backend> {
            return dispatch::makeDispatchingBackend(dispatchers->of(with), with);
        },
        always};
    fastest.isUsual = true;
    ui::BackendOffer cuda{"cuda", "On the GPU; the threads copy its results", false,
                          [](const ExecutionContext &with) {
                              return dispatch::makeFailoverBackend(gpu::makeCudaBackend(with),
                                                                   with);
                          },
                          always};
    cuda.needsGpu = true;
    return {{fastest, cuda},
            {autoSolvers.get(), cudaSolvers.get()},
            devicesOf(context),
            solverDevices(context)};
}

} // namespace gridhelm::desktop
