// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nanobind/nanobind.h>

namespace gridhelm::python {

/// Campaigns (sample, refine, suggest) in gridhelm._native.
void bindCampaign(nanobind::module_ &module);

} // namespace gridhelm::python
