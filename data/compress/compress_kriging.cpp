// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/compress/compress_kriging.h"

#include "core/kriging/field_errors.h"
#include "core/kriging/fit.h"
#include "core/kriging/groups_left_out.h"
#include "core/modes/modes.h"
#include "data/compress/mode_parts.h"
#include "data/compress/node_volumes.h"
#include "data/compress/stored_rows.h"
#include "data/study/run_space.h"
#include "data/study/study_file.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <future>
#include <memory>
#include <string>
#include <utility>

namespace gridhelm::data {

namespace {

/// Share of the work that modes are, for progress.
constexpr double shareOfModes = 0.3;
constexpr std::chrono::milliseconds betweenWords(20); ///< of progress

/// What kriging of a field is fitted to.
struct TrainingSet
{
    std::vector<std::uint64_t> points;
    std::vector<std::int64_t> others; ///< training runs
    std::vector<double> places;       ///< of both, in the unit cube
    bool isRebuilt = false;           ///< snapshots of points were dropped
    std::size_t there = 0;            ///< before some were left out

    std::size_t runs() const { return points.size() + others.size(); }
};

/// Points with snapshots; if some of these were dropped, those with coefficients instead.
void takePoints(const Study &study, FieldIndex field, TrainingSet &set)
{
    if (study.description().design == StudyDesign::scattered)
        return;
    const auto isThere = study.pointsWithSnapshots(field);
    for (std::uint64_t point = 0; point < isThere.size(); ++point)
        if (isThere[point])
            set.points.push_back(point);
    set.isRebuilt = !areSnapshotsStored(study, field);
    if (set.isRebuilt)
        set.points = pointsWithCoefficients(study, field);
}

void takePlaces(const Study &study, FieldIndex field, TrainingSet &set)
{
    const auto grid = study.grid();
    std::vector<double> x(static_cast<std::size_t>(grid->dimension()));
    for (const auto point : set.points) {
        grid->coordinates(point, x);
        set.places.insert(set.places.end(), x.begin(), x.end());
    }
    // Not in the order of their arrival, by which sums would be rounded.
    auto others = study.trainingRuns(field);
    std::ranges::sort(others, {}, &HoldOut::parameters);
    for (const auto &run : others) {
        for (const double coordinate : study.description().space.toUnit(run.parameters))
            set.places.push_back(std::clamp(coordinate, 0.0, 1.0));
        set.others.push_back(run.id);
    }
}

/// Snapshots of one simulation, which differ in time alone: what is known of one is nearly known of
/// the next, so that they are left out together. Empty if there is no time.
std::vector<std::size_t> groupsLeftOut(const Study &study, const TrainingSet &set)
{
    const auto &space = study.description().space;
    return space.timeLike() ? simulationsOf(space, set.places) : std::vector<std::size_t>();
}

/// Leaves out what is more than kriging can be made of.
void thinOut(int dimension, TrainingSet &set)
{
    if (set.runs() <= FieldKriging::mostRuns)
        return;
    const auto d = static_cast<std::size_t>(dimension), points = set.points.size();
    kriging::Runs all{set.runs(), dimension, 1, set.places, std::vector<double>(set.runs())};
    TrainingSet few{{}, {}, {}, set.isRebuilt, set.there};
    for (const auto run : kriging::spreadSubset(all, FieldKriging::mostRuns)) {
        if (run < points)
            few.points.push_back(set.points[run]);
        else
            few.others.push_back(set.others[run - points]);
        const auto from = set.places.begin() + static_cast<std::ptrdiff_t>(run * d);
        few.places.insert(few.places.end(), from, from + dimension);
    }
    set = std::move(few);
}

/// Simulations, and the parameters that they differ in.
struct Enough
{
    std::size_t runs = 0, parameters = 0;

    explicit operator bool() const { return runs > parameters; }
};

Enough enoughOf(const Study &study, const TrainingSet &set)
{
    Enough there{set.runs(), study.description().space.parameters().size()};
    if (const auto simulations = groupsLeftOut(study, set); !simulations.empty()) {
        there.runs = 1 + std::ranges::max(simulations);
        --there.parameters; // all of them have their times
    }
    return there;
}

void requireEnough(const Study &study, FieldIndex field, const TrainingSet &set)
{
    if (const auto there = enoughOf(study, set); !there)
        throw Error("field " + study.fields().at(field).name + " has snapshots of "
                    + std::to_string(there.runs) + " runs, and kriging in "
                    + std::to_string(there.parameters) + " parameters needs at least "
                    + std::to_string(there.parameters + 1) + ": add runs, or leave parameters out");
}

TrainingSet trainingSetOf(const Study &study, FieldIndex field)
{
    TrainingSet set;
    takePoints(study, field, set);
    takePlaces(study, field, set);
    set.there = set.runs();
    requireEnough(study, field, set);
    thinOut(study.grid()->dimension(), set);
    return set;
}

std::unique_ptr<modes::SnapshotBlocks> snapshotsOf(const Study &study, FieldIndex field,
                                                   const TrainingSet &set, const CpuDevice &cpu)
{
    std::unique_ptr<modes::SnapshotBlocks> points;
    if (set.isRebuilt)
        points = std::make_unique<RebuiltSnapshots>(study, field, set.points, cpu);
    else
        points = std::make_unique<StoredSnapshots>(study, field, set.points);
    return std::make_unique<JoinedRows>(
        std::move(points), std::make_unique<StoredTrainingRuns>(study, field, set.others));
}

/// As far as a tenth of the error left out asks for it (automaticCut()).
double cutFor(const kriging::Fit &fit, const modes::Modes &modes)
{
    const double scale = modes.energy / static_cast<double>(modes.snapshots);
    std::vector<double> cutEnergies, squaredNorms;
    for (std::size_t run = 0; run < modes.snapshots; ++run) {
        cutEnergies.push_back(modes.errors[run] * modes.errors[run] * scale);
        double sum = cutEnergies.back();
        for (std::size_t m = 0; m < modes.count(); ++m) {
            const double c = modes.coefficients[run * modes.count() + m];
            sum += c * c;
        }
        squaredNorms.push_back(sum);
    }
    const double error =
        kriging::fieldLeaveOneOut(fit.leaveOneOut, cutEnergies, squaredNorms).rootMeanSquare;
    constexpr double part = 0.1;
    return std::clamp(part * part * error * error, modes::smallestCut, usualCut);
}

class KrigingMaker
{
public:
    KrigingMaker(StudyWriter &writer, FieldIndex field, const KrigingOptions &options)
        : m_writer(writer)
        , m_field(field)
        , m_options(options)
        , m_set(trainingSetOf(writer, field))
        , m_simulations(groupsLeftOut(writer, m_set))
        , m_weights(weightsOf(writer, field, options.volumes))
    {
    }

    /// In a transaction of the caller's.
    KrigingReport make()
    {
        m_writer.removeModes(m_field);
        if (attempt(m_options.cut.value_or(usualCut)) && !m_options.cut && m_modes.count() > 0) {
            const double wanted = cutFor(m_fit, m_modes);
            if (wanted < usualCut && !attempt(wanted))
                m_report.cancelled = true;
        }
        m_report.runs = m_set.runs();
        m_report.runsThere = m_set.there;
        if (m_report.cancelled)
            return m_report;
        if (m_modes.count() == 0) {
            m_report.zero = 1;
            return m_report;
        }
        m_writer.setKriging(
            m_field, modeSetOf(m_modes, m_weights.areVolumes, m_cut),
            {std::move(m_fit.model), m_set.points, m_set.others, std::move(m_fit.leaveOneOut)});
        m_report.fields = 1;
        return m_report;
    }

private:
    /// False if it was stopped.
    bool attempt(double cut)
    {
        m_cut = cut;
        modes::ModesOptions how;
        how.cut = cut;
        how.cpu = m_options.context.cpu();
        how.blockBytes = m_options.blockBytes;
        how.progress = [&](double done) {
            return !m_options.progress || m_options.progress(shareOfModes * done);
        };
        const auto components = static_cast<std::size_t>(m_writer.fields().at(m_field).components);
        ModeParts parts(m_writer, m_field);
        const auto snapshots = snapshotsOf(m_writer, m_field, m_set, how.cpu);
        m_modes = modes::computeModes(*snapshots, {m_weights.values, components}, how,
                                      [&](std::size_t first, modes::MatrixView<const float> block) {
                                          parts.add(first, block);
                                      });
        m_report.cancelled =
            m_modes.cancelled || (m_options.progress && !m_options.progress(shareOfModes));
        if (m_report.cancelled)
            return false;
        if (m_modes.count() == 0)
            return true;
        if (!fit())
            return false;
        if (!m_simulations.empty())
            m_fit.leaveOneOut =
                kriging::leaveGroupsOut(m_fit.model, m_simulations, m_options.context);
        return true;
    }

    /// In a thread of its own, so that this one can tell how far it is. False if it was stopped.
    bool fit()
    {
        const kriging::Runs runs{m_set.runs(), m_writer.grid()->dimension(), m_modes.count(),
                                 m_set.places, m_modes.coefficients};
        std::atomic<double> share = 0;
        std::atomic<bool> isStopped = false;
        kriging::FitOptions how;
        how.progress = [&](double done) {
            share = done;
            return !isStopped;
        };
        auto fitting = std::async(std::launch::async,
                                  [&] { return kriging::fit(runs, how, m_options.context); });
        while (fitting.wait_for(betweenWords) != std::future_status::ready) {
            try {
                isStopped = isStopped
                            || (m_options.progress
                                && !m_options.progress(shareOfModes + (1 - shareOfModes) * share));
            } catch (...) {
                isStopped = true; // or else it would be waited for
                throw;
            }
        }
        try {
            m_fit = fitting.get();
        } catch (const kriging::FitStopped &) {
            m_report.cancelled = true;
        }
        return !m_report.cancelled;
    }

    StudyWriter &m_writer;
    FieldIndex m_field;
    const KrigingOptions &m_options;
    TrainingSet m_set;
    std::vector<std::size_t> m_simulations; ///< of the runs, see groupsLeftOut()
    EntityWeights m_weights;
    double m_cut = 0;
    modes::Modes m_modes;
    kriging::Fit m_fit;
    KrigingReport m_report;
};

} // namespace

std::size_t runsForKriging(const Study &study, FieldIndex field)
{
    TrainingSet set;
    takePoints(study, field, set);
    return std::min(set.runs() + study.trainingRuns(field).size(), FieldKriging::mostRuns);
}

bool hasEnoughRunsForKriging(const Study &study, FieldIndex field)
{
    TrainingSet set;
    takePoints(study, field, set);
    takePlaces(study, field, set);
    return bool(enoughOf(study, set));
}

KrigingReport storeKriging(StudyWriter &writer, FieldIndex field, const KrigingOptions &options)
{
    if (writer.description().kind != StudyKind::vector)
        throw Error(writer.path().string()
                    + " is a scalar study, whose points are single numbers: kriging is for studies "
                      "whose points are snapshots");
    auto &file = writer.file();
    return file.guarded([&] {
        // Whoever reads need not wait: no BulkWrite.
        Transaction transaction(file);
        const auto report = KrigingMaker(writer, field, options).make();
        if (!report.cancelled)
            transaction.commit();
        return report;
    });
}

} // namespace gridhelm::data
