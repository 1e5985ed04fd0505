// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nanobind/nanobind.h>

namespace gridhelm::python {

/// Influence, uncertainty and error at every value of a field.
void bindMaps(nanobind::module_ &module);

} // namespace gridhelm::python
