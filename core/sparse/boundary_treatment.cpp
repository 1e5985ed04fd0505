// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sparse/boundary_treatment.h"

#include "core/support/error.h"

namespace gridhelm::sparse {

std::string_view toString(BoundaryTreatment treatment)
{
    switch (treatment) {
    case BoundaryTreatment::zero:
        return "zero";
    case BoundaryTreatment::boundary:
        return "boundary";
    case BoundaryTreatment::modified:
        return "modified";
    }
    return "unknown";
}

namespace {

BoundaryTreatment parseOne(std::string_view word)
{
    for (auto treatment :
         {BoundaryTreatment::zero, BoundaryTreatment::boundary, BoundaryTreatment::modified}) {
        if (word == toString(treatment))
            return treatment;
    }
    throw Error("unknown boundary treatment \"" + std::string(word)
                + "\": use zero, boundary or modified");
}

} // namespace

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
        throw Error(std::to_string(treatments.size()) + " boundary treatments for "
                    + std::to_string(dimension)
                    + " dimensions: give one for all, or one per dimension");
    return treatments;
}

} // namespace gridhelm::sparse
