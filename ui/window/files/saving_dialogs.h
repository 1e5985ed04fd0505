// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QString>

#include <functional>

class QWidget;

namespace gridhelm::ui {

class MessageBar;
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

    /// Of all views side by side.
    void savePicture();
    /// Of the main view, without its background.
    void saveTransparentPicture();
    void saveField();
    /// What is steered, and how it is looked at.
    void saveView();

private:
    void saveSoon(const QImage &picture);
    /// Nothing if the user names no file.
    void save(const QString &title, const QString &name, const QString &filter,
              const QString &whatIsThere, const std::function<void(const QString &path)> &write);

    QWidget &m_parent;
    const SteeringModel &m_model;
    ViewArea &m_area;
    MessageBar &m_messages;
};

} // namespace gridhelm::ui
