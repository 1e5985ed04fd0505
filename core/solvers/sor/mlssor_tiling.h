// SPDX-License-Identifier: GPL-3.0-or-later
//
// How MLSSOR cuts the unknowns of one axis ([Di2010], Eq. 6 and 8, K layers, sub-domains of M).
#pragma once

#include "core/solvers/sor/sor_options.h"

#include <algorithm>
#include <cstddef>

namespace gridhelm::solvers {

struct IndexRange
{
    std::ptrdiff_t begin = 0;
    std::ptrdiff_t end = 0; ///< one past the last; empty if not above begin

    bool operator==(const IndexRange &) const = default;
};

/// Forward, the cuts between sub-domains advance by one unknown a layer and the cut inside a
/// sub-domain recedes by one. In layer k sub-domain d consists of
///
///     tile 0: [d M + k, d M + M - 1 - k)    tile 1: [d M + M - 1 - k, (d + 1) M + k)
///
/// but in the first sub-domain tile 0 begins at the side. A tile 0 needs no other tile of its
/// layers; a tile 1 lies between two tiles 0 of one layer lower. In 2D the four kernels are the
/// pairs of tiles (0,0), (0,1), (1,0), (1,1), and all tiles of a kernel are independent: none
/// writes what another one reads.
///
/// Backward everything is mirrored, the cuts between sub-domains start at the same places:
///
///     tile 1: [d M - k, d M + 1 + k)    tile 0: [d M + 1 + k, (d + 1) M - k)
///
/// (Starting where the forward cuts have ended, at d M + K - 1, converges more slowly: 8 % for
/// 2 x 4 x 4, 1 % for 4 x 8 x 8.)
class MlssorTiling
{
public:
    MlssorTiling(const MlssorShape &shape, std::size_t unknowns)
        : m_layers(static_cast<std::ptrdiff_t>(shape.layers))
        , m_width(static_cast<std::ptrdiff_t>(shape.width))
        , m_unknowns(static_cast<std::ptrdiff_t>(unknowns))
    {
    }

    std::ptrdiff_t layers() const { return m_layers; }
    std::ptrdiff_t width() const { return m_width; }

    /// The same for so many sub-domains.
    MlssorTiling ofSize(std::size_t subdomainCount) const
    {
        auto other = *this;
        other.m_unknowns = m_width * static_cast<std::ptrdiff_t>(subdomainCount);
        return other;
    }

    /// Sub-domains are d = subdomains().begin .. end - 1.
    IndexRange subdomains() const { return {0, (m_unknowns + m_width - 1) / m_width}; }

    /// May be empty.
    IndexRange tile(std::ptrdiff_t d, int tile, std::ptrdiff_t layer, bool backward) const
    {
        const auto all = unclipped(d, tile, layer, backward);
        return {std::clamp<std::ptrdiff_t>(all.begin, 0, m_unknowns),
                std::clamp<std::ptrdiff_t>(all.end, 0, m_unknowns)};
    }

    /// What all layers of a tile cover.
    IndexRange footprint(std::ptrdiff_t d, int tile, bool backward) const
    {
        // Tiles 0 shrink, tiles 1 grow from layer to layer.
        return this->tile(d, tile, tile == 0 ? 0 : m_layers - 1, backward);
    }

    /// The tile touches neither side, and is cut short by none.
    bool isInner(std::ptrdiff_t d, int tile, bool backward) const
    {
        const auto all = unclipped(d, tile, tile == 0 ? 0 : m_layers - 1, backward);
        return all.begin > 0 && all.end < m_unknowns;
    }

private:
    IndexRange unclipped(std::ptrdiff_t d, int tile, std::ptrdiff_t k, bool backward) const
    {
        const auto first = d * m_width;
        if (backward) {
            const auto cut = first + 1 + k;
            if (tile == 0)
                return {cut, d == subdomains().end - 1 ? m_unknowns : first + m_width - k};
            return {first - k, cut};
        }
        const auto cut = first + m_width - 1 - k;
        if (tile == 0)
            return {d == 0 ? 0 : first + k, cut};
        return {cut, first + m_width + k};
    }

    std::ptrdiff_t m_layers;
    std::ptrdiff_t m_width;
    std::ptrdiff_t m_unknowns;
};

} // namespace gridhelm::solvers
