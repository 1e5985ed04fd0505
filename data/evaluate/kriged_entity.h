// SPDX-License-Identifier: GPL-3.0-or-later
//
// One place of a field that is kriged. Private to data.
#pragma once

#include "core/parameters/parameter_space.h"
#include "data/evaluate/entity_surrogate.h"
#include "data/evaluate/kriged_field.h"

#include <memory>
#include <vector>

namespace gridhelm::data {

/// `columns` has of each component the modes' values there; `surrogate` is a KrigedField.
std::unique_ptr<EntitySurrogate> makeKrigedEntity(ParameterSpace space,
                                                  std::shared_ptr<const Surrogate> surrogate,
                                                  std::vector<std::vector<double>> columns,
                                                  const CpuDevice &cpu);

} // namespace gridhelm::data
