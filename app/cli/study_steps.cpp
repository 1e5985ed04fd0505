// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/study_steps.h"

#include "app/cli/execution.h"
#include "app/cli/interrupted.h"
#include "app/cli/interruption.h"
#include "app/cli/output.h"
#include "app/cli/progress_line.h"
#include "app/cli/study_console.h"
#include "core/support/parse_numbers.h"
#include "data/campaign/submitted_jobs.h"
#include "data/campaign/trust_store.h"

#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <unistd.h>

namespace gridhelm::cli {

namespace {

/// Makes a step until it has ended, or Ctrl-C has ended it. The rest: see StepControl.
template <typename Step>
auto onTerminal(Step step, const std::string &on = {}, const std::string &trusted = {},
                const std::string &takeOver = {})
{
    const Interruption interruption; // before any other thread
    ProgressLine line;
    data::StepControl control;
    control.files = meshFiles();
    control.stop = interruption.token();
    control.on = on;
    control.trusted = trusted;
    control.takeOver = takeOver;
    control.say = [&line](const std::string &sentence) {
        line.clear();
        printNote(sentence);
    };
    control.progress = [&line](const data::StepProgress &progress) {
        if (line.isDue())
            line.show(data::progressText(progress));
    };
    return step(control);
}

bool isAnsweredYes()
{
    std::string answer;
    for (int c = std::fgetc(stdin); c != EOF && c != '\n'; c = std::fgetc(stdin))
        answer += static_cast<char>(c);
    return answer == "y" || answer == "Y" || answer == "yes";
}

bool mayAsk(const RunChoice &choice)
{
    return choice.mayAsk && ::isatty(STDIN_FILENO) != 0 && ::isatty(STDERR_FILENO) != 0;
}

void remember(const std::string &digest)
{
    try {
        data::TrustStore().trust(digest);
    } catch (const Error &error) {
        printNote(error.what());
    }
}

/// Shows what would be executed, and waits for an answer.
bool isAgreedTo(const data::Execution &execution, const std::string &study)
{
    printMessage(fmt::format("{} was not made on this machine, or its templates have changed. Its "
                             "plan wants to execute, as you:\n\n{}\nDo you trust that? [y/N] ",
                             study, data::executionText(execution)));
    return isAnsweredYes();
}

/// The digest that the user has agreed to, who takes up what another copy of the study has
/// submitted, and remembers it; throws if that is not so.
std::string takenOver(const data::CopiedStudy &copied, const RunChoice &choice)
{
    if (!choice.takesOver) {
        if (!mayAsk(choice))
            throw Error(std::string("Nothing was run: ") + copied.what()
                        + " (the same command with --take-over)");
        printMessage(std::string(copied.what()) + ".\nTake up what was submitted there? [y/N] ");
        if (!isAnsweredYes())
            throw Error("Nothing was run, for another copy of the study may wait for what it has "
                        "submitted; go on with that copy");
    }
    remember(copied.digest());
    return copied.digest();
}

/// Returns the digest that the user has agreed to, and remembers it; throws if that is not so.
std::string agreedDigest(const data::Execution &execution, const RunChoice &choice,
                         const data::Study &study)
{
    const auto name = shellText(study.path());
    if (!choice.agreed) {
        if (!mayAsk(choice))
            throw Error("Nothing was run, for the plan of " + name
                        + " executes a command that you have not agreed to on this machine; look "
                          "at it with: gridhelm-cli info "
                        + name + " --plan, then agree with the same command and --trust");
        if (!isAgreedTo(execution, name))
            throw Error("Nothing was run, for you do not trust the command of " + name
                        + "; let the study follow a plan of yours with: gridhelm-cli plan "
                          "FILE.toml --update "
                        + name);
    }
    const auto digest = execution.digest();
    remember(digest);
    return digest;
}

/// The same for a step that may execute a command. What it has to be asked for, and in which order,
/// depends on the study: a question at a time.
template <typename Step>
auto onTerminal(Step step, const data::Study &study, const RunChoice &choice)
{
    std::string trusted, takeOver;
    while (true) {
        std::shared_ptr<const data::Execution> unknown;
        std::optional<data::CopiedStudy> copied;
        try {
            return onTerminal(step, choice.on, trusted, takeOver);
        } catch (const data::UntrustedExecution &error) {
            unknown = error.execution();
        } catch (const data::CopiedStudy &error) {
            copied = error;
        }
        if (copied)
            takeOver = takenOver(*copied, choice);
        else
            trusted = agreedDigest(*unknown, choice, study);
    }
}

[[noreturn]] void endInterrupted(data::StudyWriter &writer, const std::string &sentence)
{
    closeStudy(writer);
    throw Interrupted(sentence);
}

std::string interruptedCompressing(const data::Study &study)
{
    return "Interrupted: the study is in order; go on with: gridhelm-cli compress "
           + shellText(study.path());
}

} // namespace

data::CampaignReport runStep(data::StudyWriter &writer, const RunStep &step,
                             const RunChoice &choice)
{
    const auto report = onTerminal(
        [&](const auto &control) { return data::runStep(writer, step, control); }, writer, choice);
    const bool hasJobs = writer.description().design == data::StudyDesign::grid;
    if (report.cancelled)
        endInterrupted(
            writer,
            fmt::format("Interrupted: {} done before, the study is in order; {}go on with: "
                        "gridhelm-cli run {}",
                        countText(report.done, hasJobs ? "job" : "run"),
                        report.goOn > 0 ? countText(report.goOn, "job") + " on the cluster "
                                              + (report.goOn == 1 ? "goes" : "go")
                                              + " on meanwhile, and will be taken up again; "
                                        : "",
                        shellText(writer.path())));
    return report;
}

data::CampaignReport holdOutStep(data::StudyWriter &writer,
                                 const std::vector<std::vector<double>> &parameters, int jobs)
{
    const auto report = onTerminal(
        [&](const auto &control) { return data::holdOutStep(writer, parameters, jobs, control); });
    if (report.cancelled)
        endInterrupted(writer, interruptedCompressing(writer));
    return report;
}

CompressStepReport compressStep(data::StudyWriter &writer, const CompressStep &step,
                                const RunChoice &choice)
{
    const auto report =
        onTerminal([&](const auto &control) { return data::compressStep(writer, step, control); },
                   writer, choice);
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

data::RefineReport refineStep(data::StudyWriter &writer, const data::RefineStep &step,
                              const RunChoice &choice)
{
    const auto report =
        onTerminal([&](const auto &control) { return data::refineStep(writer, step, control); },
                   writer, choice);
    if (report.end == data::RefineEnd::cancelled)
        endInterrupted(writer,
                       fmt::format("Interrupted: {} done before, the study is in order; the same "
                                   "command goes on",
                                   countText(report.runs, "run")));
    return report;
}

data::SuggestReport suggestStep(data::StudyWriter &writer, const data::RefineStep &step)
{
    const auto report =
        onTerminal([&](const auto &control) { return data::suggestStep(writer, step, control); });
    if (report.cancelled)
        endInterrupted(writer, "Interrupted: nothing was suggested, the study is in order; call "
                               "the same command again");
    return report;
}

int jobsAtATime(const GlobalOptions &global, const std::string &text)
{
    const int jobs = parseInteger(text, "--jobs");
    if (jobs < 0 || jobs > 1024)
        throw Error("--jobs cannot be " + text + "; choose 1 to 1024, or 0 for one a core");
    return jobs == 0 ? threadCount(global) : jobs;
}

data::ScatteredReport scatteredStep(const data::ScatteredStep &step)
{
    auto report =
        onTerminal([&](const auto &control) { return data::scatteredStep(step, control); });
    if (report.cancelled)
        throw Interrupted("Interrupted: no study was made; call the same command again");
    return report;
}

} // namespace gridhelm::cli
