// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/support/peer_copy.h"

#include <cstddef>
#include <optional>

namespace gridhelm::gpu {

/// The share of a grid beside another one, and the way to it.
template <typename Share>
struct Neighbour
{
    Share *share = nullptr; ///< null: there is none
    std::optional<PeerCopy> copy;

    /// Copies of so many bytes at most are sent from one to the other.
    void connect(const Share &from, Share &to, std::size_t bytes, PeerRoute route)
    {
        share = &to;
        copy.emplace(from.gpu(), to.gpu(), bytes, route);
    }
};

} // namespace gridhelm::gpu
