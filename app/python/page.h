// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nanobind/nanobind.h>

namespace gridhelm::python {

/// Interactive pages of studies.
void bindPage(nanobind::module_ &module);

} // namespace gridhelm::python
