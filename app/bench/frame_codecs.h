// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rows packed by other programs' methods, which are unpacked to memory before they are combined.
#pragma once

#include "core/execution/device.h"
#include "core/linalg/combination.h"

#include <array>
#include <cstddef>
#include <memory>

namespace gridhelm::bench {

class PackedRows
{
public:
    virtual ~PackedRows() = default;

    virtual std::size_t bytes() const = 0;
    /// Rows of `into` are theirs.
    virtual void unpack(linalg::MatrixView<float> into, const CpuDevice &cpu) const = 0;
};

/// Byte planes and zstd, as studies store what is exact.
std::unique_ptr<PackedRows> packByZstd(linalg::MatrixView<const float> rows);

/// How values follow each other: the components of a node are adjacent.
struct RowLattice
{
    std::array<std::size_t, 3> nodes{}; ///< product * components: the columns
    std::size_t components = 1;
};

/// zfp's fixed-accuracy mode, each component by itself; null if this program has no zfp.
std::unique_ptr<PackedRows> packByZfp(linalg::MatrixView<const float> rows,
                                      const RowLattice &lattice, double tolerance);

} // namespace gridhelm::bench
