// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/choice/machine_choice.h"

#include "gpu/cuda_solvers.h"
#include "gpu/device_info.h"
#include "gpu/sparse/cuda_backend.h"

#include <utility>
#include <vector>

namespace gridhelm::app {
namespace {

std::vector<choice::Candidate> devices()
{
    const auto list = gpu::listDevices();
    if (list.devices.empty())
        return {};
    return {{"cuda", list.devices.front().name + ", " + list.driver,
             [](int) -> std::shared_ptr<const sparse::Backend> { return gpu::makeCudaBackend(); },
             &gpu::cudaSolvers()}};
}

} // namespace

std::shared_ptr<choice::BackendChoice>
makeMachineChoice(std::function<void(const std::string &sentence)> say)
{
    choice::ChoiceSettings settings;
    settings.findFurther = devices;
    settings.say = std::move(say);
    return std::make_shared<choice::BackendChoice>(std::move(settings));
}

} // namespace gridhelm::app
