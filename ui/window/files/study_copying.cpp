// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/files/study_copying.h"

#include "data/study/copy_study.h"
#include "ui/controls/message_bar.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QPointer>

#include <exception>

namespace gridhelm::ui {

StudyCopying::StudyCopying(MessageBar &messages, QObject *parent)
    : QObject(parent)
    , m_messages(messages)
{
}

StudyCopying::~StudyCopying() = default;

void StudyCopying::ask(QWidget &parent, const QString &study)
{
    const QFileInfo from(study);
    const auto proposed = from.dir().filePath(from.completeBaseName() + "-copy." + from.suffix());
    const auto copy = QFileDialog::getSaveFileName(&parent, "Save a copy of the study", proposed,
                                                   "Studies (*.gridhelm)");
    if (copy.isEmpty())
        return;
    // The dialog has asked whether that is to be replaced; the study itself never is.
    if (QFileInfo(copy) == from) {
        m_messages.say(MessageBar::Kind::error,
                       "A study cannot be copied onto itself: choose another name");
        return;
    }
    QFile::remove(copy);
    start(study, copy);
}

void StudyCopying::start(const QString &study, const QString &copy)
{
    if (m_thread) {
        m_messages.say(MessageBar::Kind::warning,
                       "A copy is being made already: wait until it is there");
        return;
    }
    m_messages.say(MessageBar::Kind::news, "Copying the study to " + copy);
    // The thread may outlive this object, and must not use it but on the thread of both.
    m_thread = std::make_unique<BackgroundThread>(
        [self = QPointer(this), study, copy](const std::stop_token &stop) {
            QString problem;
            try {
                data::copyStudy(QFile::encodeName(study).toStdString(),
                                QFile::encodeName(copy).toStdString(),
                                [&stop](auto, auto) { return !stop.stop_requested(); });
            } catch (const std::exception &error) {
                problem = QString::fromUtf8(error.what());
            }
            QMetaObject::invokeMethod(
                QCoreApplication::instance(),
                [self, copy, problem] {
                    if (self)
                        self->say(copy, problem);
                },
                Qt::QueuedConnection);
        });
}

void StudyCopying::say(const QString &copy, const QString &problem)
{
    m_thread.reset();
    if (problem.isEmpty())
        m_messages.say(MessageBar::Kind::news, "A copy of the study is in " + copy);
    else
        m_messages.say(MessageBar::Kind::error, problem);
    emit ended(problem);
}

} // namespace gridhelm::ui
