// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/help/about_dialog.h"

#include "core/support/system_info.h"
#include "core/support/version.h"
#include "ui/controls/plain_text.h"
#include "ui/viewer/graphics_info.h"

#include <QApplication>
#include <QClipboard>
#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPointer>
#include <QPushButton>
#include <QSysInfo>
#include <QVBoxLayout>

#include <qcustomplot.h>

#include <string_view>

namespace gridhelm::ui {
namespace {

QString fromView(std::string_view from)
{
    return QString::fromUtf8(from.data(), static_cast<qsizetype>(from.size()));
}

/// "Name: value", one below the other.
QString aboutText(const QStringList &gpus, const QString &renderer, const QString &log)
{
    const auto system = querySystemInfo();
    constexpr double gibibyte = 1024.0 * 1024.0 * 1024.0;
    QStringList lines{
        "Gridhelm " + fromView(versionString()) + ", commit " + fromView(commitString()),
        "Licence: GNU General Public License, version 3 or later; no warranty",
        "Libraries: Qt " + QString(qVersion()) + ", VTK " + vtkVersion() + ", QCustomPlot "
            + QCUSTOMPLOT_VERSION_STR + ", " + QStringLiteral(GRIDHELM_LIBRARIES),
        "System: " + QSysInfo::prettyProductName() + ", " + QSysInfo::kernelType() + " "
            + QSysInfo::kernelVersion() + ", " + QGuiApplication::platformName(),
        QString("CPU: %1, %2 threads, %3 GiB of memory")
            .arg(QString::fromStdString(system.cpuName))
            .arg(system.threadCount)
            .arg(static_cast<double>(system.physicalMemoryBytes) / gibibyte, 0, 'f', 1),
        "GPU: " + gpus.join("; "),
        "OpenGL: " + renderer,
    };
    if (!log.isEmpty())
        lines = QStringList{"What I did:", "", "What I expected, and what happened:", ""} + lines
                + QStringList{"", "Messages:", log};
    return lines.join('\n');
}

} // namespace

AboutDialog::AboutDialog(const QStringList &gpus, const QString &log, QWidget *parent)
    : QDialog(parent)
    , m_text(new QPlainTextEdit(this))
{
    setWindowTitle(log.isEmpty() ? "About Gridhelm" : "Report a problem");
    setObjectName("about");
    auto *head = new QHBoxLayout;
    auto *picture = new QLabel(this);
    constexpr int side = 64;
    picture->setPixmap(QApplication::windowIcon().pixmap(side, side));
    auto *what = new PlainLabel(
        log.isEmpty() ? "Gridhelm " + fromView(versionString())
                            + "\nSteers precomputed simulations in real time."
                      : QString("Say what you did and what happened, look through the rest (it has "
                                "names of your files), copy it, and send it to where you have the "
                                "program from. Nothing is sent from here."),
        this);
    what->setWordWrap(true);
    head->addWidget(picture);
    head->addWidget(what, 1);
    m_text->setReadOnly(log.isEmpty());
    m_text->setAccessibleName("About this program");
    m_text->setToolTip("What a report of a problem should have with it");
    m_text->setPlainText(aboutText(gpus, "asking ...", log));
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    buttons->button(QDialogButtonBox::Close)->setToolTip("Closes this (Esc)");
    auto *copy = buttons->addButton("&Copy", QDialogButtonBox::ActionRole);
    copy->setToolTip("Copies the text, to be pasted into a report");
    connect(copy, &QPushButton::clicked, this,
            [this] { QGuiApplication::clipboard()->setText(text()); });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
    auto *layout = new QVBoxLayout(this);
    layout->addLayout(head);
    layout->addWidget(m_text, 1);
    layout->addWidget(buttons);
    resize(620, 340);
    // Views may keep alive what answers, longer than this is there.
    m_asked = askForRenderer([text = QPointer(m_text)](const QString &renderer) {
        if (text) // in which somebody may be writing
            text->setPlainText(text->toPlainText().replace("asking ...", renderer));
    });
}

QString AboutDialog::text() const
{
    return m_text->toPlainText();
}

} // namespace gridhelm::ui
