// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/study/response_definition.h"
#include "data/study/study.h"

#include <vector>

namespace gridhelm::data {

/// Those that the study keeps. Of one that keeps none, so that nobody begins with nothing: the
/// mean, the smallest and the largest value of each of its first three fields (of a vector's
/// magnitude), "U_mean", "U_minimum", "U_maximum"; of scalar studies, which have no others, the
/// means.
std::vector<ResponseDefinition> responsesOf(const Study &study);

} // namespace gridhelm::data
