// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sparse/unfolded/unfold.h"

#include "core/sparse/unfolded/paired_bits.h"
#include "core/support/huge_pages.h"

#include <algorithm>

namespace gridhelm::sparse {

namespace {

/// Calls visit(index in block, index in node values) for every value of one node of a block.
template <typename Visit>
void forEachValue(std::uint64_t blockSize, const PairedBits &pairs, std::uint64_t choice,
                  Visit visit)
{
    const auto fixed = deposit(choice, pairs);
    const auto freeMask = (blockSize - 1) & ~pairs.mask;
    const auto count = blockSize >> pairs.bits.size();
    std::uint64_t free = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
        visit(free | fixed, i);
        free = (free - freeMask) & freeMask; // next subset of the mask's bits
    }
}

} // namespace

template <typename T>
NodeValues<T> allocateNodeValues(const UnfoldedGrid &nodes)
{
    auto values = hwy::AllocateAligned<T>(nodes.storage());
    if (!values)
        throw std::bad_alloc();
    preferHugePages(values.get(), nodes.storage() * sizeof(T));
    return values;
}

template <typename T>
NodeValues<T> unfold(const SparseGrid &grid, const UnfoldedGrid &nodes,
                     std::span<const T> coefficients)
{
    auto values = allocateNodeValues<T>(nodes);
    std::fill_n(values.get(), nodes.storage(), T(0));
    const auto bases = grid.bases();
    std::vector<T> block;
    std::size_t node = 0;
    for (std::size_t b = 0; b < grid.blocks(); ++b) {
        const auto size = grid.blockSize(b);
        const auto source = coefficients.subspan(grid.blockOffset(b), size);
        const auto pairs = pairedBits(bases, grid.levelVector(b));
        if (pairs.mask == 0) {
            std::copy(source.begin(), source.end(), values.get() + nodes.offset(node++));
            continue;
        }
        block.assign(source.begin(), source.end());
        for (int bit : pairs.bits) {
            const auto step = std::uint64_t{1} << bit;
            for (std::uint64_t i = 0; i < size; ++i) {
                if (i & step)
                    continue;
                const T left = block[i], right = block[i | step];
                block[i] = (left + right) / T(2);
                block[i | step] = (right - left) / T(2);
            }
        }
        const auto choices = std::uint64_t{1} << pairs.bits.size();
        for (std::uint64_t choice = 0; choice < choices; ++choice) {
            T *target = values.get() + nodes.offset(node++);
            forEachValue(size, pairs, choice,
                         [&](std::uint64_t from, std::uint64_t to) { target[to] = block[from]; });
        }
    }
    return values;
}

template NodeValues<float> allocateNodeValues<float>(const UnfoldedGrid &);
template NodeValues<double> allocateNodeValues<double>(const UnfoldedGrid &);
template NodeValues<float> unfold<float>(const SparseGrid &, const UnfoldedGrid &,
                                         std::span<const float>);
template NodeValues<double> unfold<double>(const SparseGrid &, const UnfoldedGrid &,
                                           std::span<const double>);

} // namespace gridhelm::sparse
