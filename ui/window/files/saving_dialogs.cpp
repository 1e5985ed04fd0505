// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/files/saving_dialogs.h"

#include "ui/controls/message_bar.h"
#include "ui/window/files/picture_dialog.h"
#include "ui/window/views/view_area.h"
#include "ui/window/window_files.h"

#include <QClipboard>
#include <QFileDialog>
#include <QGuiApplication>
#include <QImage>

#include <exception>

namespace gridhelm::ui {

SavingDialogs::SavingDialogs(QWidget &parent, const SteeringModel &model, ViewArea &area,
                             MessageBar &messages)
    : m_parent(parent)
    , m_model(model)
    , m_area(area)
    , m_messages(messages)
{
}

void SavingDialogs::save(const QString &title, const QString &name, const QString &filter,
                         const QString &whatIsThere,
                         const std::function<void(const QString &path)> &write)
{
    auto path = QFileDialog::getSaveFileName(&m_parent, title, name, filter);
    if (path.isEmpty())
        return;
    try {
        write(path);
        m_messages.say(MessageBar::Kind::news, whatIsThere + " is in " + path);
    } catch (const std::exception &problem) {
        m_messages.say(MessageBar::Kind::error, QString::fromStdString(problem.what()));
    }
}

void SavingDialogs::savePicture()
{
    if (!m_picture) {
        m_picture = new PictureDialog(m_area.compared(), &m_parent);
        QObject::connect(m_picture, &PictureDialog::news, &m_messages,
                         [&messages = m_messages](const QString &sentence) {
                             messages.say(MessageBar::Kind::news, sentence);
                         });
    }
    m_picture->open();
}

void SavingDialogs::copyPicture()
{
    m_area.compared().takePicture(
        {}, [&messages = m_messages](const QImage &picture, const QString &problem) {
            if (picture.isNull()) {
                messages.say(MessageBar::Kind::error, problem);
                return;
            }
            QGuiApplication::clipboard()->setImage(picture);
            messages.say(MessageBar::Kind::news, "The picture is in the clipboard");
        });
}

void SavingDialogs::saveField()
{
    const auto frame = m_area.compared().steered().frame();
    if (!frame)
        return;
    const auto extension = fieldExtension(*frame);
    save("Export the field", "field" + extension, "VTK XML (*" + extension + ")", "The field",
         [&](const QString &path) { ui::saveField(*frame, path); });
}

void SavingDialogs::saveView()
{
    save("Save the view", QString("view") + viewSuffix, QString("Views (*%1)").arg(viewSuffix),
         "The view", [this](const QString &path) { ui::saveView(m_model, path, m_area.state()); });
}

} // namespace gridhelm::ui
