// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/campaign/stop_question.h"

#include "ui/controls/plain_text.h"

#include <QPushButton>

namespace gridhelm::ui {
namespace {

struct Wording
{
    const char *question;
    const char *loss; ///< what is kept, and what is not
    const char *stop = "Stop and close";
};

Wording wordingOf(Work work)
{
    switch (work) {
    case Work::create:
    case Work::importRuns:
        return {"A study is being made. Stop, and close the window?",
                "If it is stopped now, there will be no study."};
    case Work::run:
        return {
            "Jobs are running. Stop them, and close the window?",
            "Finished results are kept in the study. Jobs that are running now are stopped, and "
            "start over with the next Run.",
            "Stop the jobs and close"};
    case Work::compress:
        return {"The study is being compressed. Stop, and close the window?",
                "What is finished is kept in the study. The next Compress goes on from there."};
    case Work::compact:
        return {"The study is being compacted. Stop, and close the window?",
                "If it is stopped now, the study stays as it was before."};
    case Work::grow:
        return {"A level is being added. Stop, and close the window?",
                "If it is stopped now, the study stays as it was before."};
    case Work::refine:
        return {"The study is being refined. Stop, and close the window?",
                "Finished results are kept in the study, and so are the points that were chosen: "
                "Refine goes on from there.",
                "Stop refining and close"};
    case Work::import:
        return {"Files are being imported. Stop, and close the window?",
                "Files that were imported are kept in the study. Import the same table again to go "
                "on."};
    }
    return {};
}

} // namespace

StopQuestion::StopQuestion(Work work, const QString &progress, QWidget *parent)
    : QMessageBox(parent)
{
    const auto wording = wordingOf(work);
    setObjectName("stopQuestion");
    setIcon(Question);
    setWindowTitle("Close the window?");
    setTextFormat(Qt::PlainText);
    setText(wording.question);
    // A file may have any name.
    setInformativeText("<p>" + cleanLine(progress).toHtmlEscaped() + "</p><p>"
                       + QString(wording.loss) + "</p>");
    addButton(wording.stop, AcceptRole)->setObjectName("stopAndClose");
    auto *keep = addButton("Keep running", RejectRole);
    keep->setObjectName("keepRunning");
    setDefaultButton(keep);
    setEscapeButton(keep);
}

} // namespace gridhelm::ui
