// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/execution_context.h"

namespace gridhelm::gpu {

/// The context's first GPU. Throws gridhelm::Error, with what listDevices() says, if there is none.
const GpuDevice &requireGpu(const ExecutionContext &context);

} // namespace gridhelm::gpu
