// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/modes/modal_surrogate.h"
#include "core/sparse/sparse_grid_surrogate.h"

namespace gridhelm::answers {

/// The sparse grid of a surrogate, also under its modes; null if it is of another kind.
inline const sparse::SparseGridSurrogate *gridOf(const Surrogate &surrogate)
{
    const auto *modal = dynamic_cast<const modes::ModalSurrogate *>(&surrogate);
    return dynamic_cast<const sparse::SparseGridSurrogate *>(modal ? &modal->ofRows() : &surrogate);
}

} // namespace gridhelm::answers
