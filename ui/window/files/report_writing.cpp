// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/files/report_writing.h"

#include "core/support/output_file.h"
#include "data/mesh/place_samples.h"
#include "ui/answers/answers_panel.h"
#include "ui/answers/goal_page.h"
#include "ui/answers/match_page.h"
#include "ui/answers/states_page.h"
#include "ui/controls/message_bar.h"
#include "ui/steering/steering_model.h"
#include "ui/window/files/report_pdf.h"
#include "ui/window/files/report_pictures.h"

#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QPointer>

#include <algorithm>

namespace gridhelm::ui {

ReportWriting::ReportWriting(const SteeringModel &model, ViewArea &area,
                             const AnswersPanel &answers, MessageBar &messages, QObject *parent)
    : QObject(parent)
    , m_model(model)
    , m_area(area)
    , m_answers(answers)
    , m_messages(messages)
{
    connect(&m_writing, &BackgroundAnswer::failed, this,
            [this](const QString &sentence) { m_messages.say(MessageBar::Kind::error, sentence); });
}

void ReportWriting::ask(QWidget &parent)
{
    if (!m_model.study())
        return;
    const QFileInfo study(QString::fromStdString(m_model.study()->path.string()));
    const auto page = QFileDialog::getSaveFileName(
        &parent, "Write a report", study.dir().filePath(study.completeBaseName() + ".html"),
        "Pages (*.html);;PDF (*.pdf)");
    if (!page.isEmpty())
        start(page);
}

data::ReportQuestion ReportWriting::question() const
{
    const auto &now = m_model.now().parameters;
    const auto &space = m_model.study()->parameters;
    data::ReportQuestion question{now, m_answers.states()->named()};
    // For a moment they may be another study's.
    std::erase_if(question.states, [&](const data::RunPlace &state) {
        return state.parameters.size() != now.size();
    });
    for (auto &state : question.states)
        for (std::size_t t = 0; t < now.size(); ++t) // round-off must not leave the ranges
            state.parameters[t] = std::clamp(state.parameters[t], space[t].low, space[t].high);
    return question;
}

std::vector<std::string> ReportWriting::findings() const
{
    std::vector<std::string> findings;
    const auto add = [&findings](const QString &what, const QString &found) {
        if (!found.isEmpty())
            findings.push_back((what + ": " + QString(found).replace('\n', "; ")).toStdString());
    };
    add("Goal", m_answers.goal()->found());
    add("Match", m_answers.match()->found());
    return findings;
}

void ReportWriting::start(const QString &page)
{
    if (m_isTaking || m_writing.isRunning()) {
        m_messages.say(MessageBar::Kind::warning,
                       "A report is being written already: wait until it is there");
        return;
    }
    m_messages.say(MessageBar::Kind::news, "Writing a report to " + page);
    m_isTaking = true;
    takeViews(m_area, [self = QPointer(this), page](const std::vector<ViewPicture> &views) {
        if (!self)
            return;
        self->m_isTaking = false;
        if (self->m_model.study())
            self->write(page, views);
    });
}

void ReportWriting::write(const QString &page, const std::vector<ViewPicture> &views)
{
    m_writing.start([this, page, views, path = m_model.study()->path, question = question(),
                     findings = findings()](const std::stop_token &stop) {
        const auto file = QFile::encodeName(page).toStdString();
        const bool isPdf = page.endsWith(".pdf", Qt::CaseInsensitive);
        // Whatever the dialog has asked: studies are not replaced.
        if (isPdf)
            requireReportPdf(page);
        else
            data::requireReportFile(file);
        const auto study = data::Study::open(path);
        // One core: what the user does meanwhile goes first.
        auto report = data::studyReport(
            study, question, [&study] { return data::samplesOf(study); },
            ExecutionContext(CpuDevice{1}), stop);
        report.findings = findings;
        for (const auto &[image, caption] : views)
            report.pictures.push_back({encodedPicture(image), caption.toStdString()});
        if (isPdf)
            writeReportPdf(data::reportPage(report), page);
        else
            writeTextFile(file, data::reportPage(report));
        return [this, page] { m_messages.say(MessageBar::Kind::news, "The report is in " + page); };
    });
}

} // namespace gridhelm::ui
