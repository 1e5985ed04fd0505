// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace gridhelm::gpu {

/// Throws gridhelm::Error, with what listDevices() says, if there is no CUDA device.
void requireDevice();

} // namespace gridhelm::gpu
