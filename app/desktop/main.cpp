// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/accelerators.h"
#include "app/desktop/steering_bench.h"
#include "app/desktop/synthetic_study.h"
#include "app/desktop/tour.h"
#include "core/support/brief_spinning.h"
#include "core/support/error.h"
#include "core/support/version.h"
#include "ui/controls/message_bar.h"
#include "ui/viewer/scene_widget.h"
#include "ui/window/main_window.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QIcon>
#include <QJsonDocument>
#include <QMetaObject>
#include <QPointer>
#include <QSettings>
#include <QTemporaryDir>

#include <cstdio>
#include <memory>

namespace {

/// Returns the exit code for it.
int complain(const QString &sentence)
{
    std::fprintf(stderr, "gridhelm: %s.\n", qPrintable(sentence));
    return 1;
}

} // namespace

int main(int argc, char **argv)
{
    using namespace gridhelm;
    spinBriefly(argv);
    ui::prepareForScenes();
    if (!ui::hasDisplay())
        return complain("there is no screen (DISPLAY is not set): start it on a desktop, through "
                        "xvfb-run, or use gridhelm-cli");
    QApplication application(argc, argv);
    QApplication::setOrganizationName("Gridhelm");
    QApplication::setApplicationName("Gridhelm");
    QApplication::setApplicationVersion(QString::fromStdString(std::string(versionString())));

    QApplication::setDesktopFileName("gridhelm");
    QApplication::setWindowIcon(QIcon(":/gridhelm.png"));

    QCommandLineParser parser;
    parser.setApplicationDescription(
        "Steer precomputed simulations in real time. Without a study, the one that was open last.");
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addPositionalArgument("study", "A study (.gridhelm) or a saved view", "[study]");
    const QCommandLineOption threads(
        "threads", "Threads that evaluate; 0: as chosen last, else one a core", "N", "0");
    const QCommandLineOption fresh("start-page", "Begin with the start page");
    const QCommandLineOption tour("tour", "Show what there is, save pictures of it, and end",
                                  "DIR");
    const QCommandLineOption bench(
        "bench-steer", "Drag a slider for ten seconds, print how fast the view followed (JSON)");
    QCommandLineOption synthetic("synthetic",
                                 "Make STUDY, with SIDE^3 values of a formula, and end", "SIDE");
    synthetic.setFlags(QCommandLineOption::HiddenFromHelp); // for --bench-steer alone
    parser.addOptions({threads, fresh, tour, bench, synthetic});
    parser.process(application);

    bool isNumber = false;
    const int count = parser.value(threads).toInt(&isNumber);
    if (!isNumber || count < 0 || count > 1024)
        return complain("--threads must be a number from 0 (as chosen last) to 1024");

    if (parser.isSet(synthetic)) {
        try {
            desktop::makeSyntheticStudy(parser.positionalArguments().value(0).toStdString(),
                                        parser.value(synthetic).toULong());
            return 0;
        } catch (const Error &problem) {
            return complain(problem.what());
        }
    }

    // What shows itself begins as a new user would, and leaves the user's settings alone.
    const QTemporaryDir ownSettings;
    if (parser.isSet(tour) || parser.isSet(bench))
        QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, ownSettings.path());
    QPointer<ui::MainWindow> shown;
    const auto say = [&shown](const std::string &sentence) {
        QMetaObject::invokeMethod(
            qApp,
            [&shown, text = QString::fromStdString(sentence)] {
                if (shown)
                    shown->messages().say(ui::MessageBar::Kind::news, text);
            },
            Qt::QueuedConnection);
    };
    ui::MainWindow window(count, desktop::accelerators(say));
    shown = &window;
    window.show();
    if (!parser.positionalArguments().isEmpty())
        window.openFile(parser.positionalArguments().constFirst());
    else if (!parser.isSet(fresh))
        window.openLast();
    std::unique_ptr<desktop::SteeringBench> steering;
    if (parser.isSet(bench)) {
        if (parser.positionalArguments().isEmpty())
            return complain("--bench-steer needs a study");
        constexpr double benchSeconds = 10;
        steering = std::make_unique<desktop::SteeringBench>(window, benchSeconds);
        QObject::connect(
            steering.get(), &desktop::SteeringBench::ended, [&](const QString &problem) {
                if (!problem.isEmpty()) {
                    QApplication::exit(complain(problem));
                    return;
                }
                std::fputs(QJsonDocument(steering->result()).toJson().constData(), stdout);
                QApplication::exit(0);
            });
        steering->start();
    }
    std::unique_ptr<desktop::Tour> guide;
    if (parser.isSet(tour)) {
        try {
            guide = std::make_unique<desktop::Tour>(window, parser.value(tour));
        } catch (const Error &problem) {
            return complain(problem.what());
        }
        QObject::connect(guide.get(), &desktop::Tour::ended, [&](const QString &problem) {
            for (const auto &picture : guide->pictures())
                std::printf("%s\n", qPrintable(picture));
            QApplication::exit(problem.isEmpty() ? 0 : complain(problem));
        });
        guide->start();
    }
    return QApplication::exec();
}
