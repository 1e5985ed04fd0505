// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/setup/method_setup.h"

#include "core/solvers/setup/problem_text.h"
#include "core/support/error.h"

#include <fmt/format.h>

namespace gridhelm::solvers {
namespace {

[[noreturn]] void refuse(const PoissonFamily &family, const PoissonMethod &method,
                         const Option &option, const std::string &what)
{
    auto others = methodsOf(family);
    std::erase_if(others, [&](const auto *other) { return !hasOption(*other, option); });
    throw Error(fmt::format("{} is for the method{} {}, not for {}: leave it out", what,
                            others.size() > 1 ? "s" : "", namesOf(others, "and"), method.name));
}

} // namespace

PoissonSettings poissonSettings(const PoissonFamily &family, const MethodSetup &setup)
{
    const auto &method = poissonMethod(family, setup.method);
    PoissonSettings settings{
        setup.method, parsePrecision(setup.precision, setup.prefix + "precision"), setup.chosen};
    for (const auto &[option, text] : setup.typed) {
        const auto what = setup.prefix + std::string(option->key);
        if (!hasOption(method, *option))
            refuse(family, method, *option, what);
        const auto value = parseOption(*option, text, what);
        requirePossible(*option, value, what);
        settings.options.set(*option, value);
    }
    requireOptions(method, settings.options);
    return settings;
}

} // namespace gridhelm::solvers
