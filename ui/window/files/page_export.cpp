// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/files/page_export.h"

#include "core/support/bytes_text.h"
#include "core/support/output_file.h"
#include "data/campaign/study_outlook.h"
#include "data/mesh/page_of_study.h"
#include "ui/controls/message_bar.h"
#include "ui/steering/steering_model.h"
#include "ui/steering/study_facts.h"

#include <QFile>
#include <QFileDialog>
#include <QFileInfo>

namespace gridhelm::ui {

PageExport::PageExport(const SteeringModel &model, MessageBar &messages, QObject *parent)
    : QObject(parent)
    , m_model(model)
    , m_messages(messages)
{
    connect(&m_writing, &BackgroundAnswer::failed, this,
            [this](const QString &sentence) { m_messages.say(MessageBar::Kind::error, sentence); });
}

PageExport::~PageExport()
{
    m_writing.cancel();
}

void PageExport::ask(QWidget &parent)
{
    if (!m_model.study())
        return;
    const QFileInfo study(QString::fromStdString(m_model.study()->path.string()));
    auto *dialog = new QFileDialog(&parent, "Export an interactive page", study.absolutePath(),
                                   "Pages (*.html)");
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix("html");
    dialog->selectFile(study.completeBaseName() + ".html");
    connect(dialog, &QFileDialog::fileSelected, this, &PageExport::start);
    dialog->open();
}

void PageExport::start(const QString &page)
{
    if (m_writing.isRunning()) {
        m_messages.say(MessageBar::Kind::warning,
                       "A page is being written already: wait until it is there");
        return;
    }
    m_messages.say(MessageBar::Kind::news, "Writing an interactive page to " + page);
    data::PageQuestion question{.place = m_model.now().parameters,
                                .remedy = data::howToMeasure(m_model.study()->outlook)};
    // One core: what the user does meanwhile goes first.
    question.options.context = ExecutionContext(CpuDevice{1});
    m_writing.start(
        [this, page, question, path = m_model.study()->path](const std::stop_token &stop) mutable {
            const auto file = QFile::encodeName(page).toStdString();
            data::requirePageFile(file);
            question.options.stop = stop;
            const auto made = data::pageOfStudy(path, question);
            writeTextFile(file, made.html);
            const auto size = bytesText(static_cast<double>(made.html.size()));
            return [this, page, size] {
                m_messages.say(MessageBar::Kind::news,
                               QString("The page is in %1 (%2): any browser opens it")
                                   .arg(page, QString::fromStdString(size)));
            };
        });
}

} // namespace gridhelm::ui
