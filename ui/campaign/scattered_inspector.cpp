// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/campaign/scattered_inspector.h"

#include "ui/machine/problem_sentence.h"

#include <exception>
#include <utility>

namespace gridhelm::ui {
namespace {

constexpr LatestRequestWorker::Key ofFiles{0, 0}, ofChecks{1, 0};
constexpr auto tooLarge = "Memory ran out with this table: take a smaller one";

} // namespace

void ScatteredInspector::read(const QString &table)
{
    m_worker.startOver(); // nobody waits for what is said of another one
    m_worker.request(ofFiles, [this, table] {
        try {
            auto file = std::make_shared<ScatteredFile>();
            file->path = table;
            file->cells = data::readScatteredTable(table.toStdString());
            auto guessed = data::scatteredRoles(
                file->cells, {}, std::filesystem::path(table.toStdString()).parent_path());
            file->roles = std::move(guessed.roles);
            file->notes = std::move(guessed.notes);
            for (std::size_t c = 0; c < file->cells.columns().size(); ++c) {
                file->ranges.push_back(data::rangeIn(file->cells, c));
                file->scales.push_back(data::recognisedScale(file->cells, c));
            }
            m_worker.deliver(ofFiles, [this, file] { emit fileRead(file); });
        } catch (const std::exception &problem) {
            const auto sentence = sentenceOf(problem, tooLarge);
            m_worker.deliver(ofFiles,
                             [this, table, sentence] { emit unreadable(table, sentence); });
        }
    });
}

void ScatteredInspector::check(const std::shared_ptr<const ScatteredFile> &file,
                               const data::ScatteredReading &reading)
{
    m_worker.startOver();
    m_worker.request(ofChecks, [this, file, reading] {
        std::vector<data::ColumnProblem> problems;
        try {
            problems = data::scatteredProblems(file->cells, reading);
        } catch (const std::exception &problem) {
            problems = {{std::nullopt, sentenceOf(problem, tooLarge).toStdString()}};
        }
        m_worker.deliver(ofChecks, [this, problems] { emit checked(problems); });
    });
}

} // namespace gridhelm::ui
