// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/surrogate/surrogate.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace gridhelm::modes {

/// Rows of another surrogate, told by modes: row b is nearly sum_m coefficients[b * modes + m]
/// mode_m.
struct ModalRows
{
    std::size_t modes = 0;
    std::vector<float> coefficients; ///< rows x modes
    /// Of each row: the norm of what the modes lack of it.
    std::vector<float> residuals;

    std::size_t rows() const { return residuals.size(); }
};

/// Any surrogate, over modes instead of its rows (modes.md, eq:modal-weights): the weight of a mode
/// is the sum of the modal coefficients of the rows, times the weights of these. So a field costs
/// its modes, however many rows there are.
///
/// Groups are those of the rows: fewer of them are a coarser surrogate, but of all modes, which all
/// belong to the first group. All modes have a part in the indicator: weights() names them again,
/// from lastGroupBegin on, with the weights of the rows' last group, and the weights before are
/// those of the other rows. The sum over all is the value, the sum from there on the indicator, as
/// for any surrogate.
class ModalSurrogate final : public Surrogate
{
public:
    /// Rows beyond modal->rows() count 0. Throws gridhelm::Error if the sizes do not fit.
    ModalSurrogate(std::shared_ptr<const Surrogate> ofRows, std::shared_ptr<const ModalRows> modal);

    const Surrogate &ofRows() const { return *m_ofRows; }
    const ModalRows &modal() const { return *m_modal; }

    int dimension() const override { return m_ofRows->dimension(); }
    int groups() const override { return m_ofRows->groups(); }
    using Surrogate::rows;
    std::uint64_t rows(int groups) const override { return groups > 0 ? m_modal->modes : 0; }
    std::uint64_t activeRows(int groups) const override { return rows(groups); }

    SparseWeights weights(std::span<const double> x, int groups,
                          OutOfRange outOfRange = OutOfRange::refused) const override;
    SparseWeights derivativeWeights(std::span<const double> x, int t, int groups,
                                    OutOfRange outOfRange = OutOfRange::refused) const override;

    /// Weights over modes that say what these over rows say; each mode once, and no indicator, if
    /// that is not wanted.
    SparseWeights ofModes(const SparseWeights &ofRows, bool withIndicator = true) const;

    /// The norm of what the modes add to the error where the rows have these weights, at most:
    /// sum_b |w_b| residual_b.
    double errorBound(const SparseWeights &ofRows) const;

private:
    std::shared_ptr<const Surrogate> m_ofRows;
    std::shared_ptr<const ModalRows> m_modal;
};

} // namespace gridhelm::modes
