// SPDX-License-Identifier: GPL-3.0-or-later
//
// One field of a vector study at any parameters, in numbers as they are stored (Field).
#pragma once

#include "core/sparse/backend.h"
#include "core/surrogate/surrogate.h"
#include "data/evaluate/evaluation_work.h"
#include "data/study/study.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

namespace gridhelm::data {

using gridhelm::OutOfRange;

/// Results of one evaluation. `indicator` is empty or as long as `values`.
struct FieldOutput
{
    std::span<float> values;
    std::span<float> indicator = {};
};

/// Which of a field's rows an evaluation takes.
struct FieldPrefix
{
    int groups = 0;          ///< levels of the grid, the coarsest first; 0: all that are loaded
    std::uint64_t modes = 0; ///< of rows that are modes: the leading ones; 0: all that are loaded

    FieldPrefix(int ofGroups = 0, std::uint64_t ofModes = 0)
        : groups(ofGroups)
        , modes(ofModes)
    {
    }
    bool operator==(const FieldPrefix &) const = default;
};

/// The rows of a field's surrogate in memory (coefficients, or modes where the study has some),
/// each beginning at a cache line, or in as few bits as they are stored in. Groups come one after
/// the other, and those that are there can be evaluated; rows that nobody computed count 0. Modes
/// come by their importance, and can be evaluated from the first one on: of all groups then.
///
/// Thread-safe for concurrent evaluate() calls, also while one thread is in load(): they use the
/// groups that are complete.
class FieldSurrogate
{
public:
    /// Whether all of the field fits into this machine's memory.
    static bool fitsInMemory(const Study &study, FieldIndex field);

    /// Reserves the memory and reads nothing yet. Throws gridhelm::Error if it does not fit, or if
    /// the study is scalar. `study` is not needed afterwards.
    FieldSurrogate(const Study &study, FieldIndex field);

    /// Whose rows these are.
    const Surrogate &surrogate() const { return *m_surrogate; }
    /// Of modes: what the study says of them.
    const std::optional<ModeSet> &modes() const { return m_modes; }
    const Field &field() const { return m_field; }
    std::size_t values() const { return m_columns; }

    /// Groups (levels) whose rows are all there; 0 before the first load().
    int loadedGroups() const;
    /// Rows that are there, from the first one on.
    std::uint64_t loadedRows() const { return m_loadedRows.load(std::memory_order_acquire); }
    /// Whether all of these can be evaluated. Of nothing: whether anything can be.
    bool hasLoaded(const FieldPrefix &prefix) const;
    /// Reads further groups until `groups` are there; `study` must be the one this was made from,
    /// unchanged in its rows (else a ChangedStudy: make a new one). `stop` is asked between rows.
    /// Returns loadedGroups(). Call from one thread at a time.
    int load(const Study &study, int groups, const std::function<bool()> &stop = {});
    int loadAll(const Study &study, const std::function<bool()> &stop = {});
    /// The same until so many rows are there: modes, say. Returns loadedRows().
    std::uint64_t loadRows(const Study &study, std::uint64_t rows,
                           const std::function<bool()> &stop = {});

    /// The field at x in [0, 1]^d (ParameterSpace::toUnit), columns firstColumn ... of it; with the
    /// contribution of the last group as indicator, in the same pass (of the last one that is
    /// complete, see completeGroups()), or where the field is kriged with its standard deviations.
    /// prefix: at most these.
    void evaluate(std::span<const double> x, FieldOutput out, const CpuDevice &cpu,
                  std::size_t firstColumn = 0, FieldPrefix prefix = {},
                  OutOfRange outOfRange = OutOfRange::refused) const;
    /// The same for a list of columns (what is visible, or a probe).
    void evaluateColumns(std::span<const double> x, std::span<const std::uint32_t> columns,
                         FieldOutput out, const CpuDevice &cpu, FieldPrefix prefix = {},
                         OutOfRange outOfRange = OutOfRange::refused) const;
    /// Both through a back end; they say what that was. What the back end keeps of the
    /// coefficients (on a GPU) is kept until another one is given.
    EvaluationWork evaluate(std::span<const double> x, FieldOutput out,
                            const std::shared_ptr<const sparse::Backend> &backend,
                            std::size_t firstColumn = 0, FieldPrefix prefix = {},
                            OutOfRange outOfRange = OutOfRange::refused) const;
    EvaluationWork evaluateColumns(std::span<const double> x,
                                   std::span<const std::uint32_t> columns, FieldOutput out,
                                   const std::shared_ptr<const sparse::Backend> &backend,
                                   FieldPrefix prefix = {},
                                   OutOfRange outOfRange = OutOfRange::refused) const;

    /// Any combination of rows of the loaded groups, all columns of it.
    void combine(const SparseWeights &weights, std::span<float> values, const CpuDevice &cpu) const;
    ComputedOn combine(const SparseWeights &weights, std::span<float> values,
                       const std::shared_ptr<const sparse::Backend> &backend) const;

    /// Whether rows are in memory in few bits, as they are stored.
    bool isInFewBits() const { return !m_quantised.empty(); }
    /// Rows of the loaded groups, or modes that are loaded, that are in memory as they are; none of
    /// rows in few bits.
    linalg::MatrixView<const float> matrix() const;
    /// The same of rows in few bits; none of others.
    codec::QuantisedRows quantisedRows() const;
    /// One value of a loaded row, however it is in memory.
    float value(std::uint64_t row, std::size_t column) const;
    /// That a picture of all rows reads.
    double rowBytes() const;

private:
    struct Free
    {
        void operator()(float *memory) const;
    };
    /// An evaluation, as far as it does not depend on columns.
    struct Combination
    {
        SparseWeights weights;
        std::uint64_t rows = 0;          ///< that may be read
        std::vector<double> variances{}; ///< of these, where the field is kriged
        EvaluationWork work{};           ///< what is known of it already
    };
    Combination combinationAt(std::span<const double> x, const FieldPrefix &prefix,
                              OutOfRange outOfRange, bool withIndicator,
                              const CpuDevice &cpu) const;
    std::uint64_t rowsThere() const;
    /// Back ends take quantised rows as they are, and so only when all are there.
    bool isOnDevices() const { return m_quantised.empty() || loadedRows() == m_quantised.size(); }
    /// Of a field that is kriged; nothing of others.
    template <typename Columns>
    void addDeviations(const Combination &of, Columns columns, std::span<float> indicator,
                       const CpuDevice &cpu) const;
    void combineHere(const Combination &of, std::size_t firstColumn, FieldOutput out,
                     const CpuDevice &cpu) const;
    void combineHere(const Combination &of, std::span<const std::uint32_t> columns, FieldOutput out,
                     const CpuDevice &cpu) const;
    /// What is filled in the same pass as the values.
    std::span<float> indicatorOfRows(std::span<float> indicator) const;
    /// action(the first rows) with these as they are in memory.
    template <typename Action>
    auto withRows(std::uint64_t rows, Action action) const;
    double valueBytes() const; ///< of one in a row, in the mean
    void loadRow(const Study &study, std::uint64_t row);
    std::shared_ptr<const sparse::VectorEvaluator>
    evaluatorOf(const std::shared_ptr<const sparse::Backend> &backend) const;

    std::shared_ptr<const Surrogate> m_surrogate;
    Field m_field;
    FieldIndex m_index;
    std::optional<ModeSet> m_modes; ///< whose rows these are; none: coefficients
    std::size_t m_columns;
    std::size_t m_stride;
    int m_completeGroups;       ///< in the study
    std::vector<int> m_degrees; ///< that the coefficients belong to
    std::unique_ptr<float[], Free> m_memory;
    std::vector<codec::QuantisedRow> m_quantised; ///< in place of m_memory, of rows in few bits
    std::atomic<std::uint64_t> m_loadedRows{0};

    mutable std::mutex m_evaluatorMutex;
    mutable std::shared_ptr<const sparse::Backend> m_backend; ///< of the evaluator
    mutable std::shared_ptr<const sparse::VectorEvaluator> m_evaluator;
};

/// The same without loading: reads only rows with nonzero weight, a part of the columns at a time.
/// For studies larger than memory, and for a single evaluation. Says what it was. `complete`:
/// completeGroups(), if that is known already.
EvaluationWork evaluateFromFile(const Study &study, FieldIndex field, std::span<const double> x,
                                FieldOutput out, const CpuDevice &cpu, FieldPrefix prefix = {},
                                OutOfRange outOfRange = OutOfRange::refused,
                                std::optional<int> complete = std::nullopt);

/// Any combination of a field's rows, as evaluateFromFile() reads them.
void combineFromFile(const Study &study, FieldIndex field, SparseWeights weights,
                     std::span<float> values, const CpuDevice &cpu);

} // namespace gridhelm::data
