// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/solvers/field_view.h"
#include "core/solvers/rank_slabs.h"

#include <cstddef>

namespace gridhelm::solvers {

/// What one process has of a field that ranks share: some of its rows or planes, or all of it.
struct FieldPart
{
    FieldView field;                  ///< these layers alone, but the origin is the whole field's
    std::size_t axis = 1;             ///< across the layers: 1 for rows, 2 for planes
    Slab slab;                        ///< which they are
    const RankSlabs *ranks = nullptr; ///< null: this process has the field alone
};

} // namespace gridhelm::solvers
