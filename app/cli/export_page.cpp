// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/export_page.h"

#include "app/cli/answer_study.h"
#include "app/cli/execution.h"
#include "app/cli/interrupted.h"
#include "app/cli/interruption.h"
#include "app/cli/next_step.h"
#include "app/cli/output.h"
#include "app/cli/progress_line.h"
#include "app/cli/study_console.h"
#include "core/support/bytes_text.h"
#include "core/support/clean_text.h"
#include "core/support/error.h"
#include "core/support/lowered.h"
#include "core/support/output_file.h"
#include "core/support/parse_numbers.h"
#include "data/mesh/page_of_study.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <string_view>
#include <utility>

namespace gridhelm::cli {
namespace {

/// "5MB", "800 kB", "2000000".
std::size_t parseSize(const std::string &typed)
{
    const auto text = lowered(std::string(trimmed(typed)));
    double unit = 1;
    auto number = std::string_view(text);
    for (const auto &[name, bytes] : {std::pair{"kb", 1e3}, {"mb", 1e6}, {"gb", 1e9}})
        if (number.ends_with(name)) {
            number.remove_suffix(2);
            unit = bytes;
            break;
        }
    const double size = unit * parseReal(trimmed(number), "--max-size");
    if (!(size >= 1 && size <= 1e12))
        throw Error(fmt::format("--max-size cannot be {}: choose a size like 800kB or 5MB", typed));
    return static_cast<std::size_t>(size);
}

/// What is the same for all studies.
data::PageQuestion questionOf(const GlobalOptions &global, const PageOptions &options,
                              const Interruption &interruption)
{
    data::PageQuestion question{.fields = options.fields};
    if (!options.error.empty()) {
        question.options.error = parseShare(options.error, "--error");
        if (!(*question.options.error > 0 && *question.options.error < 1))
            throw Error(fmt::format("--error cannot be {}: choose more than 0 and less than 100 %",
                                    options.error));
    }
    question.options.context = answersContext(global);
    question.options.stop = interruption.token();
    return question;
}

data::InteractivePage pageOf(const std::string &study, const data::PageQuestion &question,
                             const Interruption &interruption)
{
    try {
        return data::pageOfStudy(study, question);
    } catch (const Error &) {
        if (interruption.happened())
            throw Interrupted("Interrupted: nothing was written; export again");
        throw;
    }
}

nlohmann::json pageJson(const std::string &study, const data::InteractivePage &page)
{
    nlohmann::json fields = nlohmann::json::array();
    for (const auto &field : page.fields)
        fields.push_back({{"name", field.name},
                          {"modes", field.modes},
                          {"added_relative_l2", field.relativeL2},
                          {"added_maximum", field.largest}});
    return {{"study", study},
            {"points", page.points},
            {"fields", fields},
            {"reduction", page.reduction},
            {"notes", page.notes}};
}

std::string pageText(const data::InteractivePage &page)
{
    std::string text;
    for (const auto &field : page.fields)
        text += fmt::format("{:<13} {} modes; at most {:.2g} % off the study's values (relative "
                            "L2), {:.2g} at a single one\n",
                            field.name, field.modes, 100 * field.relativeL2, field.largest);
    if (!page.reduction.empty())
        text += page.reduction + "\n";
    for (const auto &note : page.notes)
        text += note + "\n";
    return text;
}

} // namespace

void exportPage(const GlobalOptions &global, const PageOptions &options)
{
    const Interruption interruption;
    for (const auto &study : options.studies)
        requireOtherFile(options.output, {study});
    if (options.overwrite)
        requireWritable(options.output);
    else
        data::requirePageFile(options.output);
    std::vector<std::string> pages;
    nlohmann::json studies = nlohmann::json::array();
    std::string said;
    const auto shared = questionOf(global, options, interruption);
    const auto most = options.maxSize.empty() ? 0 : parseSize(options.maxSize);
    for (const auto &path : options.studies) {
        ProgressLine progress;
        progress.show("reading " + cleanLine(path));
        auto question = shared;
        if (most > 0) { // what the others have left, or will need
            const bool isAlone = options.studies.size() == 1;
            const auto taken = isAlone ? 0 : data::galleryPage(pages).size();
            const auto open = options.studies.size() - pages.size();
            constexpr std::size_t ofFrame = 12000; // escapes of its script, and what is around it
            question.options.mostBytes = (most > taken ? most - taken : 0) / open;
            if (!isAlone)
                *question.options.mostBytes -=
                    std::min<std::size_t>(*question.options.mostBytes, ofFrame);
        }
        {
            const auto study = openStudy(path);
            const auto space = data::answerSpace(study);
            if (!options.at.empty())
                question.place = space.parse(options.at, space.fromUnit(std::vector<double>(
                                                             space.parameters().size(), 0.5)));
            question.remedy = howToMeasure(study);
        }
        const auto page = pageOf(path, question, interruption);
        progress.clear();
        pages.push_back(page.html);
        studies.push_back(pageJson(path, page));
        said += pageText(page);
    }
    const auto html = pages.size() == 1 ? pages.front() : data::galleryPage(pages);
    writeText(options.output, html);
    if (global.json) {
        auto document =
            studies.size() == 1 ? studies.front() : nlohmann::json{{"studies", studies}};
        document["file"] = options.output;
        document["bytes"] = html.size();
        document["execution"] = executionJson(global, ComputedOn::cpu());
        printJson(document);
        return;
    }
    printText(fmt::format("wrote {} ({}): open it in any browser\n{}", options.output,
                          bytesText(static_cast<double>(html.size())), said));
}

} // namespace gridhelm::cli
