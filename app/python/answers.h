// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nanobind/nanobind.h>

namespace gridhelm::python {

/// Responses, Sobol' indices and matching in gridhelm._native.
void bindAnswers(nanobind::module_ &module);

} // namespace gridhelm::python
