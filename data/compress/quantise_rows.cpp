// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/compress/quantise_rows.h"

#include "core/modes/added_error.h"
#include "core/modes/quantisation_choice.h"
#include "core/sparse/sparse_grid_surrogate.h"
#include "core/support/error.h"
#include "core/support/memory_check.h"
#include "data/compress/bit_search.h"
#include "data/compress/bulk_write.h"
#include "data/compress/node_volumes.h"
#include "data/compress/quantised_places.h"
#include "data/compress/stored_rows.h"

#include <algorithm>
#include <array>
#include <memory>

namespace gridhelm::data {

namespace {

/// The choice has the weight of every row at every place.
constexpr std::size_t mostRows = std::size_t{1} << 13;
/// Places where it is counted what a picture reads.
constexpr std::size_t samples = 64;

/// The digits of the number in this base behind the point, the last one first (van der Corput).
double mirrored(std::size_t number, std::size_t base)
{
    double value = 0, digit = 1;
    for (; number > 0; number /= base) {
        digit /= static_cast<double>(base);
        value += digit * static_cast<double>(number % base);
    }
    return value;
}

/// Of rows with so many bytes those that a picture reads, in the mean over places that are spread
/// over the cube (Halton's).
double frameBytesOf(const std::shared_ptr<const sparse::SparseGrid> &grid,
                    const std::vector<std::uint64_t> &points, const std::vector<double> &bytes)
{
    std::vector<double> ofPoints(grid->points(), 0.0);
    for (std::size_t row = 0; row < points.size(); ++row)
        ofPoints[points[row]] = bytes[row];
    const sparse::SparseGridSurrogate surrogate(grid);
    constexpr std::array<std::size_t, 12> primes{2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};
    std::vector<double> x(static_cast<std::size_t>(grid->dimension()));
    double sum = 0;
    for (std::size_t sample = 1; sample <= samples; ++sample) {
        for (std::size_t t = 0; t < x.size(); ++t)
            x[t] = mirrored(sample + t / primes.size(), primes[t % primes.size()]);
        const auto weights = surrogate.weights(x, surrogate.groups());
        for (std::size_t i = 0; i < weights.rows.size(); ++i)
            sum += weights.weights[i] != 0 ? ofPoints[weights.rows[i]] : 0;
    }
    return sum / static_cast<double>(samples);
}

class RowQuantiser
{
public:
    RowQuantiser(StudyWriter &writer, FieldIndex field, const QuantiseOptions &options)
        : m_writer(writer)
        , m_field(field)
        , m_options(options)
        , m_places(writer, field, QuantisedPlaces::Rows::coefficients)
        , m_set(writer.modeSet(field).value())
        , m_volumes(weightsOf(writer, field, options.volumes))
        , m_nodes{m_volumes.values, static_cast<std::size_t>(writer.fields().at(field).components)}
        , m_allowed(options.allowed * m_set.norm)
    {
    }

    QuantiseReport run(double fewerThan)
    {
        QuantiseReport report;
        report.cancelled = !choose();
        if (report.cancelled || m_tolerances.empty())
            return report;
        report.pictureBytes = frameBytes(m_foretold);
        if (!(report.pictureBytes < fewerThan))
            return report;
        const std::vector<double> nothing(m_places.count(), 0.0);
        BitSearch search;
        search.write = [this](double scale) { return write(scale); };
        search.measure = [this] { return measure(m_places.exact()); };
        search.fixed = nothing;
        search.allowed = m_allowed;
        const auto end = searchBits(search, m_errors);
        if (end == BitSearchEnd::found)
            m_residuals = measure(m_places.singleRows());
        report.cancelled =
            end == BitSearchEnd::stopped || (end == BitSearchEnd::found && m_residuals.empty());
        const bool isFound = !report.cancelled && end == BitSearchEnd::found;
        report.pictureBytes = isFound ? frameBytes(m_bytes) : 0;
        report.isQuantised = isFound && report.pictureBytes < fewerThan;
        if (report.isQuantised)
            store();
        return report;
    }

private:
    const std::vector<std::uint64_t> &points() const { return m_places.points(); }
    double frameBytes(const std::vector<double> &bytes) const
    {
        return frameBytesOf(m_writer.grid(), points(), bytes);
    }

    /// action(row, part, values); false if it was stopped.
    template <typename Action>
    bool forParts(Action action)
    {
        std::vector<float> values;
        return m_progress.overParts(
            m_writer.parts(m_field), points().size(), [&](std::uint64_t part, std::size_t row) {
                values.resize(m_writer.valuesInPart(m_field, part));
                m_writer.readCoefficientPart(points()[row], m_field, part, values);
                action(row, part, values);
            });
    }

    /// No tolerances: nothing is near enough. False if it was stopped.
    bool choose()
    {
        const auto rows = points().size();
        requireMemory(static_cast<double>(sizeof(double)) * static_cast<double>(rows)
                          * static_cast<double>(m_places.count()),
                      "weights of " + std::to_string(rows) + " rows at "
                          + std::to_string(m_places.count()) + " points",
                      "close other programs, or give --modes beside --error");
        std::vector<double> weights(m_places.count() * rows, 0.0);
        for (std::size_t j = 0; j < m_places.count(); ++j) {
            const auto &of = m_places.exact()[j];
            for (std::size_t i = 0; i < of.rows.size(); ++i)
                weights[j * rows + of.rows[i]] += of.weights[i];
        }
        std::vector<modes::BlockMagnitudes> magnitudes(rows);
        if (!forParts([&](std::size_t row, std::uint64_t, std::span<const float> values) {
                magnitudes[row].add(values);
            }))
            return false;
        const std::vector<double> errors(m_places.count(), 0.0);
        modes::QuantisationCase of;
        of.values = m_nodes.values();
        of.modes = of.fewest = rows;
        of.coefficients = weights;
        of.errors = errors;
        of.allowed = m_allowed;
        of.magnitudes = magnitudes;
        m_tolerances = modes::chooseQuantisation(of).tolerances;
        for (std::size_t row = 0; row < m_tolerances.size(); ++row)
            m_foretold.push_back(magnitudes[row].bytes(m_tolerances[row]));
        return true;
    }

    bool write(double scale)
    {
        m_bytes.assign(points().size(), 0.0);
        return forParts([&](std::size_t row, std::uint64_t part, std::span<const float> values) {
            const auto quantised = codec::QuantisedRow::encode(values, scale * m_tolerances[row]);
            m_bytes[row] += static_cast<double>(quantised.bytes());
            m_writer.putQuantisedCoefficientPart(points()[row], m_field, part, quantised);
        });
    }

    std::vector<double> measure(const std::vector<SparseWeights> &weights)
    {
        StoredCoefficients exact(m_writer, m_field, points());
        StoredQuantisedRows stored(m_writer, m_field, points());
        modes::AddedErrorOptions how;
        how.blockBytes = m_options.blockBytes;
        how.cpu = m_options.cpu;
        how.progress = m_progress.next();
        return modes::addedErrors({exact, weights}, {stored, weights}, m_nodes, how);
    }

    void store()
    {
        QuantisedCoefficients set;
        set.byVolumes = m_volumes.areVolumes;
        set.norm = m_set.norm;
        set.bits = m_places.measured(m_errors, m_set.norm, m_options.allowed);
        double all = 0;
        for (const double bytes : m_bytes)
            all += bytes;
        set.rowBytes = static_cast<std::uint64_t>(all);
        set.bits.frameBytes =
            std::max<std::uint64_t>(1, static_cast<std::uint64_t>(frameBytes(m_bytes)));
        set.residuals.assign(m_writer.grid()->points(), -1.0F);
        for (std::size_t i = 0; i < points().size(); ++i)
            set.residuals[points()[i]] = residualShare(m_residuals[i], m_set.norm);
        m_writer.setQuantisedCoefficients(m_field, set);
    }

    StudyWriter &m_writer;
    FieldIndex m_field;
    const QuantiseOptions &m_options;
    QuantisedPlaces m_places;
    ModeSet m_set; ///< of the modes that these rows are to replace
    EntityWeights m_volumes;
    modes::NodeWeights m_nodes;
    double m_allowed; ///< a norm
    PassesProgress m_progress{m_options.progress};
    std::vector<double> m_tolerances, m_foretold, m_bytes; ///< of each row
    std::vector<double> m_errors;                          ///< of each place, as measured
    std::vector<double> m_residuals;                       ///< of each row
};

} // namespace

QuantiseReport quantiseRows(StudyWriter &writer, FieldIndex field, const QuantiseOptions &options,
                            double fewerThan)
{
    requireAllowed(options.allowed);
    if (!writer.modeSet(field) || writer.hasKriging(field))
        throw Error("field " + writer.fields().at(field).name
                    + " has no POD modes of a sparse grid, beside which its coefficients could be "
                      "quantised: make some first");
    auto &file = writer.file();
    return file.guarded([&] {
        const BulkWrite bulk(file);
        Transaction transaction(file);
        const auto rows = pointsWithCoefficients(writer, field).size();
        if (rows == 0 || rows > mostRows)
            return QuantiseReport{};
        writer.removeQuantisedCoefficients(field);
        const auto report = RowQuantiser(writer, field, options).run(fewerThan);
        if (report.isQuantised)
            transaction.commit(); // else what was written is undone
        return report;
    });
}

double floatPictureBytes(const Study &study, FieldIndex field)
{
    const auto points = pointsWithCoefficients(study, field);
    const auto ofRow = static_cast<double>(study.fields().at(field).values()) * sizeof(float);
    return frameBytesOf(study.grid(), points, std::vector<double>(points.size(), ofRow));
}

} // namespace gridhelm::data
