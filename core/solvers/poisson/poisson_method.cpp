// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/poisson/poisson_method.h"

#include "core/support/enumeration.h"
#include "core/support/error.h"

#include <fmt/format.h>

#include <algorithm>

namespace gridhelm::solvers {

std::vector<const PoissonMethod *> methodsOf(const PoissonFamily &family)
{
    std::vector<const PoissonMethod *> methods;
    std::ranges::copy_if(poissonMethods(), std::back_inserter(methods),
                         [&](const auto *method) { return method->family == &family; });
    return methods;
}

std::vector<const Option *> optionsOf(std::span<const PoissonMethod *const> methods)
{
    std::vector<const Option *> options;
    for (const auto *method : methods) {
        for (const auto *option : method->options) {
            if (std::ranges::find(options, option) == options.end())
                options.push_back(option);
        }
    }
    return options;
}

const PoissonMethod &poissonMethod(std::string_view name)
{
    const auto methods = poissonMethods();
    const auto found = std::ranges::find(methods, name, &PoissonMethod::name);
    if (found == methods.end())
        throw Error(fmt::format("there is no method \"{}\" for Poisson's equation; choose {}", name,
                                namesOf(methods)));
    return **found;
}

const PoissonMethod &poissonMethod(const PoissonFamily &family, std::string_view name)
{
    const auto methods = methodsOf(family);
    const auto found = std::ranges::find(methods, name, &PoissonMethod::name);
    if (found == methods.end())
        throw Error(fmt::format("there is no {} method \"{}\"; choose {}", family.name, name,
                                namesOf(methods)));
    return **found;
}

std::string namesOf(std::span<const PoissonMethod *const> methods, std::string_view last)
{
    std::vector<std::string_view> names;
    std::ranges::transform(methods, std::back_inserter(names),
                           [](const auto *method) { return method->name; });
    return enumeration(names, last);
}

bool hasOption(const PoissonMethod &method, const Option &option)
{
    return std::ranges::find(method.options, &option) != method.options.end();
}

std::uint64_t granuleOf(const PoissonMethod &method, const OptionValues &options)
{
    return method.granule == nullptr ? 1 : method.granule(options);
}

void requireOptions(const PoissonMethod &method, const OptionValues &options)
{
    for (const auto &[key, value] : options) {
        const auto found =
            std::ranges::find(method.options, std::string_view(key),
                              [](const auto *option) { return std::string_view(option->key); });
        if (found == method.options.end())
            throw Error(
                fmt::format("the method {} has no option {}; leave it out", method.name, key));
        requirePossible(**found, value, key);
    }
    if (method.require != nullptr)
        method.require(options, method.name);
}

OptionValues startingOptions(const PoissonMethod &method, const PoissonProblem &problem,
                             OptionValues options)
{
    for (const auto *option : method.options) {
        if (option->isLive && options.find(*option) == nullptr)
            options.set(*option, method.chosenValue(problem, options));
    }
    return options;
}

std::vector<LiveParameter> liveOptions(const PoissonMethod &method, const OptionValues &options)
{
    std::vector<LiveParameter> parameters;
    for (const auto *option : method.options) {
        if (option->isLive)
            parameters.push_back({std::string(option->key), std::string(option->unit),
                                  std::get<double>(*options.find(*option)), option->low,
                                  option->high, false});
    }
    return parameters;
}

const Option *liveOption(const PoissonMethod &method, std::string_view name)
{
    const auto found = std::ranges::find_if(
        method.options, [&](const auto *option) { return option->isLive && option->key == name; });
    return found == method.options.end() ? nullptr : *found;
}

} // namespace gridhelm::solvers
