// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sparse/boundary_treatment.h"

#include "core/support/enumeration.h"
#include "core/support/error.h"

namespace gridhelm::sparse {

std::vector<BoundaryTreatment> boundaryTreatments()
{
    std::vector<BoundaryTreatment> all;
    for (int i = 0; i < Treatments::size + OtherTreatments::size; ++i)
        all.push_back(static_cast<BoundaryTreatment>(i));
    return all;
}

std::string_view toString(BoundaryTreatment treatment)
{
    return withAnyTreatment(treatment, [](auto type) { return decltype(type)::name; });
}

std::optional<BoundaryTreatment> findBoundaryTreatment(std::string_view name)
{
    for (const auto treatment : boundaryTreatments()) {
        if (name == toString(treatment))
            return treatment;
    }
    return std::nullopt;
}

namespace {

/// "a, b or c" of the text of each.
template <typename TextOf>
std::string alternatives(TextOf textOf)
{
    std::vector<std::string> texts;
    for (const auto treatment : boundaryTreatments())
        texts.emplace_back(textOf(treatment));
    return enumeration(texts, "or");
}

BoundaryTreatment parseOne(std::string_view word)
{
    if (const auto treatment = findBoundaryTreatment(word))
        return *treatment;
    throw Error("unknown boundary basis \"" + std::string(word) + "\": use "
                + boundaryTreatmentNames());
}

} // namespace

std::string boundaryTreatmentNames()
{
    return alternatives([](BoundaryTreatment treatment) { return toString(treatment); });
}

std::string boundaryTreatmentHelp()
{
    return alternatives([](BoundaryTreatment treatment) {
        const auto help =
            withAnyTreatment(treatment, [](auto type) { return decltype(type)::help; });
        return std::string(toString(treatment)) + " (" + std::string(help) + ")";
    });
}

std::vector<BoundaryTreatment> parseBoundaryTreatments(std::string_view text, int dimension)
{
    std::vector<BoundaryTreatment> treatments;
    while (true) {
        const auto comma = text.find(',');
        treatments.push_back(parseOne(text.substr(0, comma)));
        if (comma == std::string_view::npos)
            break;
        text.remove_prefix(comma + 1);
    }
    const auto wanted = static_cast<std::size_t>(dimension);
    if (treatments.size() == 1 && dimension > 0)
        treatments.resize(wanted, treatments.front());
    if (treatments.size() != wanted)
        throw Error(std::to_string(treatments.size()) + " boundary bases for "
                    + std::to_string(dimension)
                    + " dimensions: give one for all, or one per dimension");
    return treatments;
}

} // namespace gridhelm::sparse
