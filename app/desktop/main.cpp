// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/accelerators.h"
#include "app/desktop/ending_signals.h"
#include "app/desktop/screen.h"
#include "app/desktop/steering_bench.h"
#include "app/desktop/synthetic_study.h"
#include "app/desktop/tour.h"
#include "app/machine/machine_execution.h"
#include "app/machine/tuned_machine.h"
#include "core/support/brief_spinning.h"
#include "core/support/error.h"
#include "core/support/output_file.h"
#include "core/support/parse_numbers.h"
#include "core/support/temporary_folder.h"
#include "core/support/version.h"
#include "core/tuning/saved_tuning.h"
#include "ui/performance/backend_row.h"
#include "ui/performance/performance_panel.h"
#include "ui/viewer/scene_platform.h"
#include "ui/viewer/scene_widget.h"
#include "ui/window/main_window.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QIcon>
#include <QJsonDocument>
#include <QSettings>
#include <QTemporaryDir>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>
#include <string_view>

namespace {

using namespace gridhelm;

struct Options
{
    Options()
    {
        parser.setApplicationDescription("Steer precomputed simulations in real time. Without a "
                                         "study, the one that was open last.");
        parser.addHelpOption();
        parser.addVersionOption();
        parser.addPositionalArgument("study", "A study (.gridhelm) or a saved view", "[study]");
        synthetic.setFlags(QCommandLineOption::HiddenFromHelp); // for --bench-steer alone
        view.setFlags(QCommandLineOption::HiddenFromHelp);
        seconds.setFlags(QCommandLineOption::HiddenFromHelp);
        parser.addOptions({threads, backend, fresh, tour, bench, view, seconds, synthetic});
    }

    bool showsItself() const { return parser.isSet(tour) || parser.isSet(bench); }

    QCommandLineParser parser;
    const QCommandLineOption threads{
        "threads", "Threads that evaluate; 0: as chosen last, else one a core", "N", "0"};
    const QCommandLineOption backend{
        "backend", "What evaluates: auto, omp, cuda or reference; by default as chosen last",
        "NAME"};
    const QCommandLineOption fresh{"start-page", "Begin with the start page"};
    const QCommandLineOption tour{"tour", "Show what there is, save pictures of it, and end",
                                  "DIR"};
    const QCommandLineOption bench{
        "bench-steer", "Drag a slider for ten seconds, print how fast the view followed (JSON)"};
    QCommandLineOption seconds{"seconds", "How long --bench-steer drags", "SECONDS", "10"};
    QCommandLineOption view{"view", "The kind of view to measure with --bench-steer, or oblique",
                            "KIND"};
    QCommandLineOption synthetic{"synthetic",
                                 "Make STUDY, with SIDE^3 values of a formula, and end", "SIDE"};
};

void nameApplication()
{
    QCoreApplication::setOrganizationName("Gridhelm");
    QCoreApplication::setApplicationName("Gridhelm");
    QCoreApplication::setApplicationVersion(QString::fromUtf8(versionString()));
}

/// What needs no screen.
bool asksForText(int argc, char **argv)
{
    constexpr std::array<std::string_view, 5> asking{"-h", "--help", "--help-all", "-v",
                                                     "--version"};
    const auto *const end = std::find(argv + 1, argv + argc, std::string_view("--"));
    return std::any_of(argv + 1, argv + (end - argv), [&](const char *argument) {
        return std::ranges::find(asking, argument) != asking.end();
    });
}

/// Returns the exit code.
int runWindow(const Options &options, int threads)
{
    const auto &parser = options.parser;
    const desktop::EndingSignals endings;
    // What shows itself begins as a new user would, and leaves the user's settings alone.
    std::optional<QTemporaryDir> ownSettings;
    if (options.showsItself()) {
        if (!ownSettings.emplace().isValid())
            return desktop::complain("no folder can be made for temporary files ("
                                     + ownSettings->errorString()
                                     + "): set TMPDIR to one that "
                                       "may be written to");
        QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, ownSettings->path());
    }
    const auto context = app::withSavedTuning(app::machineContext(cpuWith(threads), "auto"));
    ui::MainWindow window(context, desktop::accelerators(context),
                          threads == 0 ? ui::Threads::asChosenLast : ui::Threads::ofContext);
    QObject::connect(&endings, &desktop::EndingSignals::endWanted, &window, [&window] {
        window.closeAtOnce(); // nobody may be there to be asked
        QApplication::quit();
    });
    if (parser.isSet(options.backend)) {
        try {
            window.performancePanel().backends().choose(parser.value(options.backend));
        } catch (const Error &problem) {
            return desktop::complain(problem.what());
        }
    }
    if (!options.showsItself())
        window.offerTour();
    window.show();
    const auto asked = std::chrono::steady_clock::now();
    if (!parser.positionalArguments().isEmpty())
        window.openFile(parser.positionalArguments().constFirst());
    else if (!parser.isSet(options.fresh))
        window.openLast();
    std::unique_ptr<desktop::SteeringBench> steering;
    if (parser.isSet(options.bench)) {
        if (parser.positionalArguments().isEmpty())
            return desktop::complain("--bench-steer needs a study");
        try {
            steering = std::make_unique<desktop::SteeringBench>(
                window, parseReal(parser.value(options.seconds).toStdString(), "--seconds"),
                parser.value(options.view), asked);
        } catch (const Error &problem) {
            return desktop::complain(problem.what());
        }
        QObject::connect(
            steering.get(), &desktop::SteeringBench::ended, [&](const QString &problem) {
                if (!problem.isEmpty()) {
                    QApplication::exit(desktop::complain(problem));
                    return;
                }
                std::fputs(QJsonDocument(steering->result()).toJson().constData(), stdout);
                QApplication::exit(0);
            });
        steering->start();
    }
    std::unique_ptr<desktop::Tour> guide;
    if (parser.isSet(options.tour)) {
        try {
            guide = std::make_unique<desktop::Tour>(window, parser.value(options.tour));
        } catch (const Error &problem) {
            return desktop::complain(problem.what());
        }
        QObject::connect(guide.get(), &desktop::Tour::ended, [&](const QString &problem) {
            for (const auto &picture : guide->pictures())
                std::printf("%s\n", qPrintable(picture));
            QApplication::exit(problem.isEmpty() ? 0 : desktop::complain(problem));
        });
        guide->start();
    }
    return QApplication::exec();
}

} // namespace

int main(int argc, char **argv)
{
    spinBriefly(argv);
    forgetMissingTemporaryFolders();
    outliveFileSizeLimits();
    Options options;
    if (asksForText(argc, argv)) {
        const QCoreApplication application(argc, argv);
        nameApplication();
        options.parser.process(application); // ends the program
    }
    ui::prepareForScenes();
    if (const auto problem = desktop::problemOfScreen(argc, argv); !problem.isEmpty())
        return desktop::complain(problem);
    std::optional<desktop::EndsWithSentence> starting;
    starting.emplace();
    QApplication application(argc, argv);
    starting.reset();
    nameApplication();
    QApplication::setDesktopFileName("gridhelm");
    QApplication::setWindowIcon(QIcon(":/gridhelm.png"));
    const auto &parser = options.parser;
    options.parser.process(application);

    bool isNumber = false;
    const int count = parser.value(options.threads).toInt(&isNumber);
    if (!isNumber || count < 0 || count > 1024)
        return desktop::complain("--threads must be a number from 0 (as chosen last) to 1024");
    if (!parser.isSet(options.synthetic))
        return runWindow(options, count);
    try {
        desktop::makeSyntheticStudy(parser.positionalArguments().value(0).toStdString(),
                                    parser.value(options.synthetic).toULong());
        return 0;
    } catch (const Error &problem) {
        return desktop::complain(problem.what());
    }
}
