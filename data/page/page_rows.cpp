// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/page/page_rows.h"

#include "core/execution/parallel_for.h"
#include "core/modes/modal_surrogate.h"
#include "core/modes/modes.h"
#include "core/modes/rounded_rows.h"
#include "core/sparse/sparse_grid_surrogate.h"
#include "core/support/error.h"
#include "data/answers/stoppable_model.h"
#include "data/evaluate/study_surrogate.h"
#include "data/study/study_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <set>

namespace gridhelm::data {

namespace {

/// The values of a field that belong to the page's points or cells.
std::vector<std::uint32_t> columnsOf(std::span<const std::uint32_t> entities, int components)
{
    const auto count = static_cast<std::uint32_t>(components);
    std::vector<std::uint32_t> columns;
    columns.reserve(entities.size() * count);
    for (const auto entity : entities)
        for (std::uint32_t c = 0; c < count; ++c)
            columns.push_back(entity * count + c);
    return columns;
}

/// The grid of a study's parameters: of a scalar one without the directions in space.
std::shared_ptr<const sparse::SparseGrid> gridOfRuns(const Study &study)
{
    const auto grid = study.grid();
    const auto &space = study.description().space;
    if (study.description().kind == StudyKind::vector)
        return grid;
    const auto spatial = space.spatial();
    std::vector<std::size_t> kept;
    std::vector<sparse::BoundaryTreatment> treatments;
    std::vector<int> degrees;
    for (std::size_t t = 0; t < space.parameters().size(); ++t) {
        if (std::ranges::find(spatial, t) != spatial.end())
            continue;
        kept.push_back(t);
        treatments.push_back(grid->treatments()[t]);
        degrees.push_back(grid->degrees()[t]);
    }
    std::set<std::vector<sparse::Level>> blocks;
    for (std::size_t block = 0; block < grid->blocks(); ++block) {
        std::vector<sparse::Level> levels;
        for (const auto t : kept)
            levels.push_back(grid->levelVector(block)[t]);
        blocks.insert(levels);
    }
    std::vector<sparse::Level> all;
    for (const auto &levels : blocks)
        all.insert(all.end(), levels.begin(), levels.end());
    return std::make_shared<sparse::SparseGrid>(treatments, all, 0, degrees);
}

/// Fields at places, by turns.
class FieldAtPlaces
{
public:
    FieldAtPlaces(StudyFields &fields, FieldIndex field, const std::vector<std::uint32_t> &columns,
                  const std::stop_token &stop)
        : m_fields(fields)
        , m_field(field)
        , m_columns(columns)
        , m_whole(fields.fields()[field].values())
        , m_stop(stop)
    {
    }

    void read(std::span<const double> x, std::span<float> values)
    {
        requireGoingOn(m_stop);
        m_fields.evaluate(m_field, m_fields.parameters().fromUnit(x), {m_whole});
        for (std::size_t i = 0; i < m_columns.size(); ++i)
            values[i] = m_whole[m_columns[i]];
    }

private:
    StudyFields &m_fields;
    FieldIndex m_field;
    const std::vector<std::uint32_t> &m_columns;
    std::vector<float> m_whole;
    const std::stop_token &m_stop;
};

/// Some rows of a matrix.
class ChosenRows final : public modes::SnapshotBlocks
{
public:
    ChosenRows(modes::MatrixView<const float> all, const std::set<std::size_t> &chosen)
        : m_all(all)
        , m_chosen(chosen.begin(), chosen.end())
    {
    }

    std::size_t snapshots() const override { return m_chosen.size(); }
    std::size_t values() const override { return m_all.columns; }
    std::size_t columnsAtOnce() const override { return std::size_t{1} << 14U; }
    void read(std::size_t first, modes::MatrixView<float> block) override
    {
        for (std::size_t i = 0; i < block.rows; ++i)
            std::copy_n(m_all.row(m_chosen[i]) + first, block.columns, block.row(i));
    }

private:
    modes::MatrixView<const float> m_all;
    std::vector<std::size_t> m_chosen;
};

/// Modes of some snapshots, and all snapshots by these.
struct Basis
{
    std::size_t modes = 0;
    std::vector<float> values; ///< row by row
    modes::Projection all;

    /// Relative to its norm.
    double lackingOf(std::size_t snapshot) const
    {
        return modes > 0 && all.norms[snapshot] > 0 ? all.residuals[snapshot] / all.norms[snapshot]
                                                    : 0;
    }
};

Basis basisOf(modes::MatrixView<const float> snapshots, const std::set<std::size_t> &chosen,
              const PageRowsOptions &options)
{
    const std::vector<double> ones(snapshots.columns, 1.0);
    modes::ModesOptions how;
    constexpr double part = 0.03; // of the error
    how.cut = std::clamp(part * part * options.error * options.error, modes::smallestCut, 0.5);
    how.cpu = options.context.cpu();
    how.progress = [&](double) { return !options.stop.stop_requested(); };
    Basis basis;
    ChosenRows few(snapshots, chosen);
    const auto found = modes::computeModes(
        few, {ones}, how, [&](std::size_t first, modes::MatrixView<const float> block) {
            basis.values.resize(block.rows * snapshots.columns);
            for (std::size_t m = 0; m < block.rows; ++m)
                std::copy_n(block.row(m), block.columns,
                            basis.values.data() + m * snapshots.columns + first);
        });
    requireGoingOn(options.stop);
    basis.modes = found.count();
    if (basis.modes == 0) // all are 0
        return basis;
    modes::SnapshotsInMemory all(snapshots);
    modes::SnapshotsInMemory modes(
        {basis.values.data(), basis.modes, snapshots.columns, snapshots.columns});
    basis.all = modes::projectOnModes(all, modes, {ones}, how);
    requireGoingOn(options.stop);
    return basis;
}

/// Of as few snapshots as tell all others: that takes the cube of their number, and neighbours say
/// nearly the same.
Basis sufficientBasis(modes::MatrixView<const float> snapshots, const PageRowsOptions &options)
{
    constexpr std::size_t fewest = 400;
    std::set<std::size_t> chosen;
    for (std::size_t i = 0; i < snapshots.rows; i += (snapshots.rows + fewest - 1) / fewest)
        chosen.insert(i);
    constexpr double part = 0.25; // of the error
    while (true) {
        auto basis = basisOf(snapshots, chosen, options);
        const auto before = chosen.size();
        for (std::size_t i = 0; i < snapshots.rows; ++i)
            if (basis.lackingOf(i) > part * options.error)
                chosen.insert(i);
        if (chosen.size() == before)
            return basis;
    }
}

/// Modes of the field at the points of its grid, which its interpolant is made of.
PageRows rowsOfSnapshots(StudyFields &fields, FieldIndex index,
                         const std::vector<std::uint32_t> &columns, const PageRowsOptions &options)
{
    const auto &study = fields.study();
    const auto grid = gridOfRuns(study);
    const auto points = static_cast<std::size_t>(grid->points());
    PageRows result;
    result.columns = columns.size();
    if (study.description().kind == StudyKind::vector)
        result.complete = completeGroups(study, index);

    std::vector<float> snapshots(points * result.columns);
    fields.expect(std::vector{index}, static_cast<double>(points), fields.groups(),
                  [&] { return options.stop.stop_requested(); });
    FieldAtPlaces field(fields, index, columns, options.stop);
    std::vector<double> x(static_cast<std::size_t>(grid->dimension()));
    for (std::size_t point = 0; point < points; ++point) {
        grid->coordinates(point, x);
        field.read(x, std::span(snapshots).subspan(point * result.columns, result.columns));
    }
    result.truth.resize(options.places.size() * result.columns);
    for (std::size_t j = 0; j < options.places.size(); ++j)
        field.read(options.places[j],
                   std::span(result.truth).subspan(j * result.columns, result.columns));

    auto basis =
        sufficientBasis({snapshots.data(), points, result.columns, result.columns}, options);
    for (std::size_t i = 0; i < points; ++i)
        result.lacking = std::max(result.lacking, basis.lackingOf(i));
    result.rows = basis.modes;
    result.values = std::move(basis.values);

    const auto backend = sparse::makeOmpBackend(options.context);
    auto modal = std::make_shared<modes::ModalRows>();
    modal->modes = result.rows;
    modal->coefficients.resize(points * result.rows);
    modal->residuals.resize(points);
    std::vector<double> ofMode(points);
    for (std::size_t m = 0; m < result.rows; ++m) {
        for (std::size_t point = 0; point < points; ++point)
            ofMode[point] = basis.all.coefficients[point * result.rows + m];
        backend->hierarchize(*grid, std::span(ofMode));
        for (std::size_t point = 0; point < points; ++point)
            modal->coefficients[point * result.rows + m] = static_cast<float>(ofMode[point]);
    }
    result.surrogate = std::make_shared<modes::ModalSurrogate>(
        std::make_shared<sparse::SparseGridSurrogate>(grid), std::move(modal));
    return result;
}

} // namespace

PageRows pageRows(StudyFields &fields, FieldIndex index, std::span<const std::uint32_t> entities,
                  const PageRowsOptions &options)
try {
    const auto &study = fields.study();
    const auto &field = fields.fields().at(index);
    const auto columns = columnsOf(entities, field.components);
    if (study.description().kind == StudyKind::scalar || !fields.modes(index))
        return rowsOfSnapshots(fields, index, columns, options);
    PageRows result;
    const auto together = readTogether(study, index);
    result.surrogate = surrogateOf(study, index);
    result.complete = fields.isKriged(index) ? 0 : completeGroups(study, index);
    result.rows = static_cast<std::size_t>(result.surrogate->rows());
    result.columns = columns.size();
    result.values.resize(result.rows * result.columns);
    std::vector<float> row(field.values());
    for (std::size_t m = 0; m < result.rows; ++m) {
        requireGoingOn(options.stop);
        readRow(study, index, *result.surrogate, m, row);
        for (std::size_t i = 0; i < columns.size(); ++i)
            result.values[m * result.columns + i] = row[columns[i]];
    }
    return result;
} catch (const std::bad_alloc &) {
    throw Error(fmt::format("there is not enough memory for field {} at all points of its grid: "
                            "make POD modes of it first (gridhelm-cli compress --modes)",
                            fields.fields()[index].name));
}

std::shared_ptr<const Surrogate> withRoundedCoefficients(const Surrogate &surrogate, double step)
{
    const auto *modal = modalOf(surrogate);
    if (!modal)
        return nullptr;
    const auto *grid = dynamic_cast<const sparse::SparseGridSurrogate *>(&modal->ofRows());
    return std::make_shared<modes::ModalSurrogate>(
        std::make_shared<sparse::SparseGridSurrogate>(grid->grid()),
        std::make_shared<modes::ModalRows>(modes::roundedRows(modal->modal(), step)));
}

std::vector<double> coefficientsAt(const Surrogate &surrogate,
                                   const std::vector<std::vector<double>> &places,
                                   const CpuDevice &cpu)
{
    const auto rows = static_cast<std::size_t>(surrogate.rows());
    std::vector<double> all(places.size() * rows);
    parallelFor(places.size(), cpu, 4, [&](std::size_t j) {
        const auto weights = surrogate.weights(places[j], surrogate.groups());
        for (std::size_t k = 0; k < weights.rows.size(); ++k) // a row may be named twice
            all[j * rows + weights.rows[k]] += weights.weights[k];
    });
    return all;
}

} // namespace gridhelm::data
