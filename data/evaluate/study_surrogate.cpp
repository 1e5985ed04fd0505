// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/evaluate/study_surrogate.h"

#include "core/sparse/sparse_grid_surrogate.h"
#include "core/support/error.h"

#include <string>

namespace gridhelm::data {

std::shared_ptr<const Surrogate> surrogateOf(const Study &study, FieldIndex field)
{
    if (field >= study.fields().size())
        throw Error("the study has " + std::to_string(study.fields().size())
                    + " fields, so there is no field number " + std::to_string(field));
    return std::make_shared<sparse::SparseGridSurrogate>(study.grid());
}

} // namespace gridhelm::data
