// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulations/cavity/acceleration.h"

namespace gridhelm::simulations {

namespace {

struct Coefficients
{
    double diffusion; ///< nu / h^2
    double advection; ///< 1 / (4 h): two averages in each flux
};

template <int dimension, int component>
void accelerateRows(const StaggeredGrid &grid, const VelocityView &velocity,
                    const Coefficients &coefficients, double *result)
{
    const auto strides = grid.strides();
    const std::size_t along = strides[component];
    grid.forEachFaceRow(component, [&](std::size_t begin, std::size_t count) {
        const double *center = velocity[component] + begin;
        double *target = result + begin;
#pragma omp simd
        for (std::size_t i = 0; i < count; ++i) {
            const double u = center[i];
            double neighbours = -2 * dimension * u;
            double fluxes = 0;
            const auto addAxis = [&](int axis) {
                const double *plus = center + strides[static_cast<std::size_t>(axis)];
                const double *minus = center - strides[static_cast<std::size_t>(axis)];
                const double up = u + plus[i];
                const double down = u + minus[i];
                neighbours += plus[i] + minus[i];
                if (axis == component) {
                    fluxes += up * up - down * down;
                } else {
                    const double *high = velocity[static_cast<std::size_t>(axis)] + begin;
                    const double *low = high - strides[static_cast<std::size_t>(axis)];
                    fluxes += (high[i] + high[i + along]) * up - (low[i] + low[i + along]) * down;
                }
            };
            addAxis(0);
            addAxis(1);
            if constexpr (dimension == 3)
                addAxis(2);
            target[i] = coefficients.diffusion * neighbours - coefficients.advection * fluxes;
        }
    });
}

} // namespace

void accelerate(const StaggeredGrid &grid, const VelocityView &velocity, int component,
                double viscosity, double *result)
{
    const double h = grid.spacing();
    const Coefficients coefficients{viscosity / (h * h), 1 / (4 * h)};
    if (grid.dimension == 2) {
        if (component == 0)
            accelerateRows<2, 0>(grid, velocity, coefficients, result);
        else
            accelerateRows<2, 1>(grid, velocity, coefficients, result);
        return;
    }
    if (component == 0)
        accelerateRows<3, 0>(grid, velocity, coefficients, result);
    else if (component == 1)
        accelerateRows<3, 1>(grid, velocity, coefficients, result);
    else
        accelerateRows<3, 2>(grid, velocity, coefficients, result);
}

} // namespace gridhelm::simulations
