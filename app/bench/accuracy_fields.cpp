// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/accuracy_fields.h"

#include <array>
#include <cmath>

namespace gridhelm::bench {

namespace {

using std::cos, std::exp, std::log, std::sin, std::sqrt, std::tanh;

double square(double value)
{
    return value * value;
}

// Python evaluates what stands behind "return" (tests/peers/accuracy_fields.py): one expression of
// + - * /, the functions above, u, v and x[...], no quotient of integers.
constexpr std::array<AccuracyField, 19> fields = {{
    {"plume_3", "plume", 3,
     [](double u, double v, const double *x) {
         return exp(-(square(u - 0.25 - 0.4 * x[0]) + square(v - 0.6 + 0.35 * x[1]))
                    / (0.015 + 0.03 * x[2]));
     }},
    {"sheared_plume_4", "plume", 4,
     [](double u, double v, const double *x) {
         return exp(-square(u - 0.3 - 0.3 * x[0] - 0.25 * x[1] * v) / (0.02 + 0.03 * x[2])
                    - square(v - 0.35 - 0.3 * x[3]) / 0.05);
     }},
    {"ring_4", "plume", 4,
     [](double u, double v, const double *x) {
         return exp(
             -square(sqrt(square(u - 0.4 - 0.2 * x[0]) + square(v - 0.6 + 0.2 * x[1]) + 0.002)
                     - 0.15 - 0.15 * x[2])
             / (0.008 + 0.012 * x[3]));
     }},
    {"two_plumes_5", "plume", 5,
     [](double u, double v, const double *x) {
         return exp(-(square(u - 0.25 - 0.4 * x[0]) + square(v - 0.35 - 0.3 * x[1]))
                    / (0.02 + 0.03 * x[2]))
                + (0.4 + 0.8 * x[3])
                      * exp(-(square(u - 0.65 + 0.25 * x[1]) + square(v - 0.7 + 0.2 * x[2]))
                            / (0.015 + 0.05 * x[4]));
     }},
    {"exponential_3", "smooth", 3,
     [](double u, double v, const double *x) {
         return exp(1.1 * x[0] * u - 1.3 * x[1] * v) / (1 + 0.8 * x[2] * (u + v));
     }},
    {"bell_4", "smooth", 4,
     [](double u, double v, const double *x) {
         return 1
                / (1 + 5 * square(x[0] - 0.35 - 0.2 * u) + 3 * square(x[1] - 0.55 + 0.3 * v)
                   + square(x[2] - u) + 0.3 * x[3]);
     }},
    {"products_5", "smooth", 5,
     [](double u, double v, const double *x) {
         return sin(3.1 * u) * sin(3.1 * v) * (1 + x[0] + x[1] * x[2])
                + exp(-1.4 * x[3]) * u * (1 - v) * (1 + x[4] * x[4]);
     }},
    {"logarithm_6", "smooth", 6,
     [](double u, double v, const double *x) {
         return log(1.3 + x[0] * u + x[1] * v + 0.7 * x[2] * u * v)
                + 0.4 * sqrt(1.1 + x[3] - x[4] * u) * (1 + 0.5 * x[5] * v);
     }},
    {"wave_3", "oscillating", 3,
     [](double u, double v, const double *x) {
         return cos(7 * x[0] + 3 * u - 2 * v * x[1]) * exp(-1.5 * x[2] * u);
     }},
    {"standing_wave_4", "oscillating", 4,
     [](double u, double v, const double *x) {
         return 1.0 + sin(6.3 * (x[0] + u * (0.5 + x[1]))) * cos(3.1 * v * (0.5 + x[2]))
                + 0.5 * x[3] * u;
     }},
    {"wave_5", "oscillating", 5,
     [](double u, double v, const double *x) {
         return cos(5 * x[0] + 3 * x[1] + 0.7 * (x[2] + x[3] + x[4]) + 2 * u) * (1 + v);
     }},
    {"two_waves_6", "oscillating", 6,
     [](double u, double v, const double *x) {
         return 0.3 + sin(4 * x[0] + 3 * x[1] * u + 2 * x[2] * v)
                + cos(5 * x[3] - 2 * x[4] * u + x[5] * v);
     }},
    {"reciprocal_3", "reciprocal", 3,
     [](double u, double v, const double *x) {
         return (1 + x[2] * v) / (0.08 + x[0] + 0.5 * u * x[1]);
     }},
    {"two_reciprocals_4", "reciprocal", 4,
     [](double u, double v, const double *x) {
         return (1 + x[0] * u) / (0.1 + x[1] + 0.3 * v * x[2]) + x[3] / (0.3 + u);
     }},
    {"boundary_layer_5", "reciprocal", 5,
     [](double u, double v, const double *x) {
         return exp(-u / (0.05 + 0.4 * x[0])) * (1 + x[1] * v) + x[2] * v / (0.2 + x[3])
                + 0.2 * x[4];
     }},
    {"quotients_6", "reciprocal", 6,
     [](double u, double v, const double *x) {
         return (1 + x[0] * u) / ((0.12 + x[1]) * (0.5 + x[2]))
                + x[3] * v / (0.15 + x[4] + 0.4 * x[5] * u);
     }},
    {"front_3", "front", 3,
     [](double u, double v, const double *x) {
         return tanh(18 * (u - 0.25 - 0.4 * x[0] - 0.15 * x[1] * v)) * (1 + 0.5 * x[2]);
     }},
    {"switch_4", "front", 4,
     [](double u, double v, const double *x) {
         return 1.2 + tanh(9 * (x[0] + 0.4 * x[1] - 0.55 - 0.1 * u)) * (1 + 0.4 * x[2] * v)
                + 0.2 * x[3];
     }},
    {"shock_5", "front", 5,
     [](double u, double v, const double *x) {
         return (1 + x[2]) / (1 + exp(25 * (u - 0.2 - 0.3 * x[0] - 0.2 * x[1] * v)))
                + 0.3 * x[3] * v + 0.2 * x[4] * u;
     }},
}};

} // namespace

std::span<const AccuracyField> accuracyFields()
{
    return fields;
}

std::vector<double> snapshotOf(const AccuracyField &field, std::span<const double> x)
{
    std::vector<double> values(accuracyCells);
    const auto centre = [](int cell) { return (cell + 0.5) / accuracySide; };
    for (int cell = 0; cell < accuracySide * accuracySide; ++cell)
        values[static_cast<std::size_t>(cell)] =
            field.value(centre(cell % accuracySide), centre(cell / accuracySide), x.data());
    return values;
}

} // namespace gridhelm::bench
