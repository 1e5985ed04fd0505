// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/execution_context.h"
#include "data/evaluate/field_surrogate.h"
#include "data/evaluate/indicator_share.h"
#include "data/evaluate/scalar_surrogate.h"
#include "data/study/study.h"

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace gridhelm::data {

/// The value of a field at any parameters, in whatever way suits the study.
class FieldAnywhere
{
public:
    /// `study` must outlive it. What is in memory is evaluated by the back end (none: the CPU of
    /// the context), what is read from the file by the CPU. Throws gridhelm::Error for what is
    /// damaged.
    FieldAnywhere(const Study &study, FieldIndex field, const ExecutionContext &context,
                  std::shared_ptr<const sparse::Backend> backend = nullptr);

    /// In the parameters' units.
    void evaluate(std::span<const double> parameters, FieldOutput out) const;
    /// Any combination of the rows of a vector study.
    void combine(const SparseWeights &weights, std::span<float> values) const;

    std::size_t values() const { return m_study.fields()[m_field].values(); }

    /// At a point of the unit cube, over some of the field's values (in scalar studies: at some
    /// places in space, whose coordinates in `x` do not matter), the same everywhere.
    FieldNorms sampledNorms(std::span<const double> x) const;
    /// Whether that takes about a millisecond; else all of the field is read from the file.
    bool samplesQuickly() const { return m_scalar || m_loaded; }

    /// By whom all of it was evaluated until now.
    ComputedOn computedOn() const;

private:
    FieldNorms scalarNorms(std::span<const double> x) const;
    void note(ComputedOn where) const;

    const Study &m_study;
    FieldIndex m_field;
    ExecutionContext m_context;
    std::shared_ptr<const sparse::Backend> m_backend;
    std::unique_ptr<ScalarSurrogate> m_scalar;
    std::unique_ptr<FieldSurrogate> m_loaded;
    std::vector<std::uint32_t> m_columns; ///< some of the loaded field's
    mutable std::mutex m_mutex;
    mutable ComputedOn m_computedOn;
};

} // namespace gridhelm::data
