// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/setup/sor_setup.h"

#include "core/solvers/setup/problem_text.h"
#include "core/solvers/sor/relaxation.h"
#include "core/support/error.h"
#include "core/support/parse_numbers.h"

#include <fmt/format.h>

namespace gridhelm::solvers {
namespace {

SorMethod sorMethod(const std::string &name)
{
    if (name == "sequential")
        return SorMethod::sequential;
    if (name == "red-black")
        return SorMethod::redBlack;
    if (name == "mlssor")
        return SorMethod::mlssor;
    throw Error(
        fmt::format("there is no SOR method \"{}\": choose sequential, red-black or mlssor", name));
}

SweepDirection sweepDirection(const std::string &name, const std::string &option)
{
    if (name == "forward")
        return SweepDirection::forward;
    if (name == "backward")
        return SweepDirection::backward;
    if (name == "alternating")
        return SweepDirection::alternating;
    throw Error(fmt::format("{}: there is no \"{}\": choose forward, backward or alternating",
                            option, name));
}

MlssorShape mlssorShape(const std::string &text, const std::string &option)
{
    const auto size = parseSize(text, option);
    if (size.size() < 2 || size.back() != size[1])
        throw Error(fmt::format("{}: {} is no sub-domain of K layers of M x M unknowns: write KxM, "
                                "e.g. 16x32",
                                option, text));
    return {size[0], size[1]};
}

} // namespace

SorSettings sorSettings(const SorSetup &setup)
{
    const auto &prefix = setup.prefix;
    SorSettings settings;
    settings.method = sorMethod(setup.method);
    settings.precision = parsePrecision(setup.precision, prefix + "precision");
    const auto refuse = [&](const std::optional<std::string> &value, const char *option,
                            bool isMeant, const char *methods) {
        if (value && !isMeant)
            throw Error(fmt::format("{}{} is for {}, not for {}: leave it out", prefix, option,
                                    methods, setup.method));
    };
    refuse(setup.direction, "direction", settings.method != SorMethod::redBlack,
           "the methods sequential and mlssor");
    refuse(setup.shape, "shape", settings.method == SorMethod::mlssor, "the method mlssor");
    refuse(setup.iterationsPerPass, "pass", settings.method == SorMethod::redBlack,
           "the method red-black");
    if (setup.relaxation) {
        settings.relaxation = parseReal(*setup.relaxation, prefix + "relaxation");
        requireRelaxation(*settings.relaxation);
    }
    if (setup.direction)
        settings.direction = sweepDirection(*setup.direction, prefix + "direction");
    if (setup.shape)
        settings.shape = mlssorShape(*setup.shape, prefix + "shape");
    if (setup.iterationsPerPass) {
        constexpr int most = 64;
        const int pass = parseInteger(*setup.iterationsPerPass, prefix + "pass");
        if (pass < 0 || pass > most)
            throw Error(fmt::format("{}pass: {} iterations in a pass are not possible: choose 1 to "
                                    "{}, or 0 for as many as suit",
                                    prefix, pass, most));
        settings.iterationsPerPass = static_cast<unsigned>(pass);
    }
    return settings;
}

std::uint64_t granuleOf(const SorSettings &settings)
{
    constexpr std::uint64_t redBlackPass = 8;
    const bool isPair = settings.direction == SweepDirection::alternating;
    switch (settings.method) {
    case SorMethod::sequential:
        return isPair ? 2 : 1;
    case SorMethod::mlssor:
        return settings.shape.layers * (isPair ? 2 : 1);
    case SorMethod::redBlack:
        break;
    }
    return settings.iterationsPerPass > 0 ? settings.iterationsPerPass : redBlackPass;
}

} // namespace gridhelm::solvers
