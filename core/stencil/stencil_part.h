// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/stencil/stencil_iterations.h"
#include "core/stencil/stencil_piece.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace gridhelm::stencil {

/// One device's piece of a stencil's grid. What a device does is done when it is called (CPU), or
/// in the order of the calls (GPU).
template <typename T>
class StencilPart : public StencilIterations<T>
{
public:
    struct Change
    {
        double largest = 0;
        double squared = 0; ///< the sum of squares
    };

    /// With s = `factor`.
    virtual void iterate(std::uint64_t iterations, T factor) = 0;
    /// Of the values of these layers by the last iteration; the last call was iterate(1, ...).
    virtual Change lastChange(const Layers &layers) = 0;
    /// By one more iteration; the values stay.
    virtual Change nextChange(const Layers &layers, T factor) = 0;

    /// The present values of layers, x fastest.
    virtual void read(const Layers &layers, T *to) const = 0;
    virtual void write(const Layers &layers, const T *from) = 0;
    /// Layers into those of another part, from `at` on, if there is a way; else false.
    virtual bool send(const Layers &layers, StencilPart &to, std::size_t at)
    {
        static_cast<void>(layers);
        static_cast<void>(to);
        static_cast<void>(at);
        return false;
    }

    double residual(T factor) override;
    void copyTo(std::vector<T> &values) const override;

protected:
    /// Lives as long as the part; its whole stencil, longer.
    explicit StencilPart(const StencilPiece &piece)
        : m_piece(piece)
    {
    }
    const StencilPiece &piece() const { return m_piece; }
    const Stencil &stencil() const { return m_piece.stencil(); }
    Layers allLayers() const { return {0, layersOf(stencil())}; }

private:
    StencilPiece m_piece;
};

template <typename T>
using MakeStencilPart = std::function<std::unique_ptr<StencilPart<T>>(const StencilPiece &piece)>;

} // namespace gridhelm::stencil
