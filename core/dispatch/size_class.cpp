// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dispatch/size_class.h"

#include <array>
#include <limits>
#include <vector>

namespace gridhelm::dispatch {
namespace {

using solvers::Precision;

constexpr double any = std::numeric_limits<double>::infinity();

constexpr std::uint64_t iterations = 32; ///< from one look at the field to the next

PoissonWork jacobi(std::size_t side)
{
    return {"tuned", Precision::float32, 2, side, iterations};
}

PoissonWork redBlack(std::size_t side)
{
    return {"red-black", Precision::float32, 2, side, iterations};
}

PmmWork front(std::size_t side)
{
    return {true, Precision::float64, side};
}

} // namespace

std::span<const SizeClass> sizeClasses(Operation operation)
{
    // In the order of the operations. Those of the last class are a typical large case that takes
    // a CPU a fraction of a second.
    static const std::array<std::vector<SizeClass>, operations.size()> classes{
        {{{1e5, {}},
          {1e6, TransformWork{5, 8}},
          {1e7, TransformWork{6, 9}},
          {any, TransformWork{10, 9}}},
         {{1e5, {}},
          {1e7, InterpolationWork{6, 8, 1000}},
          {1e9, InterpolationWork{6, 8, 100000}},
          {any, InterpolationWork{6, 8, 1000000}}},
         {{1e5, {}},
          {1e6, CartesianWork{6, 8, 64}},
          {1e7, CartesianWork{6, 8, 128}},
          {any, CartesianWork{6, 8, 256}}},
         {{1e5, {}},
          {3e6, CombinationWork{100, 10000}},
          {3e7, CombinationWork{100, 100000}},
          {any, CombinationWork{100, 600000}}},
         // Several GPUs begin to gain at some 10^7 unknowns.
         {{1e4, {}}, {3e5, jacobi(256)}, {1e7, jacobi(1024)}, {any, jacobi(6144)}},
         {{1e4, {}}, {3e5, redBlack(256)}, {1e7, redBlack(1024)}, {any, redBlack(6144)}},
         {{5e3, {}}, {1e5, front(33)}, {1e6, front(65)}, {any, front(129)}}}};
    return classes.at(static_cast<std::size_t>(operation));
}

std::size_t sizeClassOf(Operation operation, double size)
{
    const auto classes = sizeClasses(operation);
    std::size_t index = 0;
    while (index + 1 < classes.size() && size > classes[index].upTo)
        ++index;
    return index;
}

} // namespace gridhelm::dispatch
