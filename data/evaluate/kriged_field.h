// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/codec/quantised_row.h"
#include "core/execution/device.h"
#include "core/kriging/kriging_deviations.h"
#include "core/kriging/kriging_surrogate.h"
#include "core/linalg/combination.h"
#include "data/study/field_kriging.h"

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace gridhelm::data {

/// Kriging of a study's field: rows are the field's modes. Groups are those of the study's grid, as
/// for all of its fields, but kriging has no coarser ones: all modes belong to the first.
class KrigedField final : public Surrogate
{
public:
    KrigedField(std::shared_ptr<const FieldKriging> kriging, int groups);
    ~KrigedField() override;

    const FieldKriging &kriging() const { return *m_kriging; }

    int dimension() const override { return m_surrogate.dimension(); }
    int groups() const override { return m_groups; }
    using Surrogate::rows;
    std::uint64_t rows(int groups) const override { return groups > 0 ? m_surrogate.rows() : 0; }
    std::uint64_t activeRows(int groups) const override { return rows(groups); }

    SparseWeights weights(std::span<const double> x, int groups,
                          OutOfRange outOfRange = OutOfRange::refused) const override;
    SparseWeights derivativeWeights(std::span<const double> x, int t, int groups,
                                    OutOfRange outOfRange = OutOfRange::refused) const override;

    /// Variances of all modes' coefficients, as kriging believes them (eq:kriging-deviation).
    /// The first call factors matrices, with the threads of `cpu`. Throws gridhelm::Error if they
    /// are singular.
    std::vector<double> variances(std::span<const double> x, const CpuDevice &cpu) const;

    /// Coefficients of all modes at places, a place's side by side; `places` has one coordinate for
    /// each parameter. What was asked last is kept: many ask for the same.
    std::shared_ptr<const std::vector<double>> coefficients(const std::vector<double> &places,
                                                            const CpuDevice &cpu) const;

private:
    std::shared_ptr<const FieldKriging> m_kriging;
    kriging::KrigingSurrogate m_surrogate;
    int m_groups;

    mutable std::mutex m_mutex; ///< of what follows
    mutable std::unique_ptr<const kriging::KrigingDeviations> m_deviations;
    mutable std::vector<double> m_places;
    mutable std::shared_ptr<const std::vector<double>> m_coefficients;
};

/// The same as kriging; null if it is none.
const KrigedField *krigedOf(const Surrogate &surrogate);

/// The standard deviation of each value of a field whose modes' coefficients have these variances,
/// sqrt(sum_m variances[m] mode_m^2) (eq:kriging-indicator): of the columns [firstColumn,
/// firstColumn + deviations.size()), or of a list of columns. Throw gridhelm::Error if sizes do not
/// fit.
void fillDeviations(std::span<const double> variances, linalg::MatrixView<const float> modes,
                    std::size_t firstColumn, std::span<float> deviations, const CpuDevice &cpu);
void fillDeviations(std::span<const double> variances, linalg::MatrixView<const float> modes,
                    std::span<const std::uint32_t> columns, std::span<float> deviations,
                    const CpuDevice &cpu);

/// The same of modes in few bits.
void fillDeviations(std::span<const double> variances, const codec::QuantisedRows &modes,
                    std::size_t firstColumn, std::span<float> deviations, const CpuDevice &cpu);
void fillDeviations(std::span<const double> variances, const codec::QuantisedRows &modes,
                    std::span<const std::uint32_t> columns, std::span<float> deviations,
                    const CpuDevice &cpu);

} // namespace gridhelm::data
