// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nanobind/nanobind.h>

namespace gridhelm::python {

/// Kriging of plain arrays in gridhelm._native.
void bindKriging(nanobind::module_ &module);

} // namespace gridhelm::python
