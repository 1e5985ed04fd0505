// SPDX-License-Identifier: GPL-3.0-or-later
//
// Runs that exist already, from the folder that is dropped on the window to the picture.
#include "tests/core/on_cpu.h"
#include "tests/data/scattered_cases.h"
#include "tests/ui/window_case.h"
#include "ui/campaign/scattered_dialog.h"
#include "ui/steering/study_range.h"
#include "ui/trust/trust_panel.h"
#include "ui/window/palette/window_commands.h"

#include <QAction>
#include <QComboBox>
#include <QDropEvent>
#include <QLabel>
#include <QMimeData>
#include <QPointer>
#include <QPushButton>
#include <QUrl>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

using namespace gridhelm;
using namespace gridhelm::test;
using namespace gridhelm::ui;

namespace {

/// A field of 5 x 5 points as ParaView reads it.
std::string imageFile(double a, double b)
{
    std::string values;
    for (int y = 0; y < 5; ++y)
        for (int x = 0; x < 5; ++x)
            values += fmt::format("{} ", std::sin(a * x) + b * y);
    return "<VTKFile type=\"ImageData\" version=\"0.1\"><ImageData WholeExtent=\"0 4 0 4 0 0\" "
           "Origin=\"0 0 0\" Spacing=\"1 1 1\"><Piece Extent=\"0 4 0 4 0 0\"><PointData>"
           "<DataArray type=\"Float32\" Name=\"heat\" format=\"ascii\">"
           + values + "</DataArray></PointData></Piece></ImageData></VTKFile>\n";
}

struct Run
{
    double a, b;
};

std::vector<Run> allRuns()
{
    std::vector<Run> runs;
    for (int i = 0; i < 12; ++i)
        runs.push_back({0.1 + 0.4 * std::fmod(0.5 + 0.7548776662 * i, 1.0),
                        std::fmod(0.5 + 0.5698402910 * i, 1.0)});
    return runs;
}

/// The smallest and the largest value in any of the files.
std::pair<double, double> rangeOfRuns()
{
    float low = std::numeric_limits<float>::max(), high = std::numeric_limits<float>::lowest();
    for (const auto &[a, b] : allRuns())
        for (int y = 0; y < 5; ++y)
            for (int x = 0; x < 5; ++x) {
                const auto value = static_cast<float>(std::sin(a * x) + b * y);
                low = std::min(low, value);
                high = std::max(high, value);
            }
    return {low, high};
}

/// Twelve runs with a table of them, in a folder of their own.
std::filesystem::path writeRuns(const Folder &folder)
{
    const auto runs = folder / "ensemble";
    std::filesystem::create_directory(runs);
    std::string csv = "a,b,file\n";
    for (int i = 0; i < 12; ++i) {
        const auto [a, b] = allRuns()[static_cast<std::size_t>(i)];
        writeText(runs / fmt::format("{}.vti", i), imageFile(a, b));
        csv += fmt::format("{},{},{}.vti\n", a, b, i);
    }
    writeText(runs / "runs.csv", csv);
    return runs;
}

bool drop(MainWindow &window, const std::filesystem::path &path)
{
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(QString::fromStdString(path.string()))});
    QDragEnterEvent enter({40, 40}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&window, &enter);
    QDropEvent drop({40, 40}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&window, &drop);
    return enter.isAccepted() && drop.isAccepted();
}

/// What somebody in front of the screen would see.
QString stateOf(MainWindow &window, const QWidget *dialog)
{
    QStringList seen{window.hasStudy() ? "a study is open" : "no study is open"};
    if (dialog) {
        seen << "the dialog is open";
        for (const auto *label : dialog->findChildren<QLabel *>())
            seen << label->text();
        for (const auto *button : dialog->findChildren<QPushButton *>())
            seen << button->text() + (button->isEnabled() ? " (enabled)" : " (disabled)");
    }
    return (seen + window.messages().sentences() + window.messages().errors()).join(" | ");
}

} // namespace

class ImportRunsTest : public ScreenTest
{
    Q_OBJECT

private slots:
    void aFolderThatIsDroppedBecomesAPictureAndItsErrorIsSaid();
    void aFolderWithoutATableIsRefused();
    void aFolderThatIsNamedIsImportedToo();
    void ofSeveralTablesOneIsChosen();
    void theMenuAndThePaletteHaveIt();
};

void ImportRunsTest::aFolderThatIsDroppedBecomesAPictureAndItsErrorIsSaid()
{
    const Folder folder;
    const auto runs = writeRuns(folder);
    MainWindow window(onCpu(1));
    window.show();
    QVERIFY(drop(window, runs));
    const QPointer dialog = window.findChild<ScatteredDialog *>();
    QVERIFY(dialog && dialog->isVisible());
    auto *import = dialog->findChild<QPushButton *>("import");
    QTRY_VERIFY_WITH_TIMEOUT(import->isEnabled(), waitMilliseconds);
    QTest::mouseClick(import, Qt::LeftButton);
    const auto isShown = [&] { return window.hasStudy() && window.view().frame(); };
    QVERIFY2(QTest::qWaitFor(isShown, waitMilliseconds), qPrintable(stateOf(window, dialog)));
    QTRY_VERIFY_WITH_TIMEOUT(!dialog, waitMilliseconds);
    QCOMPARE(window.model().study()->parameters.parameters().size(), std::size_t{2});
    const auto sentences = window.messages().sentences();
    QVERIFY2(!sentences.isEmpty()
                 && sentences.last().startsWith("12 runs imported; accuracy: heat: "),
             qPrintable(sentences.join(" | ")));
    QVERIFY(window.messages().errors().isEmpty());
    QVERIFY(std::filesystem::exists(runs / "runs.gridhelm"));
    // Colours of the whole study are those of all runs, not of one state.
    std::optional<ValueRange> range;
    StudyRange search(sparse::makeOmpBackend(onCpu()));
    connect(&search, &StudyRange::found, &search, [&](ValueRange found, double share) {
        if (share >= 1)
            range = found;
    });
    search.follow(window.model().study(), window.model().now());
    QVERIFY(QTest::qWaitFor([&] { return range.has_value(); }, waitMilliseconds));
    const auto [low, high] = rangeOfRuns();
    const double round = 0.2 * (high - low); // ends are round numbers
    QVERIFY(range->low <= low && range->low >= low - round);
    QVERIFY(range->high >= high && range->high <= high + round);
    const auto trust = window.trustPanel().summary();
    QVERIFY2(trust.contains("Evaluated by kriging of ") && trust.contains(" from 12 runs"),
             qPrintable(trust));

    QVERIFY(drop(window, runs / "runs.gridhelm")); // a study is opened as before
    QVERIFY(!window.findChild<ScatteredDialog *>());
}

void ImportRunsTest::aFolderWithoutATableIsRefused()
{
    const Folder folder;
    std::filesystem::create_directory(folder / "empty");
    MainWindow window(onCpu(1));
    window.show();
    QVERIFY(drop(window, folder / "empty"));
    QVERIFY(!window.findChild<ScatteredDialog *>());
    const auto errors = window.messages().errors();
    QVERIFY2(errors.size() == 1 && errors[0].contains("put a CSV file there"),
             qPrintable(errors.join(" | ")));
}

/// As by "gridhelm ensemble".
void ImportRunsTest::aFolderThatIsNamedIsImportedToo()
{
    const Folder folder;
    MainWindow window(onCpu(1));
    window.show();
    window.openFile(QString::fromStdString(writeRuns(folder).string()));
    const auto *dialog = window.findChild<ScatteredDialog *>();
    QVERIFY(dialog && dialog->isVisible());
}

void ImportRunsTest::ofSeveralTablesOneIsChosen()
{
    const Folder folder;
    const auto runs = writeRuns(folder);
    writeText(runs / "another.csv", "a,drag\n1,2\n2,3\n3,5\n");
    MainWindow window(onCpu(1));
    window.show();
    QVERIFY(drop(window, runs));
    auto *dialog = window.findChild<ScatteredDialog *>();
    QVERIFY(dialog);
    QCOMPARE(dialog->findChild<QComboBox *>("tables")->count(), 3);
    QVERIFY(!dialog->findChild<QPushButton *>("import")->isEnabled());
}

void ImportRunsTest::theMenuAndThePaletteHaveIt()
{
    MainWindow window(onCpu(1));
    window.show();
    QVERIFY(std::ranges::any_of(commandsOf(window), [](const Command &command) {
        return command.text.contains("Import runs");
    }));
    window.findChild<QAction *>("importRuns")->trigger();
    auto *dialog = window.findChild<ScatteredDialog *>();
    QVERIFY(dialog && dialog->isVisible());
    window.findChild<QAction *>("importRuns")->trigger();
    QCOMPARE(window.findChildren<ScatteredDialog *>().size(), 1);
    QTest::mouseClick(dialog->findChild<QPushButton *>("cancel"), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(!window.findChild<ScatteredDialog *>(), waitMilliseconds);
}

GRIDHELM_SCREEN_TEST(ImportRunsTest)

#include "tst_import_runs.moc"
