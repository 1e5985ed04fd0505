// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sparse/vector_grid.h"
#include "core/surrogate/surrogate.h"
#include "data/evaluate/field_surrogate.h"
#include "data/study/study.h"

#include <memory>
#include <string>
#include <vector>

namespace gridhelm::cli {

/// All rows of a field in memory. Throws Error for a scalar study, and what does not fit.
std::unique_ptr<data::FieldSurrogate> loadedField(const data::Study &study,
                                                  const std::string &field);

/// A map that belongs to each value of a field, under a name of its own.
struct NamedMap
{
    std::string name;
    std::vector<float> values;
};
/// On the study's mesh, as a file of VTK's (whole, or not at all).
void writeMaps(const data::Study &study, const data::Field &field,
               const std::vector<NamedMap> &maps, const std::string &path);

} // namespace gridhelm::cli
