// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/study_steps.h"

#include "app/cli/interrupted.h"
#include "app/cli/interruption.h"
#include "app/cli/progress_line.h"
#include "app/cli/study_console.h"

#include <fmt/format.h>

namespace gridhelm::cli {

namespace {

/// Makes a step until it has ended, or Ctrl-C has ended it.
template <typename Step>
auto onTerminal(Step step)
{
    const Interruption interruption; // before any other thread
    ProgressLine line;
    data::StepControl control;
    control.files = meshFiles();
    control.stop = interruption.token();
    control.progress = [&line](const data::StepProgress &progress) {
        if (line.isDue())
            line.show(data::progressText(progress));
    };
    return step(control);
}

[[noreturn]] void endInterrupted(data::StudyWriter &writer, const std::string &sentence)
{
    writer.close();
    throw Interrupted(sentence);
}

std::string interruptedCompressing(const data::Study &study)
{
    return "Interrupted: the study is in order; go on with: gridhelm-cli compress "
           + shellText(study.path());
}

} // namespace

data::CampaignReport runStep(data::StudyWriter &writer, const RunStep &step)
{
    const auto report =
        onTerminal([&](const auto &control) { return data::runStep(writer, step, control); });
    if (report.cancelled)
        endInterrupted(
            writer,
            fmt::format("Interrupted: {} went well before, the study is in order; go on with: "
                        "gridhelm-cli run {}",
                        countText(report.done, "job"), shellText(writer.path())));
    return report;
}

data::CampaignReport holdOutStep(data::StudyWriter &writer,
                                 const std::vector<std::vector<double>> &parameters, int threads)
{
    const auto report = onTerminal([&](const auto &control) {
        return data::holdOutStep(writer, parameters, threads, control);
    });
    if (report.cancelled)
        endInterrupted(writer, interruptedCompressing(writer));
    return report;
}

CompressStepReport compressStep(data::StudyWriter &writer, const CompressStep &step)
{
    const auto report =
        onTerminal([&](const auto &control) { return data::compressStep(writer, step, control); });
    if (report.cancelled)
        endInterrupted(writer, interruptedCompressing(writer));
    return report;
}

data::ImportReport importStep(data::StudyWriter &writer, const ImportStep &step)
{
    const auto report =
        onTerminal([&](const auto &control) { return data::importStep(writer, step, control); });
    if (report.cancelled)
        endInterrupted(writer, "Interrupted: what was imported before is in the study; call the "
                               "same command again to go on");
    return report;
}

} // namespace gridhelm::cli
