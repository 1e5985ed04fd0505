// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/files/report_writing.h"

#include "core/support/output_file.h"
#include "data/answers/stoppable_model.h"
#include "data/mesh/place_samples.h"
#include "ui/answers/answers_panel.h"
#include "ui/answers/goal_page.h"
#include "ui/answers/match_page.h"
#include "ui/answers/states_page.h"
#include "ui/controls/message_bar.h"
#include "ui/steering/steering_model.h"
#include "ui/steering/study_facts.h"
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

ReportWriting::~ReportWriting()
{
    m_writing.cancel();
    const std::lock_guard wait(*m_drawing); // for a page, or what one makes of the text
}

void ReportWriting::ask(QWidget &parent)
{
    if (!m_model.study())
        return;
    const QFileInfo study(QString::fromStdString(m_model.study()->path.string()));
    auto *dialog = new QFileDialog(&parent, "Write a report", study.absolutePath(),
                                   "Pages (*.html);;PDF (*.pdf)");
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix("html");
    dialog->selectFile(study.completeBaseName() + ".html");
    // The name follows what was chosen, so that it is seen, and asked whether it is to be replaced.
    connect(dialog, &QFileDialog::filterSelected, dialog, [dialog](const QString &filter) {
        dialog->setDefaultSuffix(filter.startsWith("PDF") ? "pdf" : "html");
        auto named = dialog->selectedFiles().value(0);
        for (const QString suffix : {".html", ".pdf"}) {
            if (named.endsWith(suffix, Qt::CaseInsensitive))
                named.chop(suffix.size());
        }
        if (!QFileInfo(named).isDir())
            dialog->selectFile(named + "." + dialog->defaultSuffix());
    });
    connect(dialog, &QFileDialog::fileSelected, this, &ReportWriting::start);
    dialog->open();
}

data::ReportQuestion ReportWriting::question() const
{
    const auto &now = m_model.now().parameters;
    const auto &space = m_model.study()->parameters;
    data::ReportQuestion question{now, m_answers.states()->named(),
                                  data::howToMeasure(m_model.study()->outlook)};
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
    add("Optimization", m_answers.goal()->found());
    add("Calibration", m_answers.match()->found());
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
    takeViews(m_area, [self = QPointer(this), page,
                       study = m_model.study()](const std::vector<ViewPicture> &views) {
        // The last view may have answered because the window is going: then nothing comes any more.
        if (self)
            QMetaObject::invokeMethod(
                self, [self, page, study, views] { self->write(page, study, views); },
                Qt::QueuedConnection);
    });
}

void ReportWriting::write(const QString &page, const std::shared_ptr<const StudyFacts> &study,
                          const std::vector<ViewPicture> &views)
{
    m_isTaking = false;
    if (!m_model.study() || m_model.study()->path != study->path) {
        m_messages.say(MessageBar::Kind::warning,
                       "No report was written: its study was closed while the views were drawn");
        return;
    }
    m_writing.start([this, page, views, path = study->path, question = question(),
                     findings = findings(), drawing = m_drawing](const std::stop_token &stop) {
        const auto file = QFile::encodeName(page).toStdString();
        const bool isPdf = page.endsWith(".pdf", Qt::CaseInsensitive);
        // Whatever the dialog has asked: studies are not replaced.
        if (isPdf)
            requireReportPdf(page);
        else
            data::requireReportFile(file);
        const auto read = data::Study::open(path);
        // One core: what the user does meanwhile goes first.
        auto report = data::studyReport(
            read, question, [&read] { return data::samplesOf(read); },
            ExecutionContext(CpuDevice{1}), stop);
        report.findings = findings;
        const std::lock_guard lock(*drawing);
        for (const auto &[image, caption] : views) {
            data::requireGoingOn(stop);
            report.pictures.push_back({encodedPicture(image), caption.toStdString()});
        }
        data::requireGoingOn(stop);
        if (isPdf)
            writeReportPdf(data::reportPage(report), page, stop);
        else
            writeTextFile(file, data::reportPage(report));
        return [this, page] { m_messages.say(MessageBar::Kind::news, "The report is in " + page); };
    });
}

} // namespace gridhelm::ui
