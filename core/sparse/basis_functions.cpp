// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sparse/basis_functions.h"

#include "core/sparse/basis.h"

#include <cmath>

namespace gridhelm::sparse {

namespace {

/// prod (x - root) / (node - root), and its derivative.
ValueAndSlope lagrange(double node, const std::vector<double> &roots, double x)
{
    ValueAndSlope result{1, 0};
    for (std::size_t i = 0; i < roots.size(); ++i) {
        double rest = 1 / (node - roots[i]);
        for (std::size_t j = 0; j < roots.size(); ++j)
            rest *= i == j ? 1 : (x - roots[j]) / (node - roots[j]);
        result.slope += rest;
        result.value *= (x - roots[i]) / (node - roots[i]);
    }
    return result;
}

/// Of the coarser levels of cells the node whose cell holds that of `node`, and the ends where the
/// treatment has them: all but the ends of the support the one that is nearest. NaN: there is none.
double nearestFurtherAncestor(DimensionBasis basis, int cells, double node)
{
    const double spacing = std::ldexp(1.0, -(cells + 1));
    double nearest = std::nan("");
    const auto consider = [&](double ancestor) {
        const double distance = std::abs(ancestor - node);
        if (distance > 1.5 * spacing && !(distance >= std::abs(nearest - node)))
            nearest = ancestor;
    };
    for (int coarser = 0; coarser < cells; ++coarser) {
        const auto cell = cellOf(coarser, node);
        consider(std::ldexp(2.0 * cell.position + 1, -(coarser + 1)));
    }
    if (levelOfEnds(basis.treatment) < maximumLevel) {
        consider(0);
        consider(1);
    }
    return nearest;
}

/// The functions of basis.h that are linear in the halves of their cell.
ValueAndSlope hat(BoundaryTreatment treatment, int cells, std::uint32_t position, double x)
{
    const auto cell = cellOf(cells, x);
    if (cell.position != position)
        return {};
    return {basisValue(treatment, cells, cell), basisDerivative(treatment, cells, cell)};
}

/// Levels 0 and 1 of clenshaw-curtis.
ValueAndSlope coarseClenshawCurtis(DimensionBasis basis, int level, std::uint32_t position,
                                   double x)
{
    if (level == 0)
        return {1, 0};
    if (basis.degree > 1)
        return lagrange(position, rootsOf(basis, level, position), x);
    const bool isHere = (x >= 0.5) == (position == 1);
    const double slope = position == 1 ? 2 : -2;
    return isHere ? ValueAndSlope{slope * (x - 0.5), slope} : ValueAndSlope{};
}

} // namespace

std::vector<double> rootsOf(DimensionBasis basis, int level, std::uint32_t position)
{
    std::vector<double> roots;
    const auto point = [&](int l, std::uint32_t p) {
        return pointCoordinate(basis.treatment, static_cast<Level>(l), p);
    };
    if (basis.treatment == BoundaryTreatment::leja) {
        for (int below = 0; below < level; ++below)
            roots.push_back(point(below, 0));
        return roots;
    }
    if (basis.degree == 1)
        return roots;
    if (level < 0)
        return {position == 0 ? 1.0 : 0.0};
    const int cells = cellLevel(basis, level);
    if (cells < 0) // of clenshaw-curtis: through the three points 0, 1/2 and 1
        return level == 0 ? roots : std::vector<double>{0.5, position == 0 ? 1.0 : 0.0};
    const double node = point(level, position);
    const double spacing = std::ldexp(1.0, -(cells + 1));
    roots = {node - spacing, node + spacing};
    if (basis.degree == 3) {
        const double further = nearestFurtherAncestor(basis, cells, node);
        if (!std::isnan(further))
            roots.push_back(further);
    }
    return roots;
}

ValueAndSlope basisFunction(DimensionBasis basis, int level, std::uint32_t position, double x)
{
    const auto treatment = basis.treatment;
    if (treatment == BoundaryTreatment::leja)
        return lagrange(pointCoordinate(treatment, static_cast<Level>(level), 0),
                        rootsOf(basis, level, position), x);
    if (level < 0)
        return {endPointValue(position, x), endPointDerivative<double>(position)};
    const int cells = cellLevel(basis, level);
    if (cells < 0)
        return coarseClenshawCurtis(basis, level, position, x);
    if (basis.degree == 1)
        return hat(hasCells(treatment) ? treatment : BoundaryTreatment::boundary, cells, position,
                   x);
    if (cellOf(cells, x).position != position)
        return {};
    return lagrange(pointCoordinate(treatment, static_cast<Level>(level), position),
                    rootsOf(basis, level, position), x);
}

std::vector<std::uint32_t> functionsAt(DimensionBasis basis, int level, double x)
{
    if (isPaired(basis, level))
        return {0, 1};
    const int cells = cellLevel(basis, level);
    if (cells >= 0)
        return {cellOf(cells, x).position};
    const bool isUpperEnd =
        level == 1 && x >= 0.5 && basis.treatment == BoundaryTreatment::clenshawCurtis;
    return {isUpperEnd ? 1U : 0U};
}

} // namespace gridhelm::sparse
