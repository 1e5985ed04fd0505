// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sparse/boundary_treatment.h"
#include "core/support/host_device.h"

#include <string>
#include <string_view>
#include <vector>

namespace gridhelm::sparse {

/// The functions of one dimension: a boundary treatment, and the degree of the polynomials that its
/// functions are inside their supports (docs/theory/sparse-grids.md).
struct DimensionBasis
{
    BoundaryTreatment treatment = BoundaryTreatment::zero;
    int degree = 1;

    constexpr DimensionBasis() = default;
    // NOLINTNEXTLINE(google-explicit-constructor): of degree 1 a treatment is a basis
    GRIDHELM_HOST_DEVICE constexpr DimensionBasis(BoundaryTreatment ofTreatment, int ofDegree = 1)
        : treatment(ofTreatment)
        , degree(ofDegree)
    {
    }
    constexpr bool operator==(const DimensionBasis &) const = default;
};

/// Whether its functions are those of core/sparse/basis.h: linear in the halves of cells.
GRIDHELM_HOST_DEVICE constexpr bool hasHats(DimensionBasis basis)
{
    return hasCells(basis.treatment) && basis.degree == 1;
}

/// Whether both functions of this level are nonzero at almost every place: those of level -1, and
/// those of level 1 of clenshaw-curtis from degree 2 on. Of any other level one function is.
GRIDHELM_HOST_DEVICE constexpr bool isPaired(DimensionBasis basis, int level)
{
    return level < 0
           || (level == 1 && basis.degree > 1
               && basis.treatment == BoundaryTreatment::clenshawCurtis);
}

/// How many functions of a block are nonzero at almost every place: 2^k, where k of its levels are
/// paired.
constexpr std::uint64_t contributionsOf(const std::vector<DimensionBasis> &bases,
                                        LevelVectorView levels)
{
    std::uint64_t count = 1;
    for (std::size_t t = 0; t < levels.size(); ++t)
        count <<= isPaired(bases[t], levels[t]) ? 1 : 0;
    return count;
}

/// The level of cells, as in core/sparse/basis.h, in which the functions of `level` lie; negative
/// for those that are over the whole range.
GRIDHELM_HOST_DEVICE constexpr int cellLevel(DimensionBasis basis, int level)
{
    if (basis.treatment == BoundaryTreatment::leja)
        return -1;
    if (basis.treatment == BoundaryTreatment::clenshawCurtis)
        return level < 2 ? -1 : level - 1;
    return level;
}

/// Of each dimension. `degrees` is as long as `treatments`.
std::vector<DimensionBasis> basesOf(const std::vector<BoundaryTreatment> &treatments,
                                    const std::vector<int> &degrees);

/// Throws gridhelm::Error, naming what is possible, for a degree that the treatment does not have.
void requireDegree(BoundaryTreatment treatment, int degree);

/// One degree for each dimension: `degrees` itself, its one value for all, or 1 where it is empty;
/// one value for all stands for the highest possible where a treatment has no such degree. Throws
/// gridhelm::Error for another number of them, and as requireDegree().
std::vector<int> degreesFor(const std::vector<BoundaryTreatment> &treatments,
                            std::vector<int> degrees);

/// Parses a degree, or a comma-separated list of them. Throws gridhelm::Error.
std::vector<int> parseDegrees(std::string_view text);

/// "1" or "3,1,3".
std::string degreesText(const std::vector<int> &degrees);

/// For help: what there is to choose, for which treatments.
std::string degreeHelp();

} // namespace gridhelm::sparse
