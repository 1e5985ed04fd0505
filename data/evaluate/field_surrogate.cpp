// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/evaluate/field_surrogate.h"

#include "core/support/checked_math.h"
#include "core/support/error.h"
#include "core/support/huge_pages.h"
#include "core/support/memory_check.h"
#include "core/support/system_info.h"
#include "data/evaluate/kriged_field.h"
#include "data/evaluate/study_surrogate.h"
#include "data/study/study_file.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <new>
#include <numeric>
#include <string>
#include <utility>

namespace gridhelm::data {

namespace {

constexpr std::size_t lineBytes = 64;
constexpr std::size_t lineValues = lineBytes / sizeof(float);

/// Values from row to row: whole cache lines, and no multiple of 4 KiB, at which rows would compete
/// for the same places in the cache.
std::uint64_t strideOf(std::uint64_t columns)
{
    const auto stride = (columns + lineValues - 1) / lineValues * lineValues;
    const bool competes = stride * sizeof(float) % 4096 == 0;
    return stride + (competes ? lineValues : 0);
}

double bytesNeeded(const Study &study, FieldIndex field)
{
    if (const auto set = study.modeSet(field); set && set->quantised)
        return static_cast<double>(set->quantised->frameBytes);
    return static_cast<double>(surrogateOf(study, field)->rows())
           * static_cast<double>(strideOf(study.fields().at(field).values())) * sizeof(float);
}

/// Rows that are named on both sides of lastGroupBegin.
std::uint64_t rowsAgain(const SparseWeights &weights)
{
    const auto last = weights.rows.begin() + static_cast<std::ptrdiff_t>(weights.lastGroupBegin);
    std::vector<std::uint64_t> both;
    std::set_intersection(weights.rows.begin(), last, last, weights.rows.end(),
                          std::back_inserter(both));
    return both.size();
}

void requireVectorStudy(const Study &study)
{
    if (study.description().kind != StudyKind::vector)
        throw Error(study.path().string()
                    + " is a scalar study: space is part of its grid, so evaluate it as such");
}

} // namespace

void FieldSurrogate::Free::operator()(float *memory) const
{
    std::free(memory);
}

bool FieldSurrogate::fitsInMemory(const Study &study, FieldIndex field)
{
    const auto available = static_cast<double>(availableMemoryBytes());
    return available == 0 || bytesNeeded(study, field) <= available; // 0: unknown
}

FieldSurrogate::FieldSurrogate(const Study &study, FieldIndex field)
    : m_index(field)
{
    requireVectorStudy(study);
    const ReadTransaction together(study.file());
    m_surrogate = surrogateOf(study, field);
    m_modes = study.modeSet(field);
    m_degrees = study.description().space.degrees();
    m_field = study.fields()[field];
    m_columns = m_field.values();
    m_stride = strideOf(m_columns);
    m_completeGroups = completeGroups(study, field);
    requireMemory(bytesNeeded(study, field),
                  "field " + m_field.name + " (" + std::to_string(m_surrogate->rows())
                      + " snapshots of " + std::to_string(m_columns) + " values)",
                  "evaluate it from the file, or load fewer fields");
    if (m_modes && m_modes->quantised) {
        m_quantised.resize(m_surrogate->rows());
        return;
    }
    const auto bytes =
        checkedMultiply(checkedMultiply(m_surrogate->rows(), m_stride), sizeof(float));
    m_memory.reset(static_cast<float *>(std::aligned_alloc(lineBytes, bytes)));
    if (!m_memory)
        throw std::bad_alloc();
    preferHugePages(m_memory.get(), bytes);
}

void FieldSurrogate::loadRow(const Study &study, std::uint64_t row)
{
    if (m_quantised.empty()) {
        float *values = m_memory.get() + row * m_stride;
        readRow(study, m_index, *m_surrogate, row, {values, m_columns});
        std::fill(values + m_columns, values + m_stride, 0.0F);
        return;
    }
    sparse::QuantisedRow whole;
    for (std::uint64_t part = 0; part < study.parts(m_index); ++part)
        whole.append(study.quantisedModePart(m_index, row, part));
    m_quantised[row] = std::move(whole);
}

int FieldSurrogate::load(const Study &study, int groups, const std::function<bool()> &stop)
{
    // Modes can be replaced, while coefficients never change.
    std::optional<ReadTransaction> together;
    if (m_modes)
        together.emplace(study.file());
    if (m_index >= study.fields().size() || study.fields()[m_index] != m_field
        || study.modeSet(m_index) != m_modes
        || surrogateOf(study, m_index)->rows() != m_surrogate->rows()
        || study.description().space.degrees() != m_degrees)
        throw Error("the study has changed since field " + m_field.name
                    + " began to be loaded: load it again from the beginning");
    groups = std::min(groups, m_surrogate->groups());
    for (int group = loadedGroups(); group < groups; ++group) {
        for (auto index = m_surrogate->rows(group); index < m_surrogate->rows(group + 1); ++index) {
            if (stop && stop())
                return group;
            loadRow(study, index);
        }
        m_loadedGroups.store(group + 1, std::memory_order_release);
    }
    return loadedGroups();
}

int FieldSurrogate::loadAll(const Study &study, const std::function<bool()> &stop)
{
    return load(study, m_surrogate->groups(), stop);
}

sparse::MatrixView<const float> FieldSurrogate::matrix() const
{
    if (!m_quantised.empty())
        return {};
    return {m_memory.get(), static_cast<std::size_t>(m_surrogate->rows(loadedGroups())), m_columns,
            m_stride};
}

float FieldSurrogate::value(std::uint64_t row, std::size_t column) const
{
    return m_quantised.empty() ? matrix().row(row)[column] : m_quantised[row].value(column);
}

double FieldSurrogate::rowBytes() const
{
    const auto rows = static_cast<double>(m_surrogate->rows());
    if (m_quantised.empty())
        return rows * sizeof(float) * static_cast<double>(m_columns);
    return static_cast<double>(m_modes->quantised->frameBytes);
}

template <typename Action>
auto FieldSurrogate::withRows(Action action) const
{
    return m_quantised.empty() ? action(matrix()) : action(quantised());
}

double FieldSurrogate::valueBytes() const
{
    const auto values = static_cast<double>(m_surrogate->rows()) * static_cast<double>(m_columns);
    return values > 0 ? rowBytes() / values : sizeof(float);
}

void FieldSurrogate::combine(const SparseWeights &weights, std::span<float> values,
                             const CpuDevice &cpu) const
{
    withRows([&](const auto &rows) { sparse::combine(weights, rows, 0, values, {}, cpu); });
}

SparseWeights FieldSurrogate::weights(std::span<const double> x, int groups, OutOfRange outOfRange,
                                      bool withIndicator) const
{
    const int loaded = loadedGroups();
    if (loaded == 0)
        throw Error("field " + m_field.name + " is not loaded yet: load a level of it first");
    groups = groups <= 0 ? loaded : std::min(groups, loaded);
    return weightsAt(*m_surrogate, x, groups, outOfRange, m_completeGroups, withIndicator);
}

std::span<float> FieldSurrogate::indicatorOfRows(std::span<float> indicator) const
{
    return krigedOf(*m_surrogate) ? std::span<float>() : indicator;
}

template <typename Columns>
std::size_t FieldSurrogate::addDeviations(std::span<const double> x, Columns columns,
                                          std::span<float> indicator, const CpuDevice &cpu) const
{
    const auto *kriged = krigedOf(*m_surrogate);
    if (!kriged || indicator.empty())
        return 0;
    withRows([&](const auto &rows) {
        fillDeviations(kriged->variances(x, cpu), rows, columns, indicator, cpu);
    });
    return m_surrogate->rows();
}

void FieldSurrogate::evaluate(std::span<const double> x, FieldOutput out, const CpuDevice &cpu,
                              std::size_t firstColumn, int groups, OutOfRange outOfRange) const
{
    const auto weights = this->weights(x, groups, outOfRange, !out.indicator.empty());
    withRows([&](const auto &rows) {
        sparse::combine(weights, rows, firstColumn, out.values, indicatorOfRows(out.indicator),
                        cpu);
    });
    addDeviations(x, firstColumn, out.indicator, cpu);
}

void FieldSurrogate::evaluateColumns(std::span<const double> x,
                                     std::span<const std::uint32_t> columns, FieldOutput out,
                                     const CpuDevice &cpu, int groups, OutOfRange outOfRange) const
{
    const auto weights = this->weights(x, groups, outOfRange, !out.indicator.empty());
    withRows([&](const auto &rows) {
        sparse::combineColumns(weights, rows, columns, out.values, indicatorOfRows(out.indicator),
                               cpu);
    });
    addDeviations(x, columns, out.indicator, cpu);
}

std::shared_ptr<const sparse::VectorEvaluator>
FieldSurrogate::evaluatorOf(const std::shared_ptr<const sparse::Backend> &backend) const
{
    const std::lock_guard lock(m_evaluatorMutex);
    if (m_backend != backend) {
        m_evaluator.reset(); // first, so that memory need not hold both
        m_backend.reset();
        // All rows that there will be: weights name those of loaded groups only.
        if (m_quantised.empty())
            m_evaluator =
                backend->loadVectors({m_memory.get(), static_cast<std::size_t>(m_surrogate->rows()),
                                      m_columns, m_stride});
        else
            m_evaluator = backend->loadQuantised(quantised());
        m_backend = backend;
    }
    return m_evaluator;
}

ComputedOn FieldSurrogate::combine(const SparseWeights &weights, std::span<float> values,
                                   const std::shared_ptr<const sparse::Backend> &backend) const
{
    return evaluatorOf(backend)->combine(weights, 0, values, {});
}

EvaluationWork FieldSurrogate::evaluate(std::span<const double> x, FieldOutput out,
                                        const std::shared_ptr<const sparse::Backend> &backend,
                                        std::size_t firstColumn, int groups,
                                        OutOfRange outOfRange) const
{
    const auto weights = this->weights(x, groups, outOfRange, !out.indicator.empty());
    const auto where = evaluatorOf(backend)->combine(weights, firstColumn, out.values,
                                                     indicatorOfRows(out.indicator));
    const auto more = addDeviations(x, firstColumn, out.indicator, backend->context().cpu());
    return {weights.rows.size() + more,
            out.values.size(),
            !out.indicator.empty(),
            CoefficientsFrom::memory,
            where,
            rowsAgain(weights),
            valueBytes()};
}

EvaluationWork FieldSurrogate::evaluateColumns(
    std::span<const double> x, std::span<const std::uint32_t> columns, FieldOutput out,
    const std::shared_ptr<const sparse::Backend> &backend, int groups, OutOfRange outOfRange) const
{
    const auto weights = this->weights(x, groups, outOfRange, !out.indicator.empty());
    const auto where = evaluatorOf(backend)->combineColumns(weights, columns, out.values,
                                                            indicatorOfRows(out.indicator));
    const auto more = addDeviations(x, columns, out.indicator, backend->context().cpu());
    return {weights.rows.size() + more,
            columns.size(),
            !out.indicator.empty(),
            CoefficientsFrom::list,
            where,
            rowsAgain(weights),
            valueBytes()};
}

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
        const sparse::MatrixView<const float> matrix{rows.data(), rowsToRead.size(), columns,
                                                     stride};
        const auto indicator =
            out.indicator.empty() ? out.indicator : out.indicator.subspan(begin, columns);
        sparse::combine<float>(weights, matrix, 0, out.values.subspan(begin, columns),
                               variances.empty() ? indicator : std::span<float>(), cpu);
        if (!variances.empty())
            fillDeviations(variances, matrix, std::size_t{0}, indicator, cpu);
    }
}

} // namespace

EvaluationWork evaluateFromFile(const Study &study, FieldIndex field, std::span<const double> x,
                                FieldOutput out, const CpuDevice &cpu, int groups,
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
    groups = groups <= 0 ? surrogate->groups() : std::min(groups, surrogate->groups());
    const bool withIndicator = !out.indicator.empty();
    if (!complete)
        complete = withIndicator ? completeGroups(study, field) : 0;
    auto weights = weightsAt(*surrogate, x, groups, outOfRange, *complete, withIndicator);
    const auto *kriged = withIndicator ? krigedOf(*surrogate) : nullptr;
    if (kriged)
        nameAllRows(weights, surrogate->rows());
    const auto named = weights.rows.size() * (kriged ? 2 : 1), again = rowsAgain(weights);
    const auto variances = kriged ? kriged->variances(x, cpu) : std::vector<double>();
    combineParts(study, field, *surrogate, std::move(weights), variances, out, cpu);
    return {named, out.values.size(), withIndicator, CoefficientsFrom::file, ComputedOn::cpu(),
            again};
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
