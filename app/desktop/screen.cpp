// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/screen.h"

#include "core/support/clean_text.h"
#include "ui/scene/drawing/display.h"

#include <QByteArrayList>

#include <cstdio>
#include <unistd.h>

namespace gridhelm::desktop {
namespace {

constexpr std::chrono::seconds patience{10};
constexpr const char *otherWays = ": start it on a desktop, through xvfb-run, or use gridhelm-cli";

/// What follows "-name" or "--name", as Qt reads it; empty if it is not there.
QByteArray argumentOf(const char *name, int argc, char **argv)
{
    for (int i = 1; i < argc; ++i) {
        QByteArray argument = argv[i];
        if (argument == "--")
            break;
        if (argument.startsWith("--"))
            argument.remove(0, 1);
        if (argument == QByteArray("-") + name && i + 1 < argc)
            return argv[i + 1];
    }
    return {};
}

void endWithSentence(QtMsgType type, const QMessageLogContext &, const QString &)
{
    if (type != QtFatalMsg)
        return;
    const auto platform = QString::fromLocal8Bit(qgetenv("QT_QPA_PLATFORM"));
    complain("Qt has no screen of the kind " + platform + " (QT_QPA_PLATFORM)" + otherWays);
    _exit(1); // Qt would abort
}

} // namespace

QString problemOfScreen(int argc, char **argv)
{
    auto platform = argumentOf("platform", argc, argv);
    if (platform.isEmpty())
        platform = qgetenv("QT_QPA_PLATFORM");
    if (platform.split(';').constFirst().split(':').constFirst() != "xcb")
        return {};
    auto display = argumentOf("display", argc, argv);
    if (display.isEmpty())
        display = qgetenv("DISPLAY");
    if (display.isEmpty())
        return QString("there is no screen (DISPLAY is not set)") + otherWays;
    if (ui::canReachDisplay(display.toStdString(), patience))
        return {};
    return "the screen " + QString::fromLocal8Bit(display)
           + " (DISPLAY) cannot be reached, or lets nobody in" + otherWays;
}

EndsWithSentence::EndsWithSentence()
    : m_before(qInstallMessageHandler(endWithSentence))
{
}

EndsWithSentence::~EndsWithSentence()
{
    qInstallMessageHandler(m_before);
}

int complain(const QString &sentence)
{
    std::fprintf(stderr, "gridhelm: %s.\n", cleanLine(sentence.toStdString()).c_str());
    return 1;
}

} // namespace gridhelm::desktop
