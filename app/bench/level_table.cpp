// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/level_table.h"

#include "app/bench/sample_studies.h"
#include "app/cli/study_steps.h"
#include "data/campaign/plan_cost.h"
#include "data/evaluate/hold_out.h"
#include "data/evaluate/hold_out_places.h"

namespace gridhelm::bench {
namespace {

ParameterSpace withBasis(const ParameterSpace &space, sparse::DimensionBasis basis)
{
    auto parameters = space.parameters();
    for (auto &parameter : parameters) {
        if (parameter.kind != ParameterKind::ordinary)
            continue;
        parameter.treatment = basis.treatment;
        parameter.degree = basis.degree;
    }
    return ParameterSpace(std::move(parameters));
}

LevelRow rowOf(const data::Study &study)
{
    LevelRow row;
    row.level = study.description().level;
    row.points = study.grid()->points();
    row.fileBytes = std::filesystem::file_size(study.path());
    for (const auto &summary : data::summarize(study.errorFigures())) {
        if (summary.field == 0 && summary.kind == data::ErrorKind::heldOut) {
            row.meanRelativeL2 = summary.meanRelativeL2;
            row.largestRelativeL2 = summary.largestRelativeL2;
        }
    }
    return row;
}

} // namespace

std::vector<LevelRow> levelTable(data::Plan plan, sparse::DimensionBasis basis,
                                 const std::filesystem::path &file,
                                 const LevelTableOptions &options)
{
    constexpr int coarsest = 2;
    auto &description = plan.description;
    description.space = withBasis(description.space, basis);
    description.level = coarsest;
    int finest = coarsest;
    while (data::costOf(plan, description.space, finest + 1).jobs <= options.maxJobs)
        ++finest;

    auto writer = data::StudyWriter::create(file, description);
    std::vector<LevelRow> rows;
    for (int level = coarsest; level <= finest; ++level) {
        if (level > coarsest)
            writer.growGrid(level, cli::levelCapsOf(description.space));
        cli::RunStep runs;
        runs.jobs = options.context.cpu().threads;
        requireNoFailure(cli::runStep(writer, runs));
        if (level == coarsest)
            requireNoFailure(
                cli::holdOutStep(writer,
                                 data::holdOutParameters(description.space, finest,
                                                         options.holdOuts, cli::holdOutSeed),
                                 options.context.cpu().threads));
        cli::CompressStep compression;
        compression.context = options.context;
        cli::compressStep(writer, compression);
        rows.push_back(rowOf(writer));
        // Not those of the study: where the growth of a time-like parameter's cap runs jobs again,
        // a new study need not.
        rows.back().jobs = data::costOf(plan, description.space, level).jobs;
    }
    return rows;
}

} // namespace gridhelm::bench
