// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/poisson/grid_view.h"

#include "core/solvers/scaled_source.h"
#include "core/support/error.h"

#include <string>

namespace gridhelm::gpu {

using solvers::PoissonProblem;
using solvers::SideKind;

namespace {

constexpr std::size_t maxAlongAxis = 1U << 30; // kernels count unknowns of an axis in int

int sizeOf(std::size_t points)
{
    if (points > maxAlongAxis)
        throw BackendError("the back end cuda cannot solve with " + std::to_string(points)
                           + " unknowns in one direction; choose fewer, or the back end omp");
    return static_cast<int>(points);
}

} // namespace

template <typename T>
GridView<T> gridViewOf(const PoissonProblem &problem)
{
    GridView<T> view;
    view.is3D = problem.dimension == 3;
    view.nx = sizeOf(problem.unknowns[0]);
    view.ny = sizeOf(problem.unknowns[1]);
    view.nz = sizeOf(problem.unknowns[2]);
    view.rowStride = paddedRow(problem.unknowns[0]);
    view.planeStride = view.rowStride * view.ny;
    setParameters(view, problem);
    return view;
}

template <typename T>
void setParameters(GridView<T> &view, const PoissonProblem &problem)
{
    setSides(view, problem.sides, problem.spacing);
    if (const auto spike = solvers::scaledSpike<T>(problem)) {
        view.spikeX = static_cast<int>(spike->i);
        view.spikeY = static_cast<int>(spike->j);
        view.spikeZ = static_cast<int>(spike->k);
        view.spike = spike->value;
    }
}

template <typename T>
void setSides(GridView<T> &view, const std::array<solvers::SideCondition, 6> &sides, double spacing)
{
    for (std::size_t side = 0; side < sides.size(); ++side) {
        const auto &[kind, value] = sides[side];
        view.sides[side] = kind == SideKind::dirichlet
                               ? Ghost<T>{0, static_cast<T>(value)}
                               : Ghost<T>{1, static_cast<T>(spacing * value)};
    }
}

template GridView<float> gridViewOf(const PoissonProblem &);
template GridView<double> gridViewOf(const PoissonProblem &);
template void setParameters(GridView<float> &, const PoissonProblem &);
template void setParameters(GridView<double> &, const PoissonProblem &);
template void setSides(GridView<float> &, const std::array<solvers::SideCondition, 6> &, double);
template void setSides(GridView<double> &, const std::array<solvers::SideCondition, 6> &, double);

} // namespace gridhelm::gpu
