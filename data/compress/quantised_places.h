// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where the errors of modes in few bits are measured, and beside what. Private to data.
#pragma once

#include "core/modes/added_error.h"
#include "core/modes/modal_surrogate.h"
#include "data/study/study.h"

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace gridhelm::data {

/// The largest of some errors, relative to this norm.
double largestShare(std::span<const double> errors, double norm);

/// What a row is off by this norm, relative to another one, as it is kept: no smaller.
float residualShare(double error, double norm);

/// Fields at all places, twice: as exact rows make them, and as the modes do.
class QuantisedPlaces
{
public:
    /// What is in few bits.
    enum class Rows : std::uint8_t { modes, coefficients };

    /// Points that have coefficients, then hold-outs; of kriging the runs that it was fitted to,
    /// then hold-outs. Throws gridhelm::Error for a field without modes, where rows are these.
    QuantisedPlaces(const Study &study, FieldIndex field, Rows rows = Rows::modes);

    std::size_t count() const { return m_exact.size(); }
    std::size_t snapshots() const { return m_snapshots; } ///< the first of them
    std::size_t modes() const { return m_modes; }
    bool isKriged() const { return m_rows == Rows::modes && m_modal == nullptr; }

    /// Coefficients, or of kriging the modes as they are: read while these are exact.
    std::unique_ptr<modes::SnapshotBlocks> exactRows() const;
    const std::vector<SparseWeights> &exact() const { return m_exact; }
    /// places x modes, row by row, in the precision of pictures; of coefficients empty. Exact.
    const std::vector<double> &coefficients() const { return m_coefficients; }
    /// As weights of the first modes.
    std::vector<SparseWeights> ofModes(std::size_t modes) const;

    /// Where there are modal coefficients: of each point that has some, the row of its coefficients
    /// and what the first modes make of it.
    const std::vector<std::uint64_t> &points() const { return m_points; }
    std::vector<SparseWeights> singleRows() const;
    std::vector<SparseWeights> rowsOfModes(std::size_t modes) const;
    /// Modal coefficients with no more digits than are needed for this many modes to be off by no
    /// more than this norm at any place. What ofModes(), rowsOfModes() and rounded() say is made of
    /// these from then on, the rest of what is exact. Returns the norms, place by place.
    std::vector<double> roundModal(double error, std::size_t modes);
    const modes::ModalRows &rounded() const { return *m_rounded; }

    /// What is said of few bits that are off by these norms at all places, relative to this norm;
    /// bytes are left to the caller.
    QuantisedModes measured(const std::vector<double> &errors, double norm, double allowed) const;

private:
    void add(const SparseWeights &exact, const SparseWeights &ofModes);
    void addGrid(std::span<const double> x, const Surrogate &ofRows,
                 const modes::ModalSurrogate *modal);
    /// Those of all places, from modal coefficients.
    std::vector<double> coefficientsOf(const modes::ModalRows &rows) const;

    const Study &m_study;
    FieldIndex m_field;
    Rows m_rows;
    std::size_t m_modes = 0, m_snapshots = 0;
    std::vector<std::uint64_t> m_points;
    std::shared_ptr<const modes::ModalRows> m_modal, m_rounded;
    std::vector<SparseWeights> m_exact;
    std::vector<double> m_coefficients,
        m_roundedCoefficients; ///< the second as the first, if empty
};

} // namespace gridhelm::data
