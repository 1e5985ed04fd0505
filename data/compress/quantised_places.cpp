// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/compress/quantised_places.h"

#include "core/modes/rounded_rows.h"
#include "core/sparse/sparse_grid_surrogate.h"
#include "core/support/error.h"
#include "data/compress/stored_rows.h"
#include "data/evaluate/kriged_field.h"
#include "data/evaluate/study_surrogate.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>

namespace gridhelm::data {

namespace {

/// So many of the coefficients, as weights of as many modes.
SparseWeights weightsOf(std::span<const double> coefficients)
{
    SparseWeights weights;
    for (std::size_t m = 0; m < coefficients.size(); ++m) {
        weights.rows.push_back(m);
        weights.weights.push_back(coefficients[m]);
    }
    weights.lastGroupBegin = weights.rows.size();
    return weights;
}

SparseWeights singleRow(std::uint64_t row)
{
    return {{row}, {1.0}, 1};
}

} // namespace

double largestShare(std::span<const double> errors, double norm)
{
    double most = 0;
    for (const double error : errors)
        most = std::max(most, error / norm);
    return most;
}

float residualShare(double error, double norm)
{
    return std::nextafter(static_cast<float>(error / norm), std::numeric_limits<float>::max());
}

QuantisedPlaces::QuantisedPlaces(const Study &study, FieldIndex field, Rows rows)
    : m_study(study)
    , m_field(field)
    , m_rows(rows)
{
    const bool areModes = rows == Rows::modes;
    const auto set = study.modeSet(field);
    if (areModes && !set)
        throw Error("field " + study.fields().at(field).name
                    + " has no POD modes that could be quantised: make some first");
    m_modes = areModes ? set->modes() : 0;
    const std::shared_ptr<const Surrogate> surrogate =
        areModes ? surrogateOf(study, field)
                 : std::make_shared<sparse::SparseGridSurrogate>(study.grid());
    const auto *modal = modalOf(*surrogate);
    const auto *kriged = krigedOf(*surrogate);
    const auto &space = study.description().space;
    const auto grid = study.grid();
    std::vector<std::vector<double>> places;
    const auto addPoints = [&](const std::vector<std::uint64_t> &points) {
        for (const auto point : points) {
            auto &x = places.emplace_back(static_cast<std::size_t>(grid->dimension()));
            grid->coordinates(point, x);
        }
    };
    if (!kriged) {
        m_modal = m_rounded = areModes ? study.modalRows(field) : nullptr;
        m_points = pointsWithCoefficients(study, field);
        addPoints(m_points);
    } else {
        addPoints(kriged->kriging().points);
        for (const auto &run : study.trainingRuns())
            if (std::ranges::find(kriged->kriging().trainingRuns, run.id)
                != kriged->kriging().trainingRuns.end())
                places.push_back(space.toUnit(run.parameters));
    }
    m_snapshots = places.size();
    for (const auto &holdOut : study.holdOuts())
        places.push_back(space.toUnit(holdOut.parameters));
    for (auto &x : places) {
        for (double &coordinate : x)
            coordinate = std::clamp(coordinate, 0.0, 1.0);
        if (!kriged) {
            addGrid(x, modal ? modal->ofRows() : *surrogate, modal);
        } else {
            const auto weights = kriged->weights(x, kriged->groups());
            add(weights, weights);
        }
    }
}

QuantisedModes QuantisedPlaces::measured(const std::vector<double> &errors, double norm,
                                         double allowed) const
{
    const std::span all(errors);
    QuantisedModes bits;
    bits.allowed = allowed;
    bits.snapshots = m_snapshots;
    bits.holdOuts = count() - m_snapshots;
    bits.atSnapshots = largestShare(all.first(m_snapshots), norm);
    bits.atHoldOuts = largestShare(all.subspan(m_snapshots), norm);
    return bits;
}

void QuantisedPlaces::addGrid(std::span<const double> x, const Surrogate &ofRows,
                              const modes::ModalSurrogate *modal)
{
    const auto weights = ofRows.weights(x, ofRows.groups());
    // Points without coefficients count 0; the others by their places among those that have some.
    SparseWeights exact;
    for (std::size_t i = 0; i < weights.rows.size(); ++i) {
        const auto found = std::ranges::lower_bound(m_points, weights.rows[i]);
        if (found == m_points.end() || *found != weights.rows[i])
            continue;
        exact.rows.push_back(static_cast<std::uint64_t>(found - m_points.begin()));
        exact.weights.push_back(weights.weights[i]);
    }
    exact.lastGroupBegin = exact.rows.size();
    if (modal)
        add(exact, modal->ofModes(weights, false));
    else
        m_exact.push_back(exact);
}

void QuantisedPlaces::add(const SparseWeights &exact, const SparseWeights &ofModes)
{
    m_exact.push_back(exact);
    const auto first = m_coefficients.size();
    m_coefficients.resize(first + m_modes, 0.0);
    for (std::size_t i = 0; i < ofModes.rows.size(); ++i)
        m_coefficients[first + ofModes.rows[i]] = ofModes.weights[i];
}

std::vector<double> QuantisedPlaces::coefficientsOf(const modes::ModalRows &rows) const
{
    std::vector<double> all(count() * m_modes, 0.0);
    for (std::size_t j = 0; j < count(); ++j) {
        const auto &weights = m_exact[j];
        double *const sums = all.data() + j * m_modes;
        for (std::size_t i = 0; i < weights.rows.size(); ++i) {
            const float *row = rows.coefficients.data() + m_points[weights.rows[i]] * m_modes;
            for (std::size_t m = 0; m < m_modes; ++m)
                sums[m] += weights.weights[i] * static_cast<double>(row[m]);
        }
    }
    return all;
}

std::vector<double> QuantisedPlaces::roundModal(double error, std::size_t modes)
{
    double most = 0; // of the Euclidean norms of all weights
    for (const auto &exact : m_exact)
        most =
            std::max(most, std::sqrt(std::inner_product(exact.weights.begin(), exact.weights.end(),
                                                        exact.weights.begin(), 0.0)));
    auto step = modes::coefficientStep(error, modes, most);
    std::vector<double> off(count());
    for (;; step /= 2) {
        m_rounded = std::make_shared<const modes::ModalRows>(modes::roundedRows(*m_modal, step));
        m_roundedCoefficients = coefficientsOf(*m_rounded);
        for (std::size_t j = 0; j < count(); ++j) {
            double square = 0; // modes are orthonormal
            for (std::size_t m = 0; m < modes; ++m) {
                const auto i = j * m_modes + m;
                const double by = m_roundedCoefficients[i] - m_coefficients[i];
                square += by * by;
            }
            off[j] = std::sqrt(square);
        }
        if (step == 0 || std::ranges::none_of(off, [&](double norm) { return norm > error; }))
            return off;
    }
}

std::unique_ptr<modes::SnapshotBlocks> QuantisedPlaces::exactRows() const
{
    if (isKriged())
        return std::make_unique<StoredModes>(m_study, m_field, m_modes);
    return std::make_unique<StoredCoefficients>(m_study, m_field, m_points);
}

std::vector<SparseWeights> QuantisedPlaces::ofModes(std::size_t modes) const
{
    const auto &of = m_roundedCoefficients.empty() ? m_coefficients : m_roundedCoefficients;
    std::vector<SparseWeights> all;
    for (std::size_t j = 0; j < count(); ++j)
        all.push_back(weightsOf(std::span(of).subspan(j * m_modes, modes)));
    return all;
}

std::vector<SparseWeights> QuantisedPlaces::singleRows() const
{
    std::vector<SparseWeights> all;
    for (std::size_t i = 0; i < m_points.size(); ++i)
        all.push_back(singleRow(i));
    return all;
}

std::vector<SparseWeights> QuantisedPlaces::rowsOfModes(std::size_t modes) const
{
    std::vector<SparseWeights> all;
    for (const auto point : m_points) {
        const float *from = m_rounded->coefficients.data() + point * m_modes;
        const std::vector<double> coefficients(from, from + modes);
        all.push_back(weightsOf(coefficients));
    }
    return all;
}

} // namespace gridhelm::data
