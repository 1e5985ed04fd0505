// SPDX-License-Identifier: GPL-3.0-or-later
//
// What there is of pictures by a GPU where CUDA was not built in.
#include "app/bench/gpu_frames.h"
#include "core/support/error.h"
#include "gpu/device_info.h"

namespace gridhelm::bench {

Timing secondsOfCombination(const CombinedRows &, const std::vector<SparseWeights> &,
                            const ExecutionContext &, int)
{
    throw Error("no GPU combines rows: " + gpu::listDevices().reason);
}

} // namespace gridhelm::bench
