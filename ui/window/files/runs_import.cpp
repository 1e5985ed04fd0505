// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/files/runs_import.h"

#include "data/mesh/campaign_files.h"
#include "ui/campaign/scattered_dialog.h"
#include "ui/controls/message_bar.h"
#include "ui/window/main_window.h"

namespace gridhelm::ui {

void importRuns(MainWindow &window, const QStringList &tables)
{
    if (window.findChild<ScatteredDialog *>())
        return;
    auto *dialog = new ScatteredDialog(data::meshFilesThroughVtk(), &window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    QObject::connect(dialog, &ScatteredDialog::imported, &window, [&window](const TaskEnd &end) {
        window.openFile(end.study); // and forgets what was said before
        auto &messages = window.messages();
        if (!end.trouble.isEmpty())
            messages.say(MessageBar::Kind::warning, end.trouble);
        messages.say(MessageBar::Kind::news, end.sentence);
    });
    dialog->offer(tables);
    dialog->open();
}

} // namespace gridhelm::ui
