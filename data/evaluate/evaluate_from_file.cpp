// SPDX-License-Identifier: GPL-3.0-or-later
//
// Evaluations that read what they need from the study's file.
#include "core/support/error.h"
#include "core/support/memory_check.h"
#include "data/evaluate/field_surrogate.h"
#include "data/evaluate/kriged_field.h"
#include "data/evaluate/row_reading.h"
#include "data/evaluate/study_surrogate.h"
#include "data/study/study_file.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

namespace gridhelm::data {

namespace {

/// With the weight 0 for those that are not named.
void nameAllRows(SparseWeights &weights, std::uint64_t rows)
{
    std::vector<double> all(rows, 0.0);
    for (std::size_t i = 0; i < weights.rows.size(); ++i)
        all[weights.rows[i]] = weights.weights[i];
    weights.weights = std::move(all);
    weights.rows.resize(rows);
    std::iota(weights.rows.begin(), weights.rows.end(), std::uint64_t{0});
    weights.lastGroupBegin = rows;
}

/// Rows that are named, each once; the weights name them by their places in that list.
std::vector<std::uint64_t> takeDistinctRows(SparseWeights &weights)
{
    auto rows = weights.rows;
    std::ranges::sort(rows);
    rows.erase(std::ranges::unique(rows).begin(), rows.end());
    for (auto &row : weights.rows)
        row = static_cast<std::uint64_t>(std::ranges::lower_bound(rows, row) - rows.begin());
    return rows;
}

/// Reads the rows that are named, a part of the columns at a time. `variances`, one for each named
/// row, are for the indicator of kriging; without them it is the last rows'.
void combineParts(const Study &study, FieldIndex field, const Surrogate &surrogate,
                  SparseWeights weights, std::span<const double> variances, FieldOutput out,
                  const CpuDevice &cpu)
{
    const auto rowsToRead = takeDistinctRows(weights);
    const auto stride = strideOf(Study::partValues());
    requireMemory(static_cast<double>(rowsToRead.size() * stride * sizeof(float)),
                  "an evaluation from " + std::to_string(rowsToRead.size()) + " rows",
                  "close other programs");
    std::vector<float> rows(rowsToRead.size() * stride);
    for (std::uint64_t part = 0; part < study.parts(field); ++part) {
        const auto columns = study.valuesInPart(field, part);
        for (std::size_t i = 0; i < rowsToRead.size(); ++i)
            readRowPart(study, field, surrogate, rowsToRead[i], part,
                        {rows.data() + i * stride, columns});
        const auto begin = part * Study::partValues();
        const linalg::MatrixView<const float> matrix{rows.data(), rowsToRead.size(), columns,
                                                     stride};
        const auto indicator =
            out.indicator.empty() ? out.indicator : out.indicator.subspan(begin, columns);
        linalg::combine<float>(weights, matrix, 0, out.values.subspan(begin, columns),
                               variances.empty() ? indicator : std::span<float>(), cpu);
        if (!variances.empty())
            fillDeviations(variances, matrix, std::size_t{0}, indicator, cpu);
    }
}

} // namespace

EvaluationWork evaluateFromFile(const Study &study, FieldIndex field, std::span<const double> x,
                                FieldOutput out, const CpuDevice &cpu, FieldPrefix prefix,
                                OutOfRange outOfRange, std::optional<int> complete)
{
    requireVectorStudy(study);
    static_cast<void>(study.parts(field)); // checks the field
    if (out.values.size() != study.fields()[field].values()
        || (!out.indicator.empty() && out.indicator.size() != out.values.size()))
        throw Error("field " + study.fields()[field].name + " has "
                    + std::to_string(study.fields()[field].values()) + " values, and there is "
                    + "room for " + std::to_string(out.values.size()));
    const ReadTransaction together(study.file());
    const auto surrogate = surrogateOf(study, field);
    const int groups =
        prefix.groups <= 0 ? surrogate->groups() : std::min(prefix.groups, surrogate->groups());
    const bool withIndicator = !out.indicator.empty();
    if (!complete)
        complete = withIndicator ? completeGroups(study, field) : 0;
    auto weights = weightsAt(*surrogate, x, groups, outOfRange, *complete, withIndicator);
    const auto *kriged = withIndicator ? krigedOf(*surrogate) : nullptr;
    EvaluationWork work;
    work.computedOn = ComputedOn::cpu();
    auto rows = surrogate->rows();
    if (prefix.modes > 0 && prefix.modes < rows && rowsAreModes(*surrogate)) {
        rows = prefix.modes;
        keepLeading(weights, rows, work);
    }
    if (kriged)
        nameAllRows(weights, rows);
    work.rows = weights.rows.size() * (kriged ? 2 : 1);
    work.rowsAgain = rowsAgain(weights);
    work.columns = out.values.size();
    work.hasIndicator = withIndicator;
    work.from = CoefficientsFrom::file;
    auto variances = kriged ? kriged->variances(x, cpu) : std::vector<double>();
    if (kriged)
        variances.resize(rows);
    combineParts(study, field, *surrogate, std::move(weights), variances, out, cpu);
    return work;
}

void combineFromFile(const Study &study, FieldIndex field, SparseWeights weights,
                     std::span<float> values, const CpuDevice &cpu)
{
    requireVectorStudy(study);
    const ReadTransaction together(study.file());
    combineParts(study, field, *surrogateOf(study, field), std::move(weights), {}, {values, {}},
                 cpu);
}

} // namespace gridhelm::data
