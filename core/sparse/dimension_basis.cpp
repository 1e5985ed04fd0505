// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sparse/dimension_basis.h"

#include "core/support/enumeration.h"
#include "core/support/error.h"

#include <algorithm>

namespace gridhelm::sparse {

namespace {

constexpr int highestDegreeOfAll = 3;

} // namespace

std::vector<DimensionBasis> basesOf(const std::vector<BoundaryTreatment> &treatments,
                                    const std::vector<int> &degrees)
{
    std::vector<DimensionBasis> bases;
    for (std::size_t t = 0; t < treatments.size(); ++t)
        bases.emplace_back(treatments[t], degrees[t]);
    return bases;
}

void requireDegree(BoundaryTreatment treatment, int degree)
{
    const int highest = highestDegreeOf(treatment);
    if (degree >= 1 && degree <= highest)
        return;
    const auto name = std::string(toString(treatment));
    if (degree < 1 || degree > highestDegreeOfAll)
        throw Error("degree " + std::to_string(degree) + " is not possible: choose 1, 2 or 3");
    throw Error("degree " + std::to_string(degree) + " is not possible for the boundary basis "
                + name + ": leave it at 1 there, for there is a choice of " + degreeHelp());
}

std::vector<int> degreesFor(const std::vector<BoundaryTreatment> &treatments,
                            std::vector<int> degrees)
{
    const auto d = treatments.size();
    if (degrees.empty())
        degrees.assign(1, 1);
    if (degrees.size() == 1 && d != 1) {
        const int forAll = degrees.front();
        const bool isPossible = std::ranges::any_of(
            treatments, [&](auto treatment) { return highestDegreeOf(treatment) >= forAll; });
        if (!isPossible)
            requireDegree(treatments.front(), forAll);
        degrees.clear();
        for (const auto treatment : treatments)
            degrees.push_back(std::min(forAll, highestDegreeOf(treatment)));
    }
    if (degrees.size() != d)
        throw Error(std::to_string(degrees.size()) + " degrees for " + std::to_string(d)
                    + " dimensions: give one for all, or one per dimension");
    for (std::size_t t = 0; t < d; ++t)
        requireDegree(treatments[t], degrees[t]);
    return degrees;
}

std::vector<int> parseDegrees(std::string_view text)
{
    std::vector<int> degrees;
    while (true) {
        const auto comma = text.find(',');
        const auto word = text.substr(0, comma);
        if (word.size() != 1 || word.front() < '1' || word.front() > '0' + highestDegreeOfAll)
            throw Error("\"" + std::string(word) + "\" is no degree: choose 1, 2 or 3");
        degrees.push_back(word.front() - '0');
        if (comma == std::string_view::npos)
            return degrees;
        text.remove_prefix(comma + 1);
    }
}

std::string degreesText(const std::vector<int> &degrees)
{
    std::string text;
    for (std::size_t t = 0; t < degrees.size(); ++t)
        text += (t == 0 ? "" : ",") + std::to_string(degrees[t]);
    return text;
}

std::string degreeHelp()
{
    std::vector<std::string> names;
    for (const auto treatment : boundaryTreatments()) {
        if (highestDegreeOf(treatment) == highestDegreeOfAll)
            names.emplace_back(toString(treatment));
    }
    return "1, 2 or 3 for " + enumeration(names, "and");
}

} // namespace gridhelm::sparse
