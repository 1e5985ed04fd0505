// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/surrogate/surrogate.h"
#include "data/study/study.h"

#include <memory>

namespace gridhelm::data {

/// What maps the parameters of a vector study, in the unit cube, to weights over the rows that are
/// stored for a field. Throws gridhelm::Error if there is no such field. `study` is not needed
/// afterwards.
std::shared_ptr<const Surrogate> surrogateOf(const Study &study, FieldIndex field);

} // namespace gridhelm::data
