// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sparse/backend.h"

#include <memory>

namespace gridhelm::bench {

/// The same back end, but what is evaluated takes `factor` times as long: a GPU beside which the
/// CPU's help counts. Throws gridhelm::Error unless factor >= 1.
std::shared_ptr<const sparse::Backend>
makeSlowedBackend(std::shared_ptr<const sparse::Backend> backend, double factor);

} // namespace gridhelm::bench
