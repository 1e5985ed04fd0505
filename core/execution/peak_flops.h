// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/device.h"

namespace gridhelm {

/// What these threads can compute at most, in floating-point operations per second: single
/// precision, fused multiply-adds (2 operations for each lane) on vectors that stay in registers,
/// as many of them side by side as hide their latency. The best of several tries; takes a tenth of
/// a second.
double measurePeakFlops(const CpuDevice &cpu);

/// The same in double precision.
double measurePeakDoubleFlops(const CpuDevice &cpu);

} // namespace gridhelm
