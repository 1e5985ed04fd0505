// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/tour.h"
#include "core/support/brief_spinning.h"
#include "core/support/error.h"
#include "core/support/system_info.h"
#include "core/support/version.h"
#include "ui/viewer/scene_widget.h"
#include "ui/window/main_window.h"

#include <QApplication>
#include <QCommandLineParser>

#include <cstdio>
#include <memory>

int main(int argc, char **argv)
{
    using namespace gridhelm;
    spinBriefly(argv);
    ui::prepareForScenes();
    if (!ui::hasDisplay()) {
        std::fputs("gridhelm: there is no screen (DISPLAY is not set): start it on a desktop, "
                   "through xvfb-run, or use gridhelm-cli.\n",
                   stderr);
        return 1;
    }
    QApplication application(argc, argv);
    QApplication::setOrganizationName("Gridhelm");
    QApplication::setApplicationName("Gridhelm");
    QApplication::setApplicationVersion(QString::fromStdString(std::string(versionString())));

    QCommandLineParser parser;
    parser.setApplicationDescription(
        "Steer precomputed simulations in real time. Without a study, the one that was open last.");
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addPositionalArgument("study", "A study (.gridhelm) or a saved view", "[study]");
    const QCommandLineOption threads("threads", "Threads that evaluate; 0: one a core", "N", "0");
    const QCommandLineOption fresh("start-page", "Begin with the start page");
    const QCommandLineOption tour("tour", "Show what there is, save pictures of it, and end",
                                  "DIR");
    parser.addOptions({threads, fresh, tour});
    parser.process(application);

    bool isNumber = false;
    int count = parser.value(threads).toInt(&isNumber);
    if (!isNumber || count < 0 || count > 1024) {
        std::fputs("gridhelm: --threads must be a number from 0 (one a core) to 1024.\n", stderr);
        return 1;
    }
    if (count == 0)
        count = querySystemInfo().threadCount;

    ui::MainWindow window(count);
    window.show();
    if (!parser.positionalArguments().isEmpty())
        window.openFile(parser.positionalArguments().constFirst());
    else if (!parser.isSet(fresh))
        window.openLast();
    std::unique_ptr<desktop::Tour> guide;
    if (parser.isSet(tour)) {
        try {
            guide = std::make_unique<desktop::Tour>(window, parser.value(tour));
        } catch (const Error &problem) {
            std::fprintf(stderr, "gridhelm: %s.\n", problem.what());
            return 1;
        }
        QObject::connect(guide.get(), &desktop::Tour::ended, [&](const QString &problem) {
            for (const auto &picture : guide->pictures())
                std::printf("%s\n", qPrintable(picture));
            if (!problem.isEmpty())
                std::fprintf(stderr, "gridhelm: %s.\n", qPrintable(problem));
            QApplication::exit(problem.isEmpty() ? 0 : 1);
        });
        guide->start();
    }
    return QApplication::exec();
}
