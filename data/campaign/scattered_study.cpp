// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/scattered_study.h"

#include "core/answers/formula_names.h"
#include "core/support/error.h"
#include "data/answers/named_fields.h"
#include "data/campaign/campaign_text.h"
#include "data/campaign/scattered_table.h"
#include "data/campaign/store_snapshot.h"
#include "data/study/image_mesh.h"
#include "data/study/stored_values.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace gridhelm::data {

namespace {

/// Names of fields with values that are no finite numbers.
std::vector<std::string> spoiledFields(const RunSnapshot &snapshot)
{
    std::vector<std::string> names;
    for (std::size_t f = 0; f < snapshot.fields.size(); ++f)
        if (!std::ranges::all_of(snapshot.values[f],
                                 [](float value) { return std::isfinite(value); }))
            names.push_back(snapshot.fields[f].name);
    return names;
}

/// The names of all fields but these.
std::vector<std::string> otherFields(const RunSnapshot &snapshot,
                                     const std::vector<std::string> &without)
{
    std::vector<std::string> names;
    for (const auto &field : snapshot.fields)
        if (std::ranges::find(without, field.name) == without.end())
            names.push_back(field.name);
    return names;
}

/// Of the runs of a place that have this response; NaN if none has.
double meanOf(const std::vector<ScatteredRun> &runs, std::size_t response)
{
    double sum = 0, count = 0;
    for (const auto &run : runs)
        if (!std::isnan(run.responses[response])) {
            sum += run.responses[response];
            ++count;
        }
    return sum / count;
}

/// Looks for fields that differ from run to run by so little, beside the numbers that they are
/// stored as, that single precision has few steps for it.
class LostDigits
{
public:
    void add(const Field &field, const std::vector<float> &numbers)
    {
        auto &[low, high] = m_ends[field.name];
        if (low.size() != numbers.size()) {
            low.assign(numbers.size(), std::numeric_limits<double>::infinity());
            high.assign(numbers.size(), -std::numeric_limits<double>::infinity());
        }
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            const double value = field.valueOf(numbers[i]);
            low[i] = std::min(low[i], value);
            high[i] = std::max(high[i], value);
        }
    }

    /// `fields`: the study's, whose offsets and scales the numbers got.
    std::vector<std::string> notes(const std::vector<Field> &fields) const
    {
        constexpr double fewSteps = 1e4;
        std::vector<std::string> notes;
        for (const auto &field : fields) {
            const auto ends = m_ends.find(field.name);
            if (ends == m_ends.end())
                continue;
            const auto &[low, high] = ends->second;
            double span = 0, step = 0, size = 0;
            for (std::size_t i = 0; i < low.size(); ++i) {
                const float largest =
                    std::max(std::abs(field.stored(low[i])), std::abs(field.stored(high[i])));
                const auto next = std::nextafter(largest, std::numeric_limits<float>::infinity());
                span = std::max(span, high[i] - low[i]);
                size = std::max(size, field.scale * static_cast<double>(largest));
                step = std::max(step, field.scale * static_cast<double>(next - largest));
            }
            if (span > 0 && span < fewSteps * step)
                notes.push_back(fmt::format(
                    "{} differs from run to run by {:.3g} at most, beside {:.6g}: single "
                    "precision, in which values are kept, has steps of {:.2g} there, so that "
                    "{:.2g} % of what differs is lost. Subtract from it what all runs share before "
                    "you import it",
                    field.name, span, size, step, 100 * step / 2 / span));
        }
        return notes;
    }

private:
    struct Ends
    {
        std::vector<double> low, high; ///< at each place
    };
    std::map<std::string, Ends> m_ends; ///< of each field
};

class ScatteredImport
{
public:
    ScatteredImport(StudyWriter &writer, const ScatteredTable &table, const ScatteredStep &step,
                    const StepControl &control, ScatteredReport &report)
        : m_writer(writer)
        , m_table(table)
        , m_step(step)
        , m_control(control)
        , m_report(report)
        , m_store(writer, control.files.fitter(handling(step), step.howToResample))
        , m_fields(step.fields)
    {
    }

    /// "some values of p are not finite numbers in any run"; empty if runs were stored.
    std::string whyNone() const
    {
        return m_report.runs > 0 || m_failed.empty()
                   ? std::string()
                   : fmt::format("some values of {} are not finite numbers in any run: where there "
                                 "are none (outside of a body, say), write a number, or take other "
                                 "fields",
                                 fmt::join(m_spoiled, ", "));
    }

    /// False if it was stopped.
    bool storeAll()
    {
        std::optional<Transaction> all;
        if (!m_table.responses.empty()) {
            all.emplace(
                m_writer.file()); // so small that each of its own would take most of the time
            makeResponseFields();
        }
        for (std::size_t i = 0; i < m_table.runs.size(); ++i) {
            if (m_control.stop.stop_requested() || m_control.pause.stop_requested())
                return false;
            say(i);
            try {
                store(m_table.runs[i]);
            } catch (const ReadingStopped &) {
                return false;
            }
        }
        if (all)
            all->commit();
        if (!m_failed.empty())
            m_report.notes.push_back(fmt::format(
                "{} left out, for some values of {} are not finite numbers: {}{}",
                m_failed.size() == 1 ? "a run is" : fmt::format("{} runs are", m_failed.size()),
                fmt::join(m_spoiled, ", "), m_failed.front(), m_failed.size() > 1 ? " ..." : ""));
        for (const auto &note : m_store.takeNotes())
            m_report.notes.push_back(note);
        for (const auto &note : m_lostDigits.notes(m_writer.fields()))
            m_report.notes.push_back(note);
        return true;
    }

private:
    static MeshHandling handling(const ScatteredStep &step)
    {
        MeshHandling handling;
        if (step.resample)
            handling.kind = MeshKind::resampled;
        return handling;
    }

    void say(std::size_t done) const
    {
        if (!m_control.progress)
            return;
        StepProgress progress{StepProgress::Phase::files, {}};
        progress.counts.done = done;
        progress.counts.total = m_table.runs.size();
        progress.counts.secondsRemaining = -1;
        progress.counts.part = static_cast<double>(done) / static_cast<double>(m_table.runs.size());
        m_control.progress(progress);
    }

    /// What lacks values in the first two runs alike has none outside of a body, in all runs:
    /// fields whose region is the same get a body, of others those that lack nothing can be taken.
    /// Returns the first run's snapshot with these.
    RunSnapshot withoutMissing(RunSnapshot first)
    {
        const auto &runs = m_table.runs;
        const auto spoiled = spoiledFields(first);
        if (runs.size() < 2 || spoiled.empty())
            return first;
        auto second = snapshotIn(runs[1].front());
        if (spoiledFields(second) != spoiled)
            return first;
        auto body = first;
        const auto points = m_control.files.leaveOutMissing(body);
        m_hasBody = points > 0 && m_control.files.leaveOutMissing(second) > 0;
        if (m_hasBody) {
            m_report.notes.push_back(fmt::format(
                "{} no value at {} of {} points, in {} for one: that is outside of the body, whose "
                "shape may differ from run to run",
                spoiled.size() == 1 ? spoiled.front() + " has"
                                    : fmt::format("{} have", fmt::join(spoiled, ", ")),
                points, first.mesh.points, runs[0].front().file.string()));
            return body;
        }
        if (spoiled.size() == first.fields.size())
            return first;
        m_fields = otherFields(first, spoiled);
        m_report.notes.push_back(fmt::format(
            "{} left out, for some values are not finite numbers, in {} for one: write a number "
            "where there is none (outside of a body, say)",
            spoiled.size() == 1 ? "the field " + spoiled.front() + " is"
                                : fmt::format("the fields {} are", fmt::join(spoiled, ", ")),
            runs[0].front().file.string()));
        return keepFields(std::move(first), m_fields);
    }

    /// Responses are fields at one point.
    void makeResponseFields()
    {
        m_writer.setMesh(encodeImageMesh({{1, 1, 1}, {0, 0, 0}, {1, 1, 1}}));
        std::vector<Field> fields;
        for (std::size_t r = 0; r < m_table.responses.size(); ++r) {
            auto &field = fields.emplace_back();
            field = {m_table.responses[r].name, m_table.responses[r].unit, 1, Association::point,
                     1};
            std::vector<double> values;
            for (const auto &group : m_table.runs)
                values.push_back(meanOf(group, r));
            static_cast<void>(storedValues(field, values));
        }
        m_writer.addFields(fields);
    }

    /// Those that the runs of a place have; the others are missing there.
    void storeResponses(const std::vector<ScatteredRun> &group)
    {
        const auto id = m_writer.addTrainingRun(group.front().parameters);
        for (FieldIndex field = 0; field < m_table.responses.size(); ++field) {
            const auto &stored = m_writer.fields()[field];
            const std::vector<float> number{stored.stored(meanOf(group, field))};
            if (std::isnan(number[0]))
                continue;
            m_writer.putHoldOut(id, field, number);
            m_lostDigits.add(stored, number);
        }
        ++m_report.runs;
    }

    void store(const std::vector<ScatteredRun> &group)
    {
        if (group.front().file.empty()) {
            storeResponses(group);
            return;
        }
        std::vector<RunSnapshot> snapshots;
        for (const auto &run : group) {
            auto snapshot = snapshotIn(run);
            if (&run == &m_table.runs.front().front())
                snapshot = withoutMissing(std::move(snapshot));
            else if (m_hasBody)
                giveBody(snapshot);
            const auto spoiled = spoiledFields(snapshot);
            if (!spoiled.empty()) {
                m_spoiled.insert(spoiled.begin(), spoiled.end());
                m_failed.push_back(run.place);
                continue;
            }
            for (std::size_t f = 0; f < snapshot.fields.size(); ++f)
                m_lostDigits.add(snapshot.fields[f], snapshot.values[f]);
            snapshots.push_back(std::move(snapshot));
        }
        if (snapshots.empty())
            return;
        try {
            m_store.putTrainingRun(group.front().parameters, std::move(snapshots));
        } catch (const Error &error) {
            throw Error(group.front().place + ": it cannot be imported: " + error.what());
        }
        ++m_report.runs;
    }

    /// Of a study with a body.
    void giveBody(RunSnapshot &snapshot) const
    {
        if (spoiledFields(snapshot).empty())
            m_control.files.addWholeBody(snapshot);
        else
            m_control.files.leaveOutMissing(snapshot);
    }

    RunSnapshot snapshotIn(const ScatteredRun &run)
    {
        try {
            std::optional<RunSnapshot> found;
            m_control.files.read(
                run.file,
                [&](RunSnapshot snapshot) {
                    if (found)
                        throw Error("it holds several times, and a row of the table is a run at "
                                    "one time: write a file for each time, give each a row of its "
                                    "own, and the time a column of its own");
                    for (const auto &note : snapshot.notes)
                        if (std::ranges::find(m_report.notes, note) == m_report.notes.end())
                            m_report.notes.push_back(note);
                    found = keepFields(std::move(snapshot), m_fields);
                },
                m_control.stop);
            if (!found)
                throw Error("it holds no snapshot; name a file with fields");
            return std::move(*found);
        } catch (const Error &error) {
            throw Error(run.place + ": " + run.file.string()
                        + " cannot be imported: " + error.what());
        }
    }

    StudyWriter &m_writer;
    const ScatteredTable &m_table;
    const ScatteredStep &m_step;
    const StepControl &m_control;
    ScatteredReport &m_report;
    SnapshotStore m_store;
    LostDigits m_lostDigits;
    std::vector<std::string> m_fields; ///< that are taken; empty: all
    bool m_hasBody = false;            ///< MeshFiles::leaveOutMissing()
    std::vector<std::string> m_failed; ///< places of runs
    std::set<std::string> m_spoiled;   ///< fields
};

/// Columns of responses are responses of the study, as far as formulas can name them: questions may
/// be asked of them at once.
void putResponses(StudyWriter &writer)
{
    const answers::FormulaNames formulas(namedFields(writer.fields()));
    for (std::size_t i = 0; i < formulas.names.size(); ++i) {
        const auto &field = writer.fields()[formulas.variables[i].field];
        if (isName(field.name))
            writer.putResponse({field.name, field.unit, formulas.names[i], "mean", ""});
    }
}

ScatteredReport fill(StudyWriter &writer, const ScatteredTable &table, const ScatteredStep &step,
                     const StepControl &control)
{
    ScatteredReport report;
    report.notes = table.notes;
    ScatteredImport all(writer, table, step, control, report);
    report.cancelled = !all.storeAll();
    if (report.cancelled)
        return report;
    if (const auto why = all.whyNone(); !why.empty())
        throw Error(step.table.string() + ": " + why);
    // Exactly how many it needs, where there are times, compressing knows.
    if (report.runs <= table.parameters.size())
        throw Error(fmt::format("{} runs of {} are of use, and kriging in {} parameters needs "
                                "more: add runs",
                                report.runs, step.table.string(), table.parameters.size()));
    CompressStep compressing;
    compressing.context = step.context;
    compressing.backend = step.backend;
    report.compress = compressStep(writer, compressing, control);
    report.cancelled = report.compress.cancelled;
    report.accuracy = accuraciesText(writer);
    if (!table.responses.empty())
        putResponses(writer);
    if (!report.compress.note.empty())
        report.notes.push_back(report.compress.note);
    return report;
}

} // namespace

ScatteredReport scatteredStep(const ScatteredStep &step, const StepControl &control)
{
    const auto cells = readScatteredTable(step.table, {.missing = step.missing});
    const auto roles = scatteredRoles(cells, step.columns, step.table.parent_path());
    auto table = scatteredTable(
        cells, {roles.roles, step.ranges,
                step.folder.empty() ? step.table.parent_path() : step.folder, step.scales});
    table.notes.insert(table.notes.begin(), roles.notes.begin(), roles.notes.end());
    const StudyDescription description{step.table.stem().string(),
                                       StudyKind::vector,
                                       ParameterSpace(table.parameters),
                                       1,
                                       std::string(),
                                       StudyDesign::scattered};
    auto writer = StudyWriter::create(step.study, description, control.stop);
    const auto takeAway = [&] {
        writer.close();
        std::error_code ignored;
        std::filesystem::remove(step.study, ignored);
    };
    try {
        auto report = fill(writer, table, step, control);
        report.reading = readingText(cells, roles.roles);
        if (report.cancelled)
            takeAway();
        else if (auto note = writer.close(); !note.empty())
            report.notes.push_back(std::move(note));
        return report;
    } catch (...) {
        takeAway();
        throw;
    }
}

} // namespace gridhelm::data
