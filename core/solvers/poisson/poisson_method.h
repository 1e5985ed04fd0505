// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a method for Poisson's equation says of itself, once: command line, window, benchmarks and
// checks follow from it.
#pragma once

#include "core/execution/execution_context.h"
#include "core/options/option.h"
#include "core/solvers/poisson/poisson_iterations.h"
#include "core/solvers/poisson_problem.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gridhelm::solvers {

/// What one update of one unknown counts as.
struct CountedUpdate
{
    double flops = 0;
    double values = 0; ///< read or written
};

/// Methods with the same mathematics: a command, a form.
struct PoissonFamily
{
    std::string_view id;      ///< "sor"
    std::string_view name;    ///< "SOR"
    std::string_view summary; ///< what it solves, and how
    CountedUpdate (*count)(const PoissonProblem &problem) = nullptr;
    /// Of everything that a method holds for an unknown whose value takes so many bytes.
    std::size_t (*bytesPerUnknown)(const PoissonProblem &problem, std::size_t valueBytes) = nullptr;
};

template <typename T>
using PoissonMaker = std::unique_ptr<PoissonIterations<T>> (*)(const PoissonProblem &problem,
                                                               const OptionValues &options,
                                                               const ExecutionContext &context);

struct PoissonMethod
{
    const PoissonFamily *family;
    std::string_view name;    ///< "temporal"; no two methods have the same
    std::string_view summary; ///< what it does, in a few words, in the help and in forms
    /// What it is for, in one or two sentences for somebody who has to choose: likewise.
    std::string_view purpose;
    std::span<const Option *const> options = {};
    bool solves3D = false;
    bool isDivisible = false;   ///< several devices can share the work (ExecutionContext::team())
    bool isSerial = false;      ///< it uses one thread, whatever the device has
    bool reportsChange = false; ///< StepReport::largestChange

    /// Throws gridhelm::Error for values that are possible, but not together. Null: all are.
    void (*require)(const OptionValues &options, std::string_view name) = nullptr;
    /// The value of a live option that was not given.
    double (*chosenValue)(const PoissonProblem &problem, const OptionValues &options) = nullptr;

    /// Iterations that it does in one go, or that belong together. Null: 1.
    std::uint64_t (*granule)(const OptionValues &options) = nullptr;
    /// Fewer would be another method, or none at all. Null: 1.
    std::uint64_t (*smallestStep)(const OptionValues &options) = nullptr;

    /// On the context's CPU. The live options have a value.
    PoissonMaker<float> makeFloat = nullptr;
    PoissonMaker<double> makeDouble = nullptr;
};

/// Families and methods that are registered (methods.h); the first method of a family is its
/// default.
std::span<const PoissonFamily *const> poissonFamilies();
std::span<const PoissonMethod *const> poissonMethods();
std::vector<const PoissonMethod *> methodsOf(const PoissonFamily &family);
/// Of these methods, each once.
std::vector<const Option *> optionsOf(std::span<const PoissonMethod *const> methods);

/// Throws gridhelm::Error for a name that no method (of the family) has.
const PoissonMethod &poissonMethod(std::string_view name);
const PoissonMethod &poissonMethod(const PoissonFamily &family, std::string_view name);

/// "tuned, temporal or async0".
std::string namesOf(std::span<const PoissonMethod *const> methods, std::string_view last = "or");

bool hasOption(const PoissonMethod &method, const Option &option);
std::uint64_t granuleOf(const PoissonMethod &method, const OptionValues &options);

/// Throws gridhelm::Error for options that the method does not have, and for what is not possible.
void requireOptions(const PoissonMethod &method, const OptionValues &options);

/// The options, with values for all live ones.
OptionValues startingOptions(const PoissonMethod &method, const PoissonProblem &problem,
                             OptionValues options);
/// The live ones, as startingOptions() has them, or as they have become.
std::vector<LiveParameter> liveOptions(const PoissonMethod &method, const OptionValues &options);
/// Null if the method has no live option of that name.
const Option *liveOption(const PoissonMethod &method, std::string_view name);

} // namespace gridhelm::solvers
