// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/execution_context.h"

namespace gridhelm::test {

/// So many threads; what fails fails.
inline ExecutionContext onCpu(int threads = 1)
{
    return ExecutionContext(CpuDevice{threads});
}

} // namespace gridhelm::test
