// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/files/report_writing.h"

#include "core/support/output_file.h"
#include "data/answers/study_report.h"
#include "data/mesh/place_samples.h"
#include "ui/controls/message_bar.h"
#include "ui/steering/steering_model.h"

#include <QFile>
#include <QFileDialog>
#include <QFileInfo>

namespace gridhelm::ui {

ReportWriting::ReportWriting(const SteeringModel &model, MessageBar &messages, QObject *parent)
    : QObject(parent)
    , m_model(model)
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
        "Pages (*.html)");
    if (!page.isEmpty())
        start(page);
}

void ReportWriting::start(const QString &page)
{
    if (m_writing.isRunning()) {
        m_messages.say(MessageBar::Kind::warning,
                       "A report is being written already: wait until it is there");
        return;
    }
    m_messages.say(MessageBar::Kind::news, "Writing a report to " + page);
    m_writing.start([this, page, path = m_model.study()->path,
                     place = m_model.now().parameters](const std::stop_token &stop) {
        const auto file = QFile::encodeName(page).toStdString();
        data::requireReportFile(file); // whatever the dialog has asked: studies are not replaced
        const auto study = data::Study::open(path);
        // One core: what the user does meanwhile goes first.
        const auto report = data::studyReport(
            study, place, [&study] { return data::samplesOf(study); },
            ExecutionContext(CpuDevice{1}), stop);
        writeTextFile(file, data::reportPage(report));
        return [this, page] { m_messages.say(MessageBar::Kind::news, "The report is in " + page); };
    });
}

} // namespace gridhelm::ui
