// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nanobind/nanobind.h>

namespace gridhelm::python {

/// Study of gridhelm._native: what gridhelm.Study is made of.
void bindStudy(nanobind::module_ &module);

} // namespace gridhelm::python
