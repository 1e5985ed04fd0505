// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/study/check.h"

#include "data/study/blob_store.h"
#include "data/study/consistent_read.h"
#include "data/study/image_mesh.h"
#include "data/study/mesh_limits.h"
#include "data/study/storage_error.h"
#include "data/study/study_file.h"
#include "data/study/table_rows.h"

#include <algorithm>
#include <map>
#include <set>

namespace gridhelm::data {

namespace {

class Checker
{
public:
    Checker(Study &study, CheckReport &report, const CheckOptions &options)
        : m_study(study)
        , m_file(study.file())
        , m_report(report)
        , m_options(options)
    {
    }

    void run()
    {
        attempt([&] { checkLength(); });
        // The quick check first: what it finds makes everything else unreliable.
        checkStructure("PRAGMA quick_check(20)");
        if (!m_report.problems.empty())
            return;
        checkStructure("PRAGMA integrity_check(20)");
        attempt([&] { checkForeignKeys(); });
        for (const auto &table : summedTables())
            attempt([&] { checkSum(table); });
        attempt([&] { checkNamesOfSums(); });
        attempt([&] { countBlobs(); });
        attempt([&] { checkMesh(); });
        attempt([&] { checkJobs(); });
        if (m_study.description().kind == StudyKind::vector) {
            if (m_study.description().design == StudyDesign::grid)
                attempt([&] { static_cast<void>(m_file.pointId(0)); });
            attempt([&] { checkPartsOf(BlobTable::snapshots); });
            attempt([&] { checkPartsOf(BlobTable::coefficients); });
            attempt([&] { checkModes(); });
            attempt([&] { checkQuantisedRows(); });
        } else {
            attempt([&] { checkScalar(); });
        }
        attempt([&] { static_cast<void>(m_study.holdOuts()); });
        attempt([&] { static_cast<void>(m_study.trainingRuns()); });
        attempt([&] { static_cast<void>(m_study.plannedRuns()); });
        attempt([&] { checkPartsOf(BlobTable::holdOutValues); });
        attempt([&] { static_cast<void>(m_study.errorFigures()); });
        attempt([&] { static_cast<void>(m_study.errorBands()); });
        attempt([&] { static_cast<void>(m_study.errorHistory()); });
        attempt([&] { static_cast<void>(m_study.refinements()); });
        attempt([&] { static_cast<void>(m_study.responses()); });
        attempt([&] {
            for (FieldIndex field = 0; field < m_study.fields().size(); ++field)
                static_cast<void>(m_study.wantedMeans(field));
        });
        attempt([&] { checkSubmissions(); });
    }

private:
    struct Cancelled
    {};

    /// Turns what action() throws into a problem; after a cancel nothing is done any more.
    template <typename Action>
    void attempt(Action action)
    {
        if (m_report.cancelled)
            return;
        try {
            const ConsistentRead together(m_study); // each step is of one moment
            m_file.guarded(action);
        } catch (const Cancelled &) {
            m_report.cancelled = true;
        } catch (const ChangedStudy &) {
            throw; // all of it begins anew
        } catch (const StudyInUse &) {
            throw; // which says nothing of the study
        } catch (const StorageError &) {
            throw;
        } catch (const Error &error) {
            m_report.problems.emplace_back(error.what());
        }
    }

    /// SQLite does not miss the end of the last page if nothing stands there.
    void checkLength()
    {
        if (!m_study.notice().empty())
            return; // a copy was read, in which what a killed writer left has been put in order
        auto page = m_file.query("PRAGMA page_size");
        page.step();
        std::error_code unknown;
        const auto size = std::filesystem::file_size(m_file.path(), unknown);
        if (!unknown && size % static_cast<std::uint64_t>(page.integer(0)) != 0)
            m_report.problems.emplace_back("The file's end is missing.");
    }

    void checkStructure(const char *pragma)
    {
        attempt([&] {
            for (auto row = m_file.query(pragma); row.step();) {
                if (row.text(0) != "ok")
                    m_report.problems.push_back("The file's structure is damaged: " + row.text(0));
            }
        });
    }

    /// What rows say of themselves against what the table says of all of them.
    void checkSum(const SummedTable &table)
    {
        const auto problem =
            problemOfRows(m_file.database(), table, m_file.storedSum(table.name), 0, false);
        if (!problem.empty())
            m_file.throwDamaged(problem);
    }

    void checkNamesOfSums()
    {
        const auto tables = summedTables();
        for (auto row = m_file.query("SELECT name FROM sums ORDER BY rowid"); row.step();)
            if (std::ranges::find(tables, row.text(0), &SummedTable::name) == tables.end())
                m_report.problems.push_back("It has a sum of a table that is not there.");
    }

    void checkMesh()
    {
        const auto mesh = m_study.mesh();
        if (!mesh) {
            auto parts = m_file.query("SELECT count(*) FROM mesh_parts");
            parts.step();
            if (parts.integer(0) > 0)
                m_report.problems.emplace_back("There are chunks of a mesh, but no mesh.");
            return;
        }
        if (m_study.description().kind == StudyKind::vector)
            requireFieldsOnMesh(*mesh, m_study.fields());
        if (m_options.requireSoundMesh)
            m_options.requireSoundMesh(*mesh);
        else if (mesh->kind == "image")
            static_cast<void>(decodeImageMesh(*mesh));
    }

    void checkForeignKeys()
    {
        for (auto row = m_file.query("PRAGMA foreign_key_check"); row.step();)
            m_report.problems.push_back("A row of " + row.text(0) + " belongs to a row of "
                                        + row.text(2) + " that does not exist.");
    }

    void countBlobs()
    {
        auto row = m_file.query("SELECT (SELECT count(*) FROM snapshots) "
                                "+ (SELECT count(*) FROM coefficients) "
                                "+ (SELECT count(*) FROM scalar_values) "
                                "+ (SELECT count(*) FROM scalar_coefficients) "
                                "+ (SELECT count(*) FROM hold_out_values)");
        row.step();
        m_total = static_cast<std::uint64_t>(row.integer(0)) + countModeParts();
    }

    void countBlob()
    {
        ++m_report.blobs;
        if (m_options.progress
            && !m_options.progress(m_report.blobs, std::max(m_total, m_report.blobs)))
            throw Cancelled();
    }

    void checkJobs()
    {
        std::set<std::uint64_t> covered;
        for (const auto &job : m_study.jobs()) {
            covered.insert(job.points.begin(), job.points.end());
            static_cast<void>(m_study.jobLog(job.id));
        }
        const bool isGrid = m_study.description().design == StudyDesign::grid;
        if (isGrid && covered.size() != m_study.grid()->points())
            m_report.problems.push_back(std::to_string(m_study.grid()->points() - covered.size())
                                        + " points of the grid belong to no job.");
        for (FieldIndex field = 0; field < m_study.fields().size(); ++field) {
            const auto isThere = m_study.pointsWithSnapshots(field);
            for (const auto &job : m_study.jobs()) {
                const bool isWhole = std::ranges::all_of(
                    job.points, [&](std::uint64_t point) { return isThere[point]; });
                if (job.state == JobState::done && !isWhole)
                    m_report.problems.push_back("Job " + std::to_string(job.id)
                                                + " is done, but snapshots of field "
                                                + m_study.fields()[field].name + " are missing.");
            }
        }
    }

    /// Every blob of snapshots, coefficients or hold-outs, in the order in which they lie in the
    /// file.
    void checkPartsOf(BlobTable table)
    {
        const char *const sql = table == BlobTable::snapshots
                                    ? "SELECT field, part, point, encoding, checksum, bytes, 0 "
                                      "FROM snapshots ORDER BY id"
                                : table == BlobTable::coefficients
                                    ? "SELECT field, part, point, encoding, checksum, bytes, "
                                      "provisional FROM coefficients ORDER BY id"
                                    : "SELECT field, part, hold_out, encoding, checksum, bytes, 0 "
                                      "FROM hold_out_values ORDER BY id";
        const std::string what = table == BlobTable::snapshots      ? "snapshot"
                                 : table == BlobTable::coefficients ? "coefficients"
                                                                    : "validation point";
        const bool isCoefficients = table == BlobTable::coefficients;
        auto row = m_file.query(sql);
        std::map<std::pair<std::int64_t, std::int64_t>, std::uint64_t> partsOf;
        std::vector<float> values;
        while (row.step()) {
            const auto field = row.integer(0), part = row.integer(1), owner = row.integer(2);
            const auto &described = m_file.field(static_cast<FieldIndex>(field));
            if (part < 0 || static_cast<std::uint64_t>(part) >= partCount(described.values())) {
                m_report.problems.push_back("There is a chunk of the " + what + " of field "
                                            + described.name + " that the field does not have.");
                continue;
            }
            ++partsOf[{field, owner}];
            const auto place = [&] {
                if (table == BlobTable::holdOutValues)
                    return "number " + std::to_string(owner);
                const auto &space = m_study.description().space;
                return "at "
                       + space.toText(space.valuesAt(*m_study.grid(), m_file.pointOfId(owner)));
            };
            values.resize(partSize(described.values(), static_cast<std::uint64_t>(part)));
            try {
                const auto of = isCoefficients ? coefficientTable(row.integer(6) != 0) : table;
                readValues(m_file, row, 3,
                           blobKey(of, static_cast<FieldIndex>(field),
                                   static_cast<std::uint64_t>(part), owner),
                           values);
            } catch (const DamagedStudy &damage) {
                m_report.problems.push_back("The " + what + " of field " + described.name + " "
                                            + place() + " cannot be read: " + damage.detail()
                                            + ".");
            }
            countBlob();
        }
        // Coefficients are whole only when compress() has finished; the others always.
        for (const auto &[key, parts] : partsOf) {
            const auto &described = m_file.field(static_cast<FieldIndex>(key.first));
            if (table != BlobTable::coefficients && parts != partCount(described.values()))
                m_report.problems.push_back("A " + what + " of field " + described.name
                                            + " lacks some of its chunks.");
        }
    }

    std::uint64_t countModeParts()
    {
        std::uint64_t parts = 0;
        for (FieldIndex field = 0; field < m_study.fields().size(); ++field) {
            if (const auto set = m_study.modeSet(field))
                parts += set->modes() * m_study.parts(field);
            if (const auto rows = m_study.quantisedCoefficients(field))
                parts += rows->residuals.size() * m_study.parts(field);
        }
        return parts;
    }

    /// By which it is asked whether there is enough memory.
    void requireBytes(const char *what, FieldIndex field, std::uint64_t bytes, std::uint64_t said)
    {
        if (bytes > said)
            m_report.problems.push_back("The quantised " + std::string(what) + " of field "
                                        + m_study.fields()[field].name
                                        + " are larger than the study says.");
    }

    void checkModes()
    {
        std::uint64_t expected = 0;
        for (FieldIndex field = 0; field < m_study.fields().size(); ++field) {
            const auto set = m_study.modeSet(field);
            if (!set)
                continue;
            std::vector<float> values;
            std::uint64_t bytes = 0; // in few bits
            for (std::uint64_t part = 0; part < m_study.parts(field); ++part) {
                values.resize(m_study.valuesInPart(field, part));
                for (std::uint64_t mode = 0; mode < set->modes(); ++mode) {
                    try {
                        if (set->quantised)
                            bytes += m_study.quantisedModePart(field, mode, part).bytes();
                        else
                            m_study.readModePart(field, mode, part, values);
                    } catch (const DamagedStudy &damage) {
                        m_report.problems.push_back("POD mode " + std::to_string(mode + 1)
                                                    + " of field " + m_study.fields()[field].name
                                                    + " cannot be read: " + damage.detail() + ".");
                    }
                    ++expected;
                    countBlob();
                }
            }
            if (set->quantised)
                requireBytes("POD modes", field, bytes, set->quantised->frameBytes);
            const bool hasRows = m_study.modalRows(field) != nullptr;
            const bool hasKriging = m_study.kriging(field) != nullptr;
            if (hasRows == hasKriging)
                m_report.problems.push_back("The POD modes of field " + m_study.fields()[field].name
                                            + " have no coefficients.");
        }
        if (m_file.storedSum("modes").rows != static_cast<std::int64_t>(expected))
            m_report.problems.emplace_back("There are POD modes that belong to no field.");
    }

    void checkQuantisedRows()
    {
        std::uint64_t expected = 0;
        for (FieldIndex field = 0; field < m_study.fields().size(); ++field) {
            const auto rows = m_study.quantisedCoefficients(field);
            std::uint64_t bytes = 0;
            for (std::uint64_t point = 0; rows && point < rows->residuals.size(); ++point) {
                for (std::uint64_t part = 0; rows->hasRow(point) && part < m_study.parts(field);
                     ++part) {
                    attempt([&] {
                        bytes += m_study.quantisedCoefficientPart(point, field, part).bytes();
                    });
                    ++expected;
                    countBlob();
                }
            }
            if (rows)
                requireBytes("coefficients", field, bytes, rows->rowBytes);
            if (rows && m_study.modeSet(field))
                m_report.problems.push_back("Field " + m_study.fields()[field].name
                                            + " has POD modes and quantised coefficients.");
        }
        if (m_file.storedSum("quantised_coefficients").rows != static_cast<std::int64_t>(expected))
            m_report.problems.emplace_back(
                "There are quantised coefficients that belong to no field.");
    }

    void checkScalar()
    {
        for (FieldIndex field = 0; field < m_study.fields().size(); ++field) {
            for (const auto &job : m_study.jobs()) {
                const auto values = m_study.readScalarValues(job.id, field);
                for (std::uint64_t part = 0; part < partCount(values.size()); ++part)
                    countBlob();
            }
            static_cast<void>(m_study.readScalarCoefficients(field));
            auto covered = m_file.query("SELECT coalesce(sum(count), 0), count(*) FROM "
                                        "scalar_coefficients WHERE field = ?");
            covered.bind(static_cast<std::int64_t>(field)).step();
            if (static_cast<std::uint64_t>(covered.integer(0)) > m_study.grid()->points())
                m_report.problems.push_back("There are more coefficients of field "
                                            + m_study.fields()[field].name
                                            + " than the grid has points.");
            for (std::int64_t i = 0; i < covered.integer(1); ++i)
                countBlob();
        }
    }

    void checkSubmissions()
    {
        for (const auto &submission : m_study.submissions()) {
            if (m_study.job(submission.job).state != JobState::running)
                m_report.problems.push_back("Job " + std::to_string(submission.job)
                                            + " is said to run elsewhere, but it does not run.");
        }
    }

    Study &m_study;
    const StudyFile &m_file;
    CheckReport &m_report;
    const CheckOptions &m_options;
    std::uint64_t m_total = 0;
};

} // namespace

CheckReport check(const std::filesystem::path &path, const CheckOptions &options)
{
    CheckReport report;
    try {
        againIfChanged([&] {
            report = {};
            auto study = Study::open(path);
            report.notice = study.notice();
            Checker(study, report, options).run();
        });
    } catch (const ChangedStudy &) {
        report.problems = {path.string()
                           + " was changed again and again while it was checked: check it when "
                             "nobody writes to it"};
    } catch (const StudyInUse &) {
        throw;
    } catch (const StorageError &) {
        throw;
    } catch (const Error &error) {
        report.problems.emplace_back(error.what());
    }
    return report;
}

} // namespace gridhelm::data
