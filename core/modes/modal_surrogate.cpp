// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/modes/modal_surrogate.h"

#include "core/support/error.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace gridhelm::modes {

namespace {

/// Adds the modal coefficients of the weighted rows [begin, end) of the list.
void addRows(const SparseWeights &weights, std::size_t begin, std::size_t end,
             const ModalRows &modal, std::vector<double> &sums)
{
    for (auto i = begin; i < end; ++i) {
        if (weights.rows[i] >= modal.rows())
            continue;
        const float *row = modal.coefficients.data() + weights.rows[i] * modal.modes;
        for (std::size_t m = 0; m < modal.modes; ++m)
            sums[m] += weights.weights[i] * static_cast<double>(row[m]);
    }
}

void append(const std::vector<double> &sums, SparseWeights &to)
{
    for (std::size_t m = 0; m < sums.size(); ++m) {
        if (sums[m] == 0)
            continue;
        to.rows.push_back(m);
        to.weights.push_back(sums[m]);
    }
}

} // namespace

ModalSurrogate::ModalSurrogate(std::shared_ptr<const Surrogate> ofRows,
                               std::shared_ptr<const ModalRows> modal)
    : m_ofRows(std::move(ofRows))
    , m_modal(std::move(modal))
{
    if (m_modal->coefficients.size() != m_modal->rows() * m_modal->modes
        || m_modal->rows() > m_ofRows->rows())
        throw Error(std::to_string(m_modal->coefficients.size()) + " modal coefficients of "
                    + std::to_string(m_modal->modes) + " POD modes do not fit a surrogate of "
                    + std::to_string(m_ofRows->rows()) + " rows: make the POD modes again");
}

SparseWeights ModalSurrogate::weights(std::span<const double> x, int groups,
                                      OutOfRange outOfRange) const
{
    return ofModes(m_ofRows->weights(x, groups, outOfRange));
}

SparseWeights ModalSurrogate::derivativeWeights(std::span<const double> x, int t, int groups,
                                                OutOfRange outOfRange) const
{
    return ofModes(m_ofRows->derivativeWeights(x, t, groups, outOfRange));
}

SparseWeights ModalSurrogate::ofModes(const SparseWeights &ofRows, bool withIndicator) const
{
    SparseWeights result;
    std::vector<double> sums(m_modal->modes, 0.0);
    addRows(ofRows, 0, ofRows.lastGroupBegin, *m_modal, sums);
    if (withIndicator) {
        append(sums, result);
        std::ranges::fill(sums, 0.0);
    }
    result.lastGroupBegin = result.rows.size();
    addRows(ofRows, ofRows.lastGroupBegin, ofRows.rows.size(), *m_modal, sums);
    append(sums, result);
    if (!withIndicator)
        result.lastGroupBegin = result.rows.size();
    return result;
}

double ModalSurrogate::errorBound(const SparseWeights &ofRows) const
{
    double bound = 0;
    for (std::size_t i = 0; i < ofRows.rows.size(); ++i) {
        if (ofRows.rows[i] < m_modal->rows())
            bound += std::abs(ofRows.weights[i])
                     * static_cast<double>(m_modal->residuals[ofRows.rows[i]]);
    }
    return bound;
}

} // namespace gridhelm::modes
