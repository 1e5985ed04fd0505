// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/evaluate/study_surrogate.h"

#include "core/sparse/sparse_grid_surrogate.h"
#include "core/support/error.h"
#include "data/evaluate/kriged_field.h"
#include "data/evaluate/quantised_grid.h"
#include "data/study/study_file.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace gridhelm::data {

std::shared_ptr<const Surrogate> surrogateOf(const Study &study, FieldIndex field)
{
    if (field >= study.fields().size())
        throw Error("the study has " + std::to_string(study.fields().size())
                    + " fields, so there is no field number " + std::to_string(field));
    if (auto kriging = study.kriging(field)) {
        auto &kept = study.file().kriging(field);
        if (!kept.surrogate)
            kept.surrogate =
                std::make_shared<KrigedField>(std::move(kriging), study.grid()->groups());
        return kept.surrogate;
    }
    auto ofRows = std::make_shared<sparse::SparseGridSurrogate>(study.grid());
    if (auto modal = study.modalRows(field))
        return std::make_shared<modes::ModalSurrogate>(std::move(ofRows), std::move(modal));
    if (auto bits = study.quantisedCoefficients(field))
        return std::make_shared<QuantisedGrid>(std::move(ofRows), std::move(bits));
    return ofRows;
}

const modes::ModalSurrogate *modalOf(const Surrogate &surrogate)
{
    return dynamic_cast<const modes::ModalSurrogate *>(&surrogate);
}

bool rowsAreModes(const Surrogate &surrogate)
{
    return modalOf(surrogate) != nullptr || krigedOf(surrogate) != nullptr;
}

std::unique_ptr<const ReadTransaction> readTogether(const Study &study, FieldIndex field)
{
    auto together = std::make_unique<const ReadTransaction>(study.file());
    if (!study.modeSet(field) && !study.quantisedCoefficients(field))
        together.reset();
    return together;
}

void readRow(const Study &study, FieldIndex field, const Surrogate &surrogate, std::uint64_t row,
             std::span<float> values)
{
    if (rowsAreModes(surrogate))
        study.readMode(field, row, values);
    else if (quantisedGridOf(surrogate))
        for (std::uint64_t part = 0; part < study.parts(field); ++part)
            readRowPart(
                study, field, surrogate, row, part,
                values.subspan(part * Study::partValues(), study.valuesInPart(field, part)));
    else if (!study.readCoefficients(row, field, values)) // nobody computed it yet
        std::ranges::fill(values, 0.0F);
}

void readRowPart(const Study &study, FieldIndex field, const Surrogate &surrogate,
                 std::uint64_t row, std::uint64_t part, std::span<float> values)
{
    const auto *bits = quantisedGridOf(surrogate);
    if (rowsAreModes(surrogate))
        study.readModePart(field, row, part, values);
    else if (bits && bits->bits().hasRow(row))
        study.quantisedCoefficientPart(row, field, part).decode(0, values);
    else if (bits)
        std::ranges::fill(values, 0.0F);
    else if (!study.readCoefficientPart(row, field, part, values))
        std::ranges::fill(values, 0.0F);
}

int completeGroups(const Study &study, FieldIndex field)
{
    const auto states = study.coefficientStates(field);
    const auto missing = std::ranges::find(states, CoefficientState::none);
    const auto first = static_cast<std::uint64_t>(missing - states.begin());
    const auto grid = study.grid();
    // Leaves that are not there yet leave it to the others.
    if (grid->grouping() == sparse::Grouping::leavesLast
        && std::any_of(states.begin()
                           + static_cast<std::ptrdiff_t>(grid->groupFirstPoint(grid->groups() - 1)),
                       states.end(), [](auto state) { return state != CoefficientState::none; }))
        return grid->groups();
    int groups = 0;
    while (groups < grid->groups() && grid->groupFirstPoint(groups + 1) <= first)
        ++groups;
    return groups;
}

SparseWeights withCompleteIndicator(SparseWeights weights, const Surrogate &surrogate, int groups,
                                    int complete)
{
    if (complete <= 0 || complete >= groups)
        return weights;
    const auto begin = surrogate.rows(complete - 1), end = surrogate.rows(complete);
    SparseWeights sorted;
    const auto take = [&](bool isIndicators) {
        for (std::size_t i = 0; i < weights.rows.size(); ++i) {
            if ((weights.rows[i] >= begin && weights.rows[i] < end) != isIndicators)
                continue;
            sorted.rows.push_back(weights.rows[i]);
            sorted.weights.push_back(weights.weights[i]);
        }
    };
    take(false);
    sorted.lastGroupBegin = sorted.rows.size();
    take(true);
    return sorted;
}

SparseWeights weightsAt(const Surrogate &surrogate, std::span<const double> x, int groups,
                        OutOfRange outOfRange, int complete, bool withIndicator)
{
    if (krigedOf(surrogate))
        return surrogate.weights(x, groups, outOfRange); // a level says nothing of its error
    const auto *modal = modalOf(surrogate);
    const auto &ofRows = modal ? modal->ofRows() : surrogate;
    auto weights =
        withCompleteIndicator(ofRows.weights(x, groups, outOfRange), ofRows, groups, complete);
    return modal ? modal->ofModes(weights, withIndicator) : weights;
}

} // namespace gridhelm::data
