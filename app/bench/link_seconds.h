// SPDX-License-Identifier: GPL-3.0-or-later
//
// How long a message takes from one device to another.
#pragma once

#include "core/execution/device.h"
#include "core/execution/ranks.h"
#include "core/solvers/scaling_model.h"

#include <cstddef>
#include <memory>

namespace gridhelm::bench {

/// Latency and bandwidth, from 4 KiB and from 8 MiB (CPU) or 64 MiB (GPUs), each the median of some
/// tries: as the shares of a grid send their edges. Both devices of one kind; they may be the same.
SecondsLine measureLink(const Device &from, const Device &to);

/// The same from the first rank to the second one, which answers: between two threads if there is
/// but one. Collective.
SecondsLine measureLink(const std::shared_ptr<Ranks> &ranks);

/// Of one copy of so many bytes from GPU to GPU, among many in a stream. Throws gridhelm::Error
/// where CUDA was not built in.
double secondsOfPeerCopy(const GpuDevice &from, const GpuDevice &to, std::size_t bytes);

/// From a thread to another one, which waits for it, a copy between their arrays.
double secondsOfHandOver(std::size_t bytes);

} // namespace gridhelm::bench
