// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/import_files.h"

#include "core/sparse/nearest_point.h"
#include "core/support/error.h"
#include "data/campaign/store_snapshot.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <utility>

namespace gridhelm::data {

namespace {

/// Where a snapshot belongs: a grid point, or a place off the grid.
class Places
{
public:
    explicit Places(const StudyWriter &writer)
        : m_space(writer.description().space)
        , m_grid(writer.grid())
        , m_there(writer.pointsWithSnapshots())
        , m_isGrid(writer.description().design == StudyDesign::grid)
    {
        for (const auto &run : writer.plannedRuns())
            if (run.trainingRun == 0)
                m_planned.push_back({run.id, m_space.toUnit(run.parameters)});
        for (const auto &run : writer.trainingRuns())
            m_others.push_back(m_space.toUnit(run.parameters));
        for (const auto &holdOut : writer.holdOuts())
            m_others.push_back(m_space.toUnit(holdOut.parameters));
    }

    std::optional<std::uint64_t> point(const std::vector<double> &parameters) const
    {
        if (!m_isGrid)
            return std::nullopt;
        return sparse::pointNear(*m_grid, m_space.toUnit(parameters), importTolerance);
    }

    /// A time that a series says, as the grid's time that it means.
    double gridTime(double written, std::size_t time) const
    {
        std::vector<double> values;
        for (const auto &parameter : m_space.parameters())
            values.push_back(parameter.low);
        values[time] = written;
        auto x = m_space.toUnit(values);
        x[time] = sparse::nearestCoordinate(*m_grid, static_cast<int>(time), x[time]).coordinate;
        const double meant = m_space.fromUnit(x)[time];
        return isSameTime(m_space[time], meant, written) ? meant : written;
    }

    /// Whether the grid has some time of the run with these parameters.
    bool hasRun(const std::vector<double> &parameters, std::size_t time) const
    {
        auto x = m_space.toUnit(parameters);
        x[time] = 0.5; // counts nothing in the level sum, so it is there if any time is
        return sparse::pointNear(*m_grid, x, importTolerance).has_value();
    }

    /// Whether the study has a snapshot there.
    bool isTaken(const std::vector<double> &parameters) const
    {
        if (const auto at = point(parameters))
            return m_there[*at];
        const auto x = m_space.toUnit(parameters);
        return std::any_of(m_others.begin(), m_others.end(),
                           [&](const auto &other) { return isNear(x, other); });
    }

    /// The run that was planned there, if it is not done.
    std::optional<std::int64_t> planned(const std::vector<double> &parameters) const
    {
        const auto x = m_space.toUnit(parameters);
        const auto run = std::ranges::find_if(
            m_planned, [&](const auto &other) { return isNear(x, other.place); });
        return run == m_planned.end() ? std::nullopt : std::optional(run->id);
    }

    void take(const std::vector<double> &parameters)
    {
        if (const auto at = point(parameters))
            m_there[*at] = true;
        else
            m_others.push_back(m_space.toUnit(parameters));
    }

    std::vector<std::uint64_t> missing() const
    {
        std::vector<std::uint64_t> points;
        for (std::uint64_t point = 0; point < m_there.size(); ++point) {
            if (!m_there[point])
                points.push_back(point);
        }
        return points;
    }

    std::string text(const std::vector<double> &parameters) const
    {
        return m_space.toText(parameters);
    }

private:
    static bool isNear(const std::vector<double> &x, const std::vector<double> &y)
    {
        for (std::size_t t = 0; t < x.size(); ++t) {
            if (std::abs(x[t] - y[t]) > importTolerance)
                return false;
        }
        return true;
    }

    struct PlannedPlace
    {
        std::int64_t id;
        std::vector<double> place; ///< in the unit cube
    };

    ParameterSpace m_space;
    std::shared_ptr<const sparse::SparseGrid> m_grid;
    std::vector<bool> m_there;
    bool m_isGrid;
    std::vector<PlannedPlace> m_planned;
    std::vector<std::vector<double>> m_others; ///< off the grid, in the unit cube
};

/// Throws for what can be seen without opening the files.
void requireSensibleRows(std::span<const ImportRow> rows, const Places &places,
                         const std::optional<std::size_t> &time)
{
    std::map<std::uint64_t, const ImportRow *> points;
    std::map<std::vector<double>, const ImportRow *> others;
    for (const auto &row : rows) {
        std::error_code code;
        if (!std::filesystem::is_regular_file(row.file, code))
            throw Error(row.place + ": there is no file " + row.file.string()
                        + "; correct its name (it is relative to the table)");
        if (time && std::isnan(row.parameters[*time]))
            continue; // several files may hold the times of one run
        const auto point = places.point(row.parameters);
        const auto *&before = point ? points[*point] : others[row.parameters];
        if (before)
            throw Error(row.place + ": " + places.text(row.parameters) + " stands in "
                        + before->place + " already; take one of them out");
        before = &row;
    }
}

/// Stores the snapshots of files at the places that the rows of the table give them.
class Importer
{
public:
    Importer(StudyWriter &writer, const ImportOptions &options, const SnapshotReader &reader)
        : m_writer(writer)
        , m_options(options)
        , m_reader(reader)
        , m_space(writer.description().space)
        , m_time(m_space.timeLike())
        , m_places(writer)
        , m_store(writer, options.fit)
    {
    }

    ImportReport importAll(std::span<const ImportRow> rows)
    {
        requireSensibleRows(rows, m_places, m_time);
        for (std::size_t done = 0; done < rows.size() && !m_report.cancelled; ++done) {
            if (m_options.progress)
                m_options.progress(done, rows.size());
            if (m_options.cancelled && m_options.cancelled())
                m_report.cancelled = true;
            else
                importFile(rows[done], done == 0);
        }
        m_report.jobsDone = m_writer.finishDeliveredJobs("imported");
        m_report.missing = m_report.cancelled ? Places(m_writer).missing() : m_places.missing();
        return m_report;
    }

private:
    /// All of a file, or nothing of it.
    void importFile(const ImportRow &row, bool isFirst)
    {
        const auto before = m_report;
        try {
            auto transaction = m_writer.transaction();
            readFile(row);
            m_report.notes.merge(m_store.takeNotes());
            transaction.commit();
        } catch (const ReadingStopped &) {
            m_report = before;
            m_report.cancelled = true;
        } catch (const Error &error) {
            throw Error(row.place + ": " + row.file.string()
                        + " cannot be imported: " + error.what()
                        + (isFirst ? ""
                                   : " (the files before it are in the study; once this is "
                                     "mended, import all of them again)"));
        }
    }

    void readFile(const ImportRow &row)
    {
        const bool byTime = m_time && std::isnan(row.parameters[*m_time]);
        int snapshots = 0;
        m_reader(
            row.file,
            [&](RunSnapshot snapshot) {
                if (++snapshots > 1 && !byTime)
                    throw Error(
                        m_time ? "it holds several times, but the table gives one; take the "
                                 "column "
                                     + m_space[*m_time].name + " out, or name a file of one time"
                               : std::string("it holds several times, but the study has no "
                                             "time-like parameter; name a file of one time"));
                m_report.notes.insert(snapshot.notes.begin(), snapshot.notes.end());
                auto wanted = keepFields(std::move(snapshot), m_options.fields);
                auto parameters = row.parameters;
                if (!byTime || setTime(parameters, wanted))
                    take(parameters, std::move(wanted));
            },
            m_options.stop);
        if (snapshots == 0)
            throw Error("it holds no snapshot; name a file with fields");
    }

    /// As the snapshot says it; false: the study has no use for that time.
    bool setTime(std::vector<double> &parameters, const RunSnapshot &snapshot)
    {
        const auto &parameter = m_space[*m_time];
        if (!snapshot.time)
            throw Error("it does not say its time; add a column " + parameter.name
                        + " to the table");
        parameters[*m_time] = *snapshot.time;
        const bool hasLogarithm =
            parameter.scale != ParameterScale::logarithmic || *snapshot.time > 0;
        if (hasLogarithm)
            parameters[*m_time] = m_places.gridTime(*snapshot.time, *m_time);
        const bool isWanted = hasLogarithm && !m_space.firstOutside(parameters)
                              && (m_options.allTimes || m_places.point(parameters)
                                  || !m_places.hasRun(parameters, *m_time));
        if (!isWanted)
            ++m_report.leftOut;
        return isWanted;
    }

    void take(const std::vector<double> &parameters, RunSnapshot snapshot)
    {
        if (m_places.isTaken(parameters)) {
            ++m_report.alreadyThere;
            return;
        }
        if (const auto point = m_places.point(parameters)) {
            m_store.putPoint(*point, std::move(snapshot));
            ++m_report.stored;
        } else if (const auto planned = m_places.planned(parameters)) {
            m_writer.finishPlannedRun(*planned,
                                      m_store.putTrainingRun(parameters, {std::move(snapshot)}));
            ++m_report.trainingRuns;
        } else if (m_options.areTrainingRuns) {
            m_store.putTrainingRun(parameters, {std::move(snapshot)});
            ++m_report.trainingRuns;
        } else {
            m_store.putHoldOut(parameters, std::move(snapshot));
            ++m_report.holdOuts;
        }
        m_places.take(parameters);
    }

    StudyWriter &m_writer;
    const ImportOptions &m_options;
    const SnapshotReader &m_reader;
    ParameterSpace m_space;
    std::optional<std::size_t> m_time;
    Places m_places;
    SnapshotStore m_store;
    ImportReport m_report;
};

} // namespace

ImportReport importFiles(StudyWriter &writer, std::span<const ImportRow> rows,
                         const ImportOptions &options, const SnapshotReader &reader)
{
    return Importer(writer, options, reader).importAll(rows);
}

} // namespace gridhelm::data
