// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/solvers/slab.h"

namespace gridhelm::solvers {

/// One device's slab, and the order of what it does in one update: its edges (the rows or planes at
/// the borders to other slabs) first, so that they travel while it computes the rest. What a device
/// does is done when it is called (CPU), or enqueued (GPU).
///
/// A share has two arrays, `present` and `next`: an update reads the one and its halos and writes
/// the other, then they change places. Jacobi's iteration is an update from one grid to the other;
/// a half sweep of red-black SOR is one from the values of one colour to those of the other.
///
/// The edges of update n go into halos that their owner has read last in its edges of update n - 1,
/// before it sent those; so whoever has received them may send: the halos of the two arrays do.
class Share
{
public:
    explicit Share(const Slab &slab)
        : m_slab(slab)
    {
    }
    virtual ~Share() = default;
    Share(const Share &) = delete;
    Share &operator=(const Share &) = delete;

    const Slab &slab() const { return m_slab; }

    /// The next values, and those of the neighbours' halos that are this one's edges; `examines`
    /// them, too, as the device can.
    void update(bool examines)
    {
        awaitEdges();
        updateEdges(examines);
        sendEdges();
        updateInterior(examines);
    }
    /// The next values become the present ones.
    virtual void turn() = 0;
    /// After a turn: until the neighbours' edges have arrived, so that all may read the halos.
    void settle() { awaitEdges(); }

protected:
    /// Until the neighbours' edges of the present values have arrived.
    virtual void awaitEdges() = 0;
    virtual void updateEdges(bool examines) = 0;
    virtual void sendEdges() = 0;
    virtual void updateInterior(bool examines) = 0;

private:
    Slab m_slab;
};

} // namespace gridhelm::solvers
