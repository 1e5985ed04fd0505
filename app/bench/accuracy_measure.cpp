// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/accuracy_measure.h"

#include "app/bench/kriging_cases.h"
#include "core/support/error.h"
#include "data/campaign/campaign_steps.h"
#include "data/campaign/fill_step.h"
#include "data/campaign/refine_step.h"
#include "data/evaluate/field_anywhere.h"
#include "data/study/image_mesh.h"
#include "data/study/study_writer.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

namespace gridhelm::bench {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t testPlaces = 200;
constexpr std::uint64_t testSeed = 20;

ParameterSpace spaceOf(const AccuracyField &field, std::optional<sparse::BoundaryTreatment> ends,
                       int degree)
{
    std::vector<Parameter> parameters;
    for (int t = 0; t < field.parameters; ++t) {
        Parameter parameter{"x" + std::to_string(t), "", 0, 1};
        parameter.treatment = ends;
        parameter.degree = degree;
        parameters.push_back(parameter);
    }
    return ParameterSpace(parameters);
}

data::StudyWriter newStudy(const fs::path &path, const AccuracyField &field,
                           const ParameterSpace &space, int level, data::StudyDesign design)
{
    auto writer = data::StudyWriter::create(
        path, {field.name, data::StudyKind::vector, space, level, "", design});
    writer.setMesh(data::encodeImageMesh({{accuracySide, accuracySide, 1}, {0, 0, 0}, {1, 1, 1}}));
    data::Field stored;
    stored.name = "u";
    stored.entities = accuracyCells;
    writer.addField(stored);
    return writer;
}

std::vector<float> resultAt(const AccuracyField &field, std::span<const double> x)
{
    const auto exact = snapshotOf(field, x);
    return {exact.begin(), exact.end()};
}

void runWaiting(data::StudyWriter &writer, const AccuracyField &field)
{
    auto transaction = writer.transaction();
    std::vector<double> x(static_cast<std::size_t>(field.parameters));
    const auto grid = writer.grid();
    for (const auto &job : writer.jobs()) {
        if (job.state == data::JobState::done)
            continue;
        for (const auto point : job.points) {
            grid->coordinates(point, x);
            writer.putSnapshot(point, 0, resultAt(field, x));
        }
    }
    writer.finishDeliveredJobs("");
    for (const auto &run : writer.plannedRuns()) {
        if (run.state == data::PlannedRunState::done)
            continue;
        const auto made = writer.addTrainingRun(run.parameters);
        writer.putHoldOut(made, 0, resultAt(field, run.parameters));
        writer.finishPlannedRun(run.id, made);
    }
    transaction.commit();
}

double meanError(const data::Study &study, const AccuracyField &field,
                 const ExecutionContext &context)
{
    const data::FieldAnywhere surrogate(study, 0, context);
    const auto d = static_cast<std::size_t>(field.parameters);
    const auto places = accuracyPlaces(field);
    std::vector<float> values(accuracyCells);
    double sum = 0;
    for (std::size_t i = 0; i < testPlaces; ++i) {
        const std::span<const double> x(places.data() + i * d, d);
        const auto exact = snapshotOf(field, x);
        surrogate.evaluate(x, {values, {}});
        double difference = 0, size = 0;
        for (std::size_t cell = 0; cell < accuracyCells; ++cell) {
            difference += std::pow(static_cast<double>(values[cell]) - exact[cell], 2);
            size += exact[cell] * exact[cell];
        }
        sum += std::sqrt(difference / size);
    }
    return sum / static_cast<double>(testPlaces);
}

void makeSurrogate(data::StudyWriter &writer, data::SurrogateKind kind,
                   const ExecutionContext &context)
{
    data::CompressStep step;
    step.surrogate = data::SurrogateStep{kind, {}};
    step.context = context;
    data::compressStep(writer, step, {});
}

/// A study that grows where the error is, as one does whose runs are made elsewhere.
class AdaptiveStudy
{
public:
    AdaptiveStudy(fs::path path, const AccuracyField &field, data::SurrogateKind kind,
                  sparse::BoundaryTreatment treatment, int degree, const ExecutionContext &context)
        : m_path(std::move(path))
        , m_kind(kind)
        , m_field(field)
        , m_context(context)
        , m_writer(newStudy(m_path, field, spaceOf(field, treatment, degree), 2,
                            data::StudyDesign::grid))
    {
        runWaiting(m_writer, m_field);
    }

    std::size_t runs() const { return m_writer.jobs().size() + m_writer.trainingRuns().size(); }

    /// To so many runs, or to as many as the next block allows.
    void grow(std::size_t wished)
    {
        constexpr std::size_t batchShare = 16; // of the runs that there are, rarely more than slots
        while (runs() < wished) {
            const auto left = wished - runs();
            const auto batch = std::max<std::size_t>(runs() / batchShare, 1);
            if (!suggested(std::min(batch, left)) && !suggested(left))
                break;
            runWaiting(m_writer, m_field);
        }
        data::CompressOptions options;
        options.cpu = m_context.cpu();
        data::compress(m_writer, options);
    }

    double error() const { return meanError(m_writer, m_field, m_context); }

    /// In a copy, which leaves what refining goes on with alone.
    data::StudyWriter copy(const fs::path &path)
    {
        m_writer.close();
        fs::copy_file(m_path, path, fs::copy_options::overwrite_existing);
        m_writer = data::StudyWriter::open(m_path);
        return data::StudyWriter::open(path);
    }

private:
    /// False if no block takes so few runs.
    bool suggested(std::size_t runs)
    {
        data::RefineStep step;
        step.runs = runs;
        step.surrogate = m_kind;
        step.context = m_context;
        try {
            return data::suggestStep(m_writer, step, {}).runs > 0;
        } catch (const Error &) {
            if (data::waitingJobs(m_writer) > 0)
                throw;
            return false;
        }
    }

    fs::path m_path;
    data::SurrogateKind m_kind;
    const AccuracyField &m_field;
    const ExecutionContext &m_context;
    data::StudyWriter m_writer;
};

void put(AccuracyRow &row, Contender contender, std::size_t runs, double error)
{
    row.runs[static_cast<std::size_t>(contender)] = runs;
    row.errors[static_cast<std::size_t>(contender)] = error;
}

/// Kriging of the runs on Leja points.
double krigingError(AdaptiveStudy &study, const AccuracyField &field, const fs::path &path,
                    const ExecutionContext &context)
{
    auto writer = study.copy(path);
    makeSurrogate(writer, data::SurrogateKind::kriging, context);
    return meanError(writer, field, context);
}

/// What an adaptive study has chosen, and what it has not.
void addAdaptive(AccuracyRow &row, AdaptiveStudy &study, const AccuracyField &field,
                 const fs::path &path, const ExecutionContext &context)
{
    auto writer = study.copy(path);
    makeSurrogate(writer, data::SurrogateKind::chosen, context);
    put(row, Contender::adaptive, study.runs(), meanError(writer, field, context));
    makeSurrogate(
        writer, writer.kriging(0) ? data::SurrogateKind::sparseGrid : data::SurrogateKind::kriging,
        context);
    row.otherKind = meanError(writer, field, context);
}

double spaceFillingError(const AccuracyField &field, std::size_t runs, const fs::path &path,
                         const ExecutionContext &context)
{
    const auto space = spaceOf(field, {}, 1);
    fs::remove(path);
    auto writer = newStudy(path, field, space, 1, data::StudyDesign::scattered);
    auto transaction = writer.transaction();
    for (const auto &place : data::firstPlaces(space, runs))
        writer.putHoldOut(writer.addTrainingRun(place), 0, resultAt(field, place));
    transaction.commit();
    makeSurrogate(writer, data::SurrogateKind::kriging, context);
    return meanError(writer, field, context);
}

} // namespace

std::vector<double> accuracyPlaces(const AccuracyField &field)
{
    return uniformPlaces(testPlaces, field.parameters, testSeed);
}

std::vector<AccuracyRow> measureAccuracy(const AccuracyField &field, const fs::path &folder,
                                         const AccuracyOptions &options)
{
    using data::SurrogateKind;
    using sparse::BoundaryTreatment;
    const auto &context = options.context;
    AdaptiveStudy cubic(folder / "cubic.gridhelm", field, SurrogateKind::sparseGrid,
                        BoundaryTreatment::clenshawCurtis, 3, context);
    AdaptiveStudy leja(folder / "leja.gridhelm", field, SurrogateKind::sparseGrid,
                       BoundaryTreatment::leja, 1, context);
    AdaptiveStudy adaptive(folder / "adaptive.gridhelm", field, SurrogateKind::chosen,
                           BoundaryTreatment::leja, 1, context);
    std::vector<AccuracyRow> rows;
    for (const auto runs : options.runs) {
        AccuracyRow row;
        row.wished = runs;
        cubic.grow(runs);
        put(row, Contender::clenshawCurtis, cubic.runs(), cubic.error());
        options.checkpoint();
        leja.grow(runs);
        put(row, Contender::leja, leja.runs(), leja.error());
        options.checkpoint();
        put(row, Contender::lejaKriging, leja.runs(),
            krigingError(leja, field, folder / "copy.gridhelm", context));
        options.checkpoint();
        adaptive.grow(runs);
        addAdaptive(row, adaptive, field, folder / "copy.gridhelm", context);
        options.checkpoint();
        put(row, Contender::spaceFilling, runs,
            spaceFillingError(field, runs, folder / "filling.gridhelm", context));
        options.checkpoint();
        rows.push_back(row);
    }
    return rows;
}

} // namespace gridhelm::bench
