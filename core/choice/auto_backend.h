// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/choice/backend_choice.h"
#include "core/sparse/backend.h"

#include <memory>

namespace gridhelm::choice {

/// `auto`: every operation by the back end that is the fastest for it at its size. Where that one
/// fails, the processor does it, which choice.say() tells. What is loaded is loaded to a back end
/// when that is to evaluate it for the first time; beside a device, a scalar grid's coefficients
/// are kept for that. A matrix of vectors is taken to a device from its third evaluation on, as
/// that costs more than one or two by the processor.
std::unique_ptr<sparse::Backend> makeAutoBackend(std::shared_ptr<BackendChoice> choice,
                                                 int threads = 0);

} // namespace gridhelm::choice
