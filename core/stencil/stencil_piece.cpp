// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stencil/stencil_piece.h"

#include "core/stencil/stencil_data.h"

namespace gridhelm::stencil {
namespace {

std::size_t wrapped(std::ptrdiff_t layer, std::size_t layers)
{
    const auto n = static_cast<std::ptrdiff_t>(layers);
    return static_cast<std::size_t>((layer % n + n) % n);
}

/// Lists are as large as the grid: pieces do not have them once more.
Stencil withoutFields(const Stencil &whole)
{
    Stencil stencil;
    stencil.dimension = whole.dimension;
    stencil.points = whole.points;
    stencil.spacing = whole.spacing;
    stencil.origin = whole.origin;
    stencil.neighbours = whole.neighbours;
    stencil.coefficients.assign(whole.coefficients.size(), 0.0);
    stencil.source.factor = whole.source.factor;
    stencil.source.spike = whole.source.spike;
    if (whole.source.field)
        stencil.source.field = 0.0;
    stencil.sides = whole.sides;
    stencil.precision = whole.precision;
    stencil.target = whole.target;
    return stencil;
}

} // namespace

StencilPiece::StencilPiece(const Stencil &whole)
    : StencilPiece(whole, 0, layersOf(whole))
{
}

StencilPiece::StencilPiece(const Stencil &whole, std::ptrdiff_t first, std::size_t layers)
    : m_whole(whole)
    , m_stencil(withoutFields(whole))
    , m_first(first)
{
    const auto axis = layerAxis(whole);
    m_stencil.points[axis] = layers;
    if (auto &spike = m_stencil.source.spike) {
        const auto at =
            wrapped(static_cast<std::ptrdiff_t>((*spike)[axis]) - first, layersOf(whole));
        (*spike)[axis] = at;
        if (at >= layers)
            spike.reset();
    }
}

void StencilPiece::forEachValue(
    const ScalarField &field, const CpuDevice &cpu,
    const std::function<void(std::size_t i, std::size_t j, std::size_t k, double value)> &set) const
{
    const auto layers = layersOf(m_whole);
    forEachValueOfLayers(
        m_whole, field, layersOf(m_stencil),
        [this, layers](std::size_t layer) {
            return wrapped(m_first + static_cast<std::ptrdiff_t>(layer), layers);
        },
        cpu, set);
}

} // namespace gridhelm::stencil
