// SPDX-License-Identifier: GPL-3.0-or-later
//
// What matters, and how sure: Sobol' indices, Shapley effects and the spread of responses.
#pragma once

#include "app/python/responses.h"

#include <nanobind/nanobind.h>

namespace gridhelm::python {

void bindInfluence(nanobind::class_<Responses> &responses);

} // namespace gridhelm::python
