// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/search_space.h"

#include <fmt/format.h>

namespace gridhelm::tuning {

std::vector<Variant> SearchSpace::all() const
{
    std::vector<Variant> variants{{}};
    for (const auto &dimension : dimensions) {
        std::vector<Variant> longer;
        for (const auto &variant : variants) {
            for (const int value : dimension.values) {
                longer.push_back(variant);
                longer.back().push_back(value);
            }
        }
        variants = std::move(longer);
    }
    std::erase_if(variants, [&](const Variant &variant) { return !isAllowed(variant); });
    return variants;
}

SearchSpace spaceOf(const TunableOperation &operation)
{
    SearchSpace space;
    for (const auto *constant : operation.constants) {
        space.dimensions.push_back({{constant->values.begin(), constant->values.end()},
                                    constant->partition,
                                    constant->splitsWork});
        space.start.push_back(constant->compiledIn);
    }
    if (operation.allows != nullptr)
        space.allows = [allows = operation.allows](const Variant &variant) {
            return allows(variant);
        };
    return space;
}

std::map<std::string, int> constantsOf(const TunableOperation &operation, const Variant &variant)
{
    std::map<std::string, int> constants;
    for (std::size_t i = 0; i < variant.size(); ++i)
        constants[std::string(operation.constants[i]->name)] = variant[i];
    return constants;
}

std::string textOf(const TunableOperation &operation, const Variant &variant)
{
    std::string text;
    for (std::size_t i = 0; i < variant.size(); ++i)
        text +=
            fmt::format("{}{} {}", i == 0 ? "" : ", ", operation.constants[i]->name, variant[i]);
    return text;
}

} // namespace gridhelm::tuning
