// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/kriging_cases.h"

#include "core/kriging/kriging_surrogate.h"
#include "core/support/uniform_random.h"
#include "core/surrogate/filling_places.h"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <utility>

namespace gridhelm::bench {

namespace {

double square(double value)
{
    return value * value;
}

std::vector<double> latinHypercube(std::size_t runs, std::size_t dimension, std::mt19937_64 &engine)
{
    std::vector<double> places(runs * dimension);
    std::vector<std::size_t> cells(runs);
    for (std::size_t t = 0; t < dimension; ++t) {
        for (std::size_t i = 0; i < runs; ++i)
            cells[i] = i;
        for (std::size_t i = runs; i > 1; --i)
            std::swap(cells[i - 1], cells[engine() % i]);
        for (std::size_t i = 0; i < runs; ++i)
            places[i * dimension + t] =
                (static_cast<double>(cells[i]) + uniformRandom(engine)) / static_cast<double>(runs);
    }
    return places;
}

/// The squared distance of run i from the nearest other one.
double nearest(const std::vector<double> &places, std::size_t dimension, std::size_t i)
{
    double smallest = std::numeric_limits<double>::infinity();
    for (std::size_t j = 0; j < places.size() / dimension; ++j) {
        double sum = 0;
        for (std::size_t t = 0; t < dimension; ++t)
            sum += square(places[i * dimension + t] - places[j * dimension + t]);
        if (j != i)
            smallest = std::min(smallest, sum);
    }
    return smallest;
}

/// For kriging (docs/theory/surrogates.md).
constexpr std::array<KrigingFunction, 5> functions = {{
    {"f1",
     [](std::span<const double> x) {
         return 1
                / (1 + 8 * square(x[0] - 0.3) + 2 * square(x[1] - 0.4) + 0.5 * square(x[2] - 0.6)
                   + 0.1 * (x[3] + x[4]));
     }},
    {"f2",
     [](std::span<const double> x) {
         return std::cos(6 * x[0] + 2 * x[1] + 0.5 * (x[2] + x[3] + x[4])) * std::exp(-x[0]);
     }},
    {"f3",
     [](std::span<const double> x) {
         return std::exp(-20 * (square(0.4 - x[0]) + square(0.6 - x[1]))) * (1 + x[2])
                + 0.1 * (x[3] + x[4]);
     }},
    {"f4",
     [](std::span<const double> x) {
         return (1 + 2 * x[0]) / (1 + x[1] + 0.2 * x[2]) * (1 + 0.3 * x[3]) / (1 + 0.05 * x[4]);
     }},
    {"f5",
     [](std::span<const double> x) {
         return std::tanh(10 * (x[0] + 0.3 * x[1] - 0.6)) * (1 + x[2]) + 0.1 * x[3];
     }},
}};

/// Two plumes that move, widen and fade.
double plumes(double u, double v, std::span<const double> x)
{
    const double first = square(u - 0.2 - 0.5 * x[0]) + square(v - 0.3 - 0.4 * x[1]);
    const double second = square(u - 0.7 + 0.3 * x[1]) + square(v - 0.6 - 0.2 * x[2]);
    return std::exp(-first / (0.01 + 0.03 * x[2]))
           + (0.3 + x[3]) * std::exp(-second / (0.02 + 0.04 * x[4]));
}

} // namespace

std::span<const KrigingFunction> krigingFunctions()
{
    return functions;
}

std::vector<double> spreadLatinHypercube(std::size_t runs, int dimension, std::uint64_t seed)
{
    constexpr std::size_t swapsPerRun = 100;
    std::mt19937_64 engine(seed);
    const auto d = static_cast<std::size_t>(dimension);
    auto places = latinHypercube(runs, d, engine);
    for (std::size_t k = 0; k < swapsPerRun * runs; ++k) {
        const std::size_t i = engine() % runs, j = engine() % runs, t = engine() % d;
        const auto distance = [&] {
            return std::min(nearest(places, d, i), nearest(places, d, j));
        };
        const double before = distance();
        std::swap(places[i * d + t], places[j * d + t]);
        if (distance() < before)
            std::swap(places[i * d + t], places[j * d + t]);
    }
    return places;
}

std::vector<double> fillingDesign(std::size_t runs, int dimension, std::uint64_t seed)
{
    FillingPlaces filling(dimension, seed);
    std::vector<double> places;
    while (filling.size() < runs) {
        const auto place = filling.next();
        filling.add(place);
        places.insert(places.end(), place.begin(), place.end());
    }
    return places;
}

std::vector<double> uniformPlaces(std::size_t count, int dimension, std::uint64_t seed)
{
    std::mt19937_64 engine(seed);
    std::vector<double> places(count * static_cast<std::size_t>(dimension));
    for (double &coordinate : places)
        coordinate = uniformRandom(engine);
    return places;
}

kriging::Runs runsOf(const KrigingFunction &function, std::vector<double> places)
{
    constexpr std::size_t d = krigingParameters;
    kriging::Runs runs{places.size() / d, krigingParameters, 1, std::move(places), {}};
    for (std::size_t i = 0; i < runs.runs; ++i)
        runs.values.push_back(function.value({runs.places.data() + i * d, d}));
    return runs;
}

ModalField plumeModes(std::vector<double> places, std::size_t modes)
{
    constexpr std::size_t d = krigingParameters;
    constexpr int side = 64;
    const auto count = static_cast<Eigen::Index>(places.size() / d);
    Eigen::MatrixXd snapshots(side * side, count);
    for (Eigen::Index i = 0; i < count; ++i) {
        const std::span<const double> x(places.data() + static_cast<std::size_t>(i) * d, d);
        for (int node = 0; node < side * side; ++node)
            snapshots(node, i) = plumes((node % side + 0.5) / side, (node / side + 0.5) / side, x);
    }
    // With the snapshots' Gram matrix V S^2 V^T, coefficients are V S.
    const Eigen::MatrixXd gram = snapshots.transpose() * snapshots;
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(gram);
    const auto kept = std::min<Eigen::Index>(static_cast<Eigen::Index>(modes), count);
    ModalField field{side * side,
                     {static_cast<std::size_t>(count),
                      krigingParameters,
                      static_cast<std::size_t>(kept),
                      std::move(places),
                      {}},
                     {},
                     {}};
    for (Eigen::Index i = 0; i < count; ++i) {
        double rest = gram(i, i);
        for (Eigen::Index m = 0; m < kept; ++m) {
            const Eigen::Index column = count - 1 - m; // eigenvalues ascend
            const double coefficient = eigen.eigenvectors()(i, column)
                                       * std::sqrt(std::max(0.0, eigen.eigenvalues()[column]));
            field.coefficients.values.push_back(coefficient);
            rest -= square(coefficient);
        }
        field.cutEnergies.push_back(std::max(0.0, rest));
        field.squaredNorms.push_back(gram(i, i));
    }
    return field;
}

double relativeError(const kriging::Model &model, const kriging::Runs &tests)
{
    const kriging::KrigingSurrogate surrogate(model);
    const auto d = static_cast<std::size_t>(tests.dimension);
    double error = 0, size = 0;
    for (std::size_t i = 0; i < tests.runs; ++i) {
        const auto weights = surrogate.weights({tests.places.data() + i * d, d}, 1);
        const double value = weights.weights.empty() ? 0 : weights.weights.front();
        error += square(value - tests.values[i]);
        size += square(tests.values[i]);
    }
    return std::sqrt(error / size);
}

} // namespace gridhelm::bench
