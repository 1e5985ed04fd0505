// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/evaluate/field_surrogate.h"

#include "core/support/checked_math.h"
#include "core/support/error.h"
#include "core/support/huge_pages.h"
#include "core/support/memory_check.h"
#include "core/support/system_info.h"
#include "data/evaluate/kriged_field.h"
#include "data/evaluate/quantised_grid.h"
#include "data/evaluate/row_reading.h"
#include "data/evaluate/study_surrogate.h"
#include "data/study/study_file.h"

#include <algorithm>
#include <cstdlib>
#include <new>
#include <string>
#include <utility>

namespace gridhelm::data {

namespace {

double bytesNeeded(const Study &study, FieldIndex field)
{
    const auto withTables = [&](std::uint64_t bytes, std::uint64_t rows) {
        return static_cast<double>(bytes)
               + static_cast<double>(rows)
                     * static_cast<double>(
                         codec::QuantisedRow::tableBytes(study.fields().at(field).values()));
    };
    if (const auto set = study.modeSet(field); set && set->quantised)
        return withTables(set->quantised->frameBytes, set->modes());
    if (const auto bits = study.quantisedCoefficients(field))
        return withTables(bits->rowBytes, bits->residuals.size());
    return static_cast<double>(surrogateOf(study, field)->rows())
           * static_cast<double>(strideOf(study.fields().at(field).values())) * sizeof(float);
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
    if ((m_modes && m_modes->quantised) || quantisedGridOf(*m_surrogate)) {
        m_quantised.resize(m_surrogate->rows());
        return;
    }
    const auto bytes =
        checkedMultiply(checkedMultiply(m_surrogate->rows(), m_stride), sizeof(float));
    m_memory.reset(static_cast<float *>(std::aligned_alloc(rowAlignment, bytes)));
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
    const auto *bits = quantisedGridOf(*m_surrogate);
    if (bits && !bits->bits().hasRow(row)) { // nobody computed it yet
        m_quantised[row] = codec::QuantisedRow::encode(std::vector<float>(m_columns), 0);
        return;
    }
    codec::QuantisedRow whole;
    for (std::uint64_t part = 0; part < study.parts(m_index); ++part)
        whole.append(bits ? study.quantisedCoefficientPart(row, m_index, part)
                          : study.quantisedModePart(m_index, row, part));
    whole.shrinkToFit();
    m_quantised[row] = std::move(whole);
}

int FieldSurrogate::loadedGroups() const
{
    const auto rows = loadedRows();
    int groups = 0;
    while (groups < m_surrogate->groups() && m_surrogate->rows(groups + 1) <= rows)
        ++groups;
    return rows == 0 ? 0 : groups;
}

std::uint64_t FieldSurrogate::rowsThere() const
{
    return m_modes ? loadedRows() : m_surrogate->rows(loadedGroups());
}

bool FieldSurrogate::hasLoaded(const FieldPrefix &prefix) const
{
    if (!m_modes)
        return loadedGroups() >= std::max(prefix.groups, 1);
    return loadedRows() >= std::clamp<std::uint64_t>(prefix.modes, 1, m_surrogate->rows());
}

int FieldSurrogate::load(const Study &study, int groups, const std::function<bool()> &stop)
{
    loadRows(study, m_surrogate->rows(std::min(groups, m_surrogate->groups())), stop);
    return loadedGroups();
}

std::uint64_t FieldSurrogate::loadRows(const Study &study, std::uint64_t rows,
                                       const std::function<bool()> &stop)
{
    const auto *bits = quantisedGridOf(*m_surrogate);
    const auto together = readTogether(study, m_index);
    const auto bitsNow = study.quantisedCoefficients(m_index);
    if (m_index >= study.fields().size() || study.fields()[m_index] != m_field
        || study.modeSet(m_index) != m_modes || (bits != nullptr) != (bitsNow != nullptr)
        || (bits && bits->bits() != *bitsNow)
        || surrogateOf(study, m_index)->rows() != m_surrogate->rows()
        || study.description().space.degrees() != m_degrees)
        throw ChangedStudy("the study has changed since field " + m_field.name
                           + " began to be loaded: load it again from the beginning");
    rows = std::min(rows, m_surrogate->rows());
    // Memory was asked for by what the study says of all rows.
    const auto bytesOf = [&](std::uint64_t row) {
        const bool isThere = !m_quantised.empty() && (!bits || bits->bits().hasRow(row));
        return isThere ? static_cast<double>(m_quantised[row].bytes()) : 0.0;
    };
    double bytes = 0;
    for (std::uint64_t row = 0; row < loadedRows(); ++row)
        bytes += bytesOf(row);
    for (auto row = loadedRows(); row < rows && !(stop && stop()); ++row) {
        loadRow(study, row);
        bytes += bytesOf(row);
        if (bytes > rowBytes())
            study.file().throwDamaged("quantised rows are larger than it says");
        m_loadedRows.store(row + 1, std::memory_order_release);
    }
    return loadedRows();
}

int FieldSurrogate::loadAll(const Study &study, const std::function<bool()> &stop)
{
    return load(study, m_surrogate->groups(), stop);
}

linalg::MatrixView<const float> FieldSurrogate::matrix() const
{
    if (!m_quantised.empty())
        return {};
    return {m_memory.get(), static_cast<std::size_t>(rowsThere()), m_columns, m_stride};
}

codec::QuantisedRows FieldSurrogate::quantisedRows() const
{
    if (m_quantised.empty())
        return {};
    return {std::span(m_quantised).first(static_cast<std::size_t>(rowsThere())), m_columns};
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
    if (const auto *bits = quantisedGridOf(*m_surrogate))
        return static_cast<double>(bits->bits().rowBytes);
    return static_cast<double>(m_modes->quantised->frameBytes);
}

template <typename Action>
auto FieldSurrogate::withRows(std::uint64_t rows, Action action) const
{
    const auto count = static_cast<std::size_t>(rows);
    return m_quantised.empty()
               ? action(linalg::MatrixView<const float>{m_memory.get(), count, m_columns, m_stride})
               : action(codec::QuantisedRows{std::span(m_quantised).first(count), m_columns});
}

double FieldSurrogate::valueBytes() const
{
    const auto values = static_cast<double>(m_surrogate->rows()) * static_cast<double>(m_columns);
    return values > 0 ? rowBytes() / values : sizeof(float);
}

void FieldSurrogate::combine(const SparseWeights &weights, std::span<float> values,
                             const CpuDevice &cpu) const
{
    withRows(rowsThere(),
             [&](const auto &rows) { linalg::combine(weights, rows, 0, values, {}, cpu); });
}

FieldSurrogate::Combination FieldSurrogate::combinationAt(std::span<const double> x,
                                                          const FieldPrefix &prefix,
                                                          OutOfRange outOfRange, bool withIndicator,
                                                          const CpuDevice &cpu) const
{
    Combination of;
    of.rows = rowsThere();
    if (of.rows == 0)
        throw Error("field " + m_field.name + " is not loaded yet: load a level of it first");
    const int there = m_modes ? m_surrogate->groups() : loadedGroups();
    const int groups = prefix.groups <= 0 ? there : std::min(prefix.groups, there);
    of.weights = weightsAt(*m_surrogate, x, groups, outOfRange, m_completeGroups, withIndicator);
    if (m_modes && prefix.modes > 0)
        of.rows = std::min(of.rows, prefix.modes);
    if (m_modes && of.rows < m_surrogate->rows())
        keepLeading(of.weights, of.rows, of.work);
    of.work.rows = of.weights.rows.size();
    of.work.rowsAgain = rowsAgain(of.weights);
    of.work.hasIndicator = withIndicator;
    of.work.valueBytes = valueBytes();
    if (const auto *kriged = krigedOf(*m_surrogate); kriged && withIndicator) {
        of.variances = kriged->variances(x, cpu);
        of.variances.resize(of.rows);
        of.work.rows += of.rows;
    }
    return of;
}

std::span<float> FieldSurrogate::indicatorOfRows(std::span<float> indicator) const
{
    return krigedOf(*m_surrogate) ? std::span<float>() : indicator;
}

template <typename Columns>
void FieldSurrogate::addDeviations(const Combination &of, Columns columns,
                                   std::span<float> indicator, const CpuDevice &cpu) const
{
    if (of.variances.empty())
        return;
    withRows(of.rows, [&](const auto &rows) {
        fillDeviations(of.variances, rows, columns, indicator, cpu);
    });
}

void FieldSurrogate::combineHere(const Combination &of, std::size_t firstColumn, FieldOutput out,
                                 const CpuDevice &cpu) const
{
    withRows(of.rows, [&](const auto &rows) {
        linalg::combine(of.weights, rows, firstColumn, out.values, indicatorOfRows(out.indicator),
                        cpu);
    });
}

void FieldSurrogate::combineHere(const Combination &of, std::span<const std::uint32_t> columns,
                                 FieldOutput out, const CpuDevice &cpu) const
{
    withRows(of.rows, [&](const auto &rows) {
        linalg::combineColumns(of.weights, rows, columns, out.values,
                               indicatorOfRows(out.indicator), cpu);
    });
}

void FieldSurrogate::evaluate(std::span<const double> x, FieldOutput out, const CpuDevice &cpu,
                              std::size_t firstColumn, FieldPrefix prefix,
                              OutOfRange outOfRange) const
{
    const auto of = combinationAt(x, prefix, outOfRange, !out.indicator.empty(), cpu);
    combineHere(of, firstColumn, out, cpu);
    addDeviations(of, firstColumn, out.indicator, cpu);
}

void FieldSurrogate::evaluateColumns(std::span<const double> x,
                                     std::span<const std::uint32_t> columns, FieldOutput out,
                                     const CpuDevice &cpu, FieldPrefix prefix,
                                     OutOfRange outOfRange) const
{
    const auto of = combinationAt(x, prefix, outOfRange, !out.indicator.empty(), cpu);
    combineHere(of, columns, out, cpu);
    addDeviations(of, columns, out.indicator, cpu);
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
            m_evaluator = backend->loadQuantised({m_quantised, m_columns});
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
                                        std::size_t firstColumn, FieldPrefix prefix,
                                        OutOfRange outOfRange) const
{
    const auto &cpu = backend->context().cpu();
    auto of = combinationAt(x, prefix, outOfRange, !out.indicator.empty(), cpu);
    of.work.computedOn = ComputedOn::cpu();
    if (isOnDevices())
        of.work.computedOn = evaluatorOf(backend)->combine(of.weights, firstColumn, out.values,
                                                           indicatorOfRows(out.indicator));
    else
        combineHere(of, firstColumn, out, cpu);
    addDeviations(of, firstColumn, out.indicator, cpu);
    of.work.columns = out.values.size();
    of.work.from = CoefficientsFrom::memory;
    return of.work;
}

EvaluationWork
FieldSurrogate::evaluateColumns(std::span<const double> x, std::span<const std::uint32_t> columns,
                                FieldOutput out,
                                const std::shared_ptr<const sparse::Backend> &backend,
                                FieldPrefix prefix, OutOfRange outOfRange) const
{
    const auto &cpu = backend->context().cpu();
    auto of = combinationAt(x, prefix, outOfRange, !out.indicator.empty(), cpu);
    of.work.computedOn = ComputedOn::cpu();
    if (isOnDevices())
        of.work.computedOn = evaluatorOf(backend)->combineColumns(of.weights, columns, out.values,
                                                                  indicatorOfRows(out.indicator));
    else
        combineHere(of, columns, out, cpu);
    addDeviations(of, columns, out.indicator, cpu);
    of.work.columns = columns.size();
    of.work.from = CoefficientsFrom::list;
    return of.work;
}

} // namespace gridhelm::data
