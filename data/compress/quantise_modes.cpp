// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/compress/quantise_modes.h"

#include "core/codec/code_differences.h"
#include "core/modes/modes.h"
#include "core/modes/quantisation_choice.h"
#include "core/modes/rounded_rows.h"
#include "core/support/error.h"
#include "data/compress/bit_search.h"
#include "data/compress/bulk_write.h"
#include "data/compress/node_volumes.h"
#include "data/compress/quantised_places.h"
#include "data/compress/stored_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

namespace gridhelm::data {

namespace {

/// Numbers of modes that are written to be measured, beside the exact ones.
constexpr std::size_t candidates = std::size_t{1} << 15;

/// Of the error that is allowed, what rounded modal coefficients may take: a hundredth of its
/// square, which leaves codes hardly fewer bits.
constexpr double partOfRounding = 0.1;

/// Modes with no more values than this together take as few bytes as can be: they are read at some
/// 10 million values a second, and whoever opens a study waits for the first of them.
constexpr std::size_t mostPackedValues = std::size_t{1} << 21;

class Quantiser
{
public:
    Quantiser(StudyWriter &writer, FieldIndex field, const QuantiseOptions &options)
        : m_writer(writer)
        , m_field(field)
        , m_options(options)
        , m_places(writer, field)
        , m_set(writer.modeSet(field).value())
        , m_volumes(weightsOf(writer, field, options.volumes))
        , m_nodes{m_volumes.values, static_cast<std::size_t>(writer.fields().at(field).components)}
        , m_allowed(options.allowed * m_set.norm)
    {
    }

    QuantiseReport run()
    {
        QuantiseReport report;
        report.cancelled = !chooseModes() || (m_choice.modes > 0 && !writeAndMeasure())
                           || (m_isMeasured && !measureRows());
        report.isQuantised = !report.cancelled && m_isMeasured;
        if (report.isQuantised)
            report.cancelled = !store();
        report.isQuantised = report.isQuantised && !report.cancelled;
        return report;
    }

private:
    std::vector<double> measure(const std::vector<SparseWeights> &exact,
                                const std::vector<SparseWeights> &ofModes, std::size_t modes,
                                std::size_t first, double *largestDifference = nullptr)
    {
        const auto rows = m_places.exactRows();
        StoredModes stored(m_writer, m_field, modes, first);
        modes::AddedErrorOptions how;
        how.blockBytes = m_options.blockBytes;
        how.cpu = m_options.cpu;
        how.progress = m_progress.next();
        return modes::addedErrors({*rows, exact}, {stored, ofModes}, m_nodes, how,
                                  largestDifference);
    }

    /// None if it was stopped.
    std::vector<modes::BlockMagnitudes> magnitudes()
    {
        std::vector<modes::BlockMagnitudes> of(m_places.modes());
        const bool isWhole =
            overModes(of.size(), [&](std::size_t m, std::uint64_t, std::span<const float> values) {
                of[m].add(values);
            });
        return isWhole ? of : std::vector<modes::BlockMagnitudes>();
    }

    /// Of the exact ones, part by part: visit(mode, part, values). False if it was stopped.
    template <typename Visit>
    bool overModes(std::size_t modes, Visit visit)
    {
        std::vector<float> values;
        return m_progress.overParts(m_writer.parts(m_field), modes,
                                    [&](std::uint64_t part, std::size_t m) {
                                        values.resize(m_writer.valuesInPart(m_field, part));
                                        m_writer.readModePart(m_field, m, part, values);
                                        visit(m, part, values);
                                    });
    }

    /// False if it was stopped.
    bool chooseModes()
    {
        const auto modes = m_places.modes();
        m_exactErrors.assign(m_places.count(), 0.0);
        if (!m_places.isKriged()) {
            m_exactErrors = measure(m_places.exact(), m_places.ofModes(modes), modes, 0);
            if (m_exactErrors.empty())
                return false;
        }
        m_magnitudes = magnitudes();
        if (m_magnitudes.empty())
            return false;
        choose({});
        return m_choice.modes == 0 || chooseAgain();
    }

    modes::QuantisationCase quantisationCase() const
    {
        modes::QuantisationCase of;
        of.values = m_nodes.values();
        of.modes = m_places.modes();
        of.coefficients = m_places.coefficients();
        of.errors = m_exactErrors;
        of.allowed = m_allowed;
        of.magnitudes = m_magnitudes;
        // Kriging has a model of each mode: all of them stay.
        of.fewest = m_places.isKriged() ? of.modes : 1;
        return of;
    }

    void choose(std::span<const double> corrections)
    {
        auto of = quantisationCase();
        of.corrections = corrections;
        m_choice = modes::chooseQuantisation(of);
        m_cut = m_exactErrors;
        for (std::size_t j = 0; j < m_cut.size(); ++j)
            for (std::size_t m = m_choice.modes; m < of.modes; ++m)
                m_cut[j] = std::hypot(m_cut[j], of.coefficients[j * of.modes + m]);
        if (m_choice.modes == 0 || m_places.isKriged())
            return;
        const auto rounding = m_places.roundModal(partOfRounding * m_allowed, m_choice.modes);
        for (std::size_t j = 0; j < m_cut.size(); ++j)
            m_cut[j] = std::hypot(m_cut[j], rounding[j]);
    }

    /// With what codes add in truth: where that is more than foretold, more modes with fewer bits
    /// are often less than the chosen ones with more. False if it was stopped.
    bool chooseAgain()
    {
        if (!write(1))
            return false;
        const auto measured = measureWritten();
        if (measured.empty())
            return false;
        constexpr double least = 0.1, most = 100; // of measurements that tell little
        auto corrections = squaresByCodes(quantisationCase(), m_choice);
        for (std::size_t j = 0; j < corrections.size(); ++j) {
            const double byCodes = measured[j] * measured[j] - m_cut[j] * m_cut[j];
            corrections[j] =
                corrections[j] > 0 ? std::clamp(byCodes / corrections[j], least, most) : 1;
        }
        choose(corrections);
        if (m_choice.modes == 0)
            choose({});
        return true;
    }

    bool write(double scale)
    {
        return overModes(
            m_choice.modes, [&](std::size_t m, std::uint64_t part, std::span<const float> values) {
                m_writer.putModePart(
                    m_field, candidates + m, part,
                    codec::QuantisedRow::encode(values, scale * m_choice.tolerances[m]));
            });
    }

    /// At all places, what the chosen modes are off as they were written last.
    std::vector<double> measureWritten()
    {
        m_largestDifference = 0;
        return measure(m_places.exact(), m_places.ofModes(m_choice.modes), m_choice.modes,
                       candidates, &m_largestDifference);
    }

    /// False if it was stopped; m_isMeasured if it is near enough then.
    bool writeAndMeasure()
    {
        BitSearch search;
        search.write = [this](double scale) { return write(scale); };
        search.measure = [this] { return measureWritten(); };
        search.fixed = m_cut;
        search.allowed = m_allowed;
        const auto end = searchBits(search, m_errors);
        m_isMeasured = end == BitSearchEnd::found;
        return end != BitSearchEnd::stopped;
    }

    /// What modes lack of each row, which bounds their error anywhere.
    bool measureRows()
    {
        if (m_places.isKriged())
            return true;
        m_residuals = measure(m_places.singleRows(), m_places.rowsOfModes(m_choice.modes),
                              m_choice.modes, candidates);
        return !m_residuals.empty();
    }

    /// Relative to the root mean square of the values: the norm is of a whole snapshot.
    double largestDifference() const
    {
        return m_largestDifference * std::sqrt(static_cast<double>(m_nodes.values())) / m_set.norm;
    }

    double meanSquare() const
    {
        double sum = 0;
        for (std::size_t j = 0; j < m_places.snapshots(); ++j)
            sum += m_errors[j] * m_errors[j];
        return sum / (static_cast<double>(m_places.snapshots()) * m_set.norm * m_set.norm);
    }

    modes::ModalRows rows() const
    {
        const auto &all = m_places.rounded();
        modes::ModalRows few;
        few.modes = m_choice.modes;
        few.residuals.assign(all.rows(), 0.0F);
        for (std::size_t point = 0; point < all.rows(); ++point) {
            const float *from = all.coefficients.data() + point * all.modes;
            few.coefficients.insert(few.coefficients.end(), from, from + few.modes);
        }
        for (std::size_t i = 0; i < m_residuals.size(); ++i)
            few.residuals[m_places.points()[i]] = residualShare(m_residuals[i], m_set.norm);
        modes::roundUp(few.residuals);
        return few;
    }

    /// Of a part of all modes: those that most of the first ones have.
    codec::CodeNeighbours neighboursIn(std::uint64_t part) const
    {
        constexpr std::size_t asked = 16;
        codec::CodeNeighbours found;
        std::map<std::uint32_t, int> votes;
        for (std::size_t m = 0; m < std::min(asked, m_choice.modes); ++m) {
            const auto row = m_writer.quantisedModePart(m_field, candidates + m, part);
            found = codec::likelyNeighbours(row, m_nodes.components);
            ++votes[found.row];
        }
        found.row =
            std::ranges::max_element(votes, {}, [](const auto &row) { return row.second; })->first;
        return found;
    }

    /// What was measured, in place of what was exact. False if it was stopped.
    bool store()
    {
        auto set = m_set;
        auto quantised = m_places.measured(m_errors, m_set.norm, m_options.allowed);
        const bool arePacked = m_nodes.values() * m_choice.modes <= mostPackedValues;
        std::optional<codec::CodeNeighbours> packedBy;
        const auto move = [&](std::uint64_t part, std::size_t m) {
            if (arePacked && m == 0)
                packedBy = neighboursIn(part);
            const auto row = m_writer.quantisedModePart(m_field, candidates + m, part);
            m_writer.putModePart(m_field, m, part, row, packedBy);
            quantised.frameBytes += row.bytes();
        };
        if (!m_progress.overParts(m_writer.parts(m_field), m_choice.modes, move))
            return false;
        m_writer.removeModesFrom(m_field, m_choice.modes);
        set.quantised = quantised;
        if (m_places.isKriged()) { // what its modes lacked before comes on top
            set.meanError = std::sqrt(set.meanError * set.meanError + meanSquare());
            set.largestError += quantised.atSnapshots;
            set.largestDifference += largestDifference();
            m_writer.setQuantised(m_field, set, nullptr);
            return true;
        }
        const double energy = m_set.norm * m_set.norm * static_cast<double>(m_set.snapshots);
        for (auto m = m_choice.modes; m < m_set.modes(); ++m)
            set.cutEnergy += m_set.singularValues[m] * m_set.singularValues[m] / energy;
        set.singularValues.resize(m_choice.modes);
        set.meanError = std::sqrt(meanSquare());
        set.largestError = quantised.atSnapshots;
        set.largestDifference = largestDifference();
        const auto few = rows();
        m_writer.setQuantised(m_field, set, &few);
        return true;
    }

    StudyWriter &m_writer;
    FieldIndex m_field;
    const QuantiseOptions &m_options;
    QuantisedPlaces m_places;
    ModeSet m_set;
    EntityWeights m_volumes;
    modes::NodeWeights m_nodes;
    double m_allowed; ///< a norm
    PassesProgress m_progress{m_options.progress};
    std::vector<double> m_exactErrors; ///< of each place, with all modes
    std::vector<modes::BlockMagnitudes> m_magnitudes;
    modes::QuantisationChoice m_choice;
    std::vector<double> m_cut; ///< of each place: what is not by codes, modes left out and rounding
    std::vector<double> m_errors; ///< as they were measured
    double m_largestDifference = 0;
    bool m_isMeasured = false;
    std::vector<double> m_residuals;
};

} // namespace

double cutForError(double allowed)
{
    constexpr double part = 0.03; // of the error
    return std::clamp(part * part * allowed * allowed, modes::smallestCut, 0.5);
}

void requireAllowed(double allowed)
{
    if (!(allowed >= smallestAddedError && allowed < 1))
        throw Error(fmt::format("an error of {} cannot be added: choose {} % to less than 100 %, "
                                "or 0, for exact storage",
                                allowed, 100 * smallestAddedError));
}

QuantiseReport quantiseModes(StudyWriter &writer, FieldIndex field, const QuantiseOptions &options)
{
    requireAllowed(options.allowed);
    const auto set = writer.modeSet(field);
    if (set && set->quantised)
        throw Error("the POD modes of field " + writer.fields().at(field).name
                    + " are quantised already: make them again first, from what is exact");
    auto &file = writer.file();
    return file.guarded([&] {
        const BulkWrite bulk(file);
        Transaction transaction(file);
        const auto report = Quantiser(writer, field, options).run();
        if (report.isQuantised)
            transaction.commit(); // else what was written is undone
        return report;
    });
}

} // namespace gridhelm::data
