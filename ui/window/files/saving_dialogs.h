// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointer>
#include <QString>

#include <functional>

class QWidget;

namespace gridhelm::ui {

class MessageBar;
class PictureDialog;
class SteeringModel;
class ViewArea;

/// Ends the names of files that hold a view's state.
inline constexpr auto viewSuffix = ".gridhelm-view";

/// Asks where to write what is seen, writes it, and says where it is, or what went wrong.
class SavingDialogs
{
public:
    /// `parent` of the dialogs. All must outlive it.
    SavingDialogs(QWidget &parent, const SteeringModel &model, ViewArea &area,
                  MessageBar &messages);

    /// Of all views side by side, in any size; see PictureDialog.
    void savePicture();
    /// The same as it is in the window, to the clipboard.
    void copyPicture();
    void saveField();
    /// What is steered, and how it is looked at.
    void saveView();

private:
    /// Nothing if the user names no file.
    void save(const QString &title, const QString &name, const QString &filter,
              const QString &whatIsThere, const std::function<void(const QString &path)> &write);

    QWidget &m_parent;
    const SteeringModel &m_model;
    ViewArea &m_area;
    MessageBar &m_messages;
    QPointer<PictureDialog> m_picture; ///< null before it is needed for the first time
};

} // namespace gridhelm::ui
