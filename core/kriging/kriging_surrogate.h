// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kriging/model.h"
#include "core/surrogate/surrogate.h"

#include <memory>
#include <vector>

namespace gridhelm::kriging {

/// Kriging of a field's modes: rows are modes, weights their coefficients at a place
/// (surrogates.md, eq:kriging). Groups of rows begin at `groupBegins`, most important modes first.
///
/// No row is the indicator's, lastGroupBegin is the number of rows: what the last modes add says
/// nothing of how far off the others' coefficients are. That is what KrigingDeviations says.
///
/// Outside the cube `extrapolated` goes on linearly from the nearest place inside.
class KrigingSurrogate final : public Surrogate
{
public:
    /// `groupBegins` has the first mode of each group, ascending, 0 first; empty: one group.
    /// Throws gridhelm::Error if it has not, or the model is not sound (requireSound).
    explicit KrigingSurrogate(Model model, std::vector<std::size_t> groupBegins = {});
    ~KrigingSurrogate() override;

    const Model &model() const { return m_model; }

    int dimension() const override { return m_model.dimension; }
    int groups() const override { return static_cast<int>(m_groupBegins.size()); }
    using Surrogate::rows;
    std::uint64_t rows(int groups) const override;
    /// All of them.
    std::uint64_t activeRows(int groups) const override { return rows(groups); }

    SparseWeights weights(std::span<const double> x, int groups,
                          OutOfRange outOfRange = OutOfRange::refused) const override;
    SparseWeights derivativeWeights(std::span<const double> x, int t, int groups,
                                    OutOfRange outOfRange = OutOfRange::refused) const override;

private:
    struct Places;
    std::vector<double> coefficients(std::span<const double> x, std::size_t modes) const;
    std::vector<double> slopes(std::span<const double> x, int t, std::size_t modes) const;
    std::size_t modesOf(int groups) const;

    Model m_model;
    std::vector<std::size_t> m_groupBegins;
    std::vector<Places> m_places; ///< warped, for each of the model's groups
};

} // namespace gridhelm::kriging
