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
    {
        for (const auto &holdOut : writer.holdOuts())
            m_holdOuts.push_back(m_space.toUnit(holdOut.parameters));
    }

    std::optional<std::uint64_t> point(const std::vector<double> &parameters) const
    {
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
        const double steps = std::ldexp(1.0, m_grid->highestLevel(static_cast<int>(time)) + 1);
        x[time] = std::round(x[time] * steps) / steps;
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
        return std::any_of(m_holdOuts.begin(), m_holdOuts.end(),
                           [&](const auto &other) { return isNear(x, other); });
    }

    void take(const std::vector<double> &parameters)
    {
        if (const auto at = point(parameters))
            m_there[*at] = true;
        else
            m_holdOuts.push_back(m_space.toUnit(parameters));
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

    ParameterSpace m_space;
    std::shared_ptr<const sparse::SparseGrid> m_grid;
    std::vector<bool> m_there;
    std::vector<std::vector<double>> m_holdOuts; ///< in the unit cube
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

} // namespace

ImportReport importFiles(StudyWriter &writer, std::span<const ImportRow> rows,
                         const ImportOptions &options, const SnapshotReader &reader)
{
    ImportReport report;
    const auto space = writer.description().space;
    const auto time = space.timeLike();
    Places places(writer);
    requireSensibleRows(rows, places, time);
    SnapshotStore store(writer, options.fit);

    const auto take = [&](std::vector<double> parameters, RunSnapshot snapshot) {
        if (time && std::isnan(parameters[*time])) {
            if (!snapshot.time)
                throw Error("it does not say its time; add a column " + space[*time].name
                            + " to the table");
            parameters[*time] = *snapshot.time;
            if (space[*time].scale == ParameterScale::logarithmic && !(parameters[*time] > 0)) {
                ++report.leftOut;
                return;
            }
            parameters[*time] = places.gridTime(*snapshot.time, *time);
            if (space.firstOutside(parameters)
                || (!options.allTimes && !places.point(parameters)
                    && places.hasRun(parameters, *time))) {
                ++report.leftOut;
                return;
            }
        }
        if (places.isTaken(parameters)) {
            ++report.alreadyThere;
            return;
        }
        if (const auto point = places.point(parameters)) {
            store.putPoint(*point, std::move(snapshot));
            ++report.stored;
        } else {
            store.putHoldOut(parameters, std::move(snapshot));
            ++report.holdOuts;
        }
        places.take(parameters);
    };

    std::size_t done = 0;
    for (const auto &row : rows) {
        if (options.progress)
            options.progress(done, rows.size());
        if (options.cancelled && options.cancelled()) {
            report.cancelled = true;
            break;
        }
        const auto before = report;
        try {
            auto transaction = writer.transaction();
            const bool byTime = time && std::isnan(row.parameters[*time]);
            int snapshots = 0;
            reader(
                row.file,
                [&](RunSnapshot snapshot) {
                    if (++snapshots > 1 && !byTime)
                        throw Error(
                            time ? "it holds several times, but the table gives one; take the "
                                   "column "
                                       + space[*time].name + " out, or name a file of one time"
                                 : std::string("it holds several times, but the study has no "
                                               "time-like parameter; name a file of one time"));
                    report.notes.insert(snapshot.notes.begin(), snapshot.notes.end());
                    take(row.parameters, keepFields(std::move(snapshot), options.fields));
                },
                options.stop);
            if (snapshots == 0)
                throw Error("it holds no snapshot; name a file with fields");
            report.notes.merge(store.takeNotes());
            transaction.commit();
        } catch (const ReadingStopped &) {
            report = before; // what this file gave is not stored
            report.cancelled = true;
            break;
        } catch (const Error &error) {
            throw Error(row.place + ": " + row.file.string()
                        + " cannot be imported: " + error.what()
                        + (done == 0 ? ""
                                     : " (the files before it are in the study; once this is "
                                       "mended, import all of them again)"));
        }
        ++done;
    }
    report.jobsDone = writer.finishDeliveredJobs("imported");
    report.missing = report.cancelled ? Places(writer).missing() : places.missing();
    return report;
}

} // namespace gridhelm::data
