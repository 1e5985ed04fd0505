// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sparse/share.h"

#include <cstddef>

namespace gridhelm::sparse {

/// Points that several evaluators share: whoever is ready takes the next ones. As one of them sees
/// it; not thread-safe, each has its own.
class PortionSource
{
public:
    virtual ~PortionSource() = default;

    /// The next points for this evaluator, at most `most` (at least 1); none: there are no more for
    /// it. It has evaluated `finished` of those it has taken by now.
    virtual Share next(std::size_t most, std::size_t finished) = 0;
};

} // namespace gridhelm::sparse
