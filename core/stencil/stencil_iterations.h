// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a stencil's stepper has of the device that computes: all else is the same for all of them.
#pragma once

#include "core/execution/computed_on.h"
#include "core/execution/device.h"
#include "core/solvers/stepper.h"
#include "core/stencil/stencil.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

namespace gridhelm::stencil {

/// Values, and who iterates them. As Stepper: one thread at a time.
template <typename T>
class StencilIterations
{
public:
    virtual ~StencilIterations() = default;

    virtual std::string_view method() const = 0;
    virtual ComputedOn computedOn() const = 0;
    /// With s = `factor`. Returns the largest change of a value in the last iteration, when all of
    /// them are done.
    virtual double advance(std::uint64_t iterations, T factor) = 0;
    /// What one more iteration would change, as 2-norm; the values stay.
    virtual double residual(T factor) = 0;
    /// All values, x fastest.
    virtual void copyTo(std::vector<T> &values) const = 0;
};

/// The stencil that it is handed lives as long as what it makes.
template <typename T>
using MakeIterations = std::function<std::unique_ptr<StencilIterations<T>>(const Stencil &)>;

/// The stepper of these iterations, of a stencil whose precision is T's, see the other
/// makeStencilStepper(). Start, source and coefficients are checked by the threads of `cpu`.
template <typename T>
std::unique_ptr<solvers::Stepper> makeStencilStepper(const Stencil &stencil, const CpuDevice &cpu,
                                                     const MakeIterations<T> &make);

/// Lists that an iteration reads and writes: the values twice, coefficients, source.
double listsOf(const Stencil &stencil);

} // namespace gridhelm::stencil
