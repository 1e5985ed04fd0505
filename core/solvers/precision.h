// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace gridhelm::solvers {

/// The type in which a solver keeps and computes its values.
enum class Precision { float32, float64 };

} // namespace gridhelm::solvers
