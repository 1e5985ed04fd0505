// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the panel Probe shows, as files and on the clipboard.
#include "tests/ui/panel_case.h"
#include "tests/ui/probe_case.h"
#include "ui/probe/curves_page.h"
#include "ui/probe/probe_csv.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QFile>
#include <QGuiApplication>
#include <QImage>
#include <QMenu>
#include <QToolButton>
#include <QTreeWidget>

#include <vector>

using namespace gridhelm;
using namespace gridhelm::ui;
using namespace gridhelm::test;

namespace {

/// Of the menu of the button with this name.
QAction *saveAction(const ProbePanel &panel, const QString &name, const QString &what)
{
    return entry(*named<QToolButton>(panel, name)->menu(), what);
}

} // namespace

class ProbeExportsTest : public ScreenTest
{
    Q_OBJECT

private slots:
    void savedTablesHaveWhatIsShown();
    void savedPlotsAreLinesAndLetters();
    void picturesAndNumbersGoToTheClipboard();
};

void ProbeExportsTest::savedTablesHaveWhatIsShown()
{
    const Folder folder;
    const auto path = makeStudy(folder);
    ProbedWindow open(path);
    QVERIFY(open.isOpen());
    QVERIFY(open.click(0.45, 0.4));
    const auto node = open.panel().answer()->fields[0]->entity.number;
    const auto check = [&](const std::vector<std::vector<std::string>> &lines, std::size_t first) {
        QCOMPARE(lines[0][first], std::string("Re"));
        QCOMPARE(lines[0][first + 1], std::string("lid (m/s)"));
        QCOMPARE(lines[0][first + 2], std::string("t (s)"));
        QCOMPARE(lines[0][first + 3], std::string("u (m/s)"));
        for (std::size_t i = 1; i < lines.size(); i += 17) {
            std::vector<double> at;
            for (std::size_t t = 0; t < 3; ++t)
                at.push_back(std::stod(lines[i][first + t]));
            QVERIFY(isNear(std::stod(lines[i][first + 3]),
                           static_cast<double>(wholeField(path, 0, at)[node])));
        }
    };
    auto &panel = open.panel();
    saveBy(saveAction(panel, "Save the curves", "CSV"), inside(folder, "curves.csv"));
    auto lines = csvIn(inside(folder, "curves.csv"));
    std::size_t rows = 1;
    for (const auto &curve : panel.answer()->curves)
        rows += curve.at.size();
    QCOMPARE(lines.size(), rows);
    check(lines, 1);
    QCOMPARE(lines[1][0], std::string("Re"));
    QCOMPARE(lines.back()[0], std::string("t"));

    saveBy(saveAction(panel, "Save the curves", "PNG"), inside(folder, "curves.png"));
    const QImage picture(inside(folder, "curves.png"));
    QCOMPARE(picture.width(), 2 * panel.curves()->plots()[0]->width());
    QVERIFY(picture.height() > 2 * 3 * 100);

    // One of them, by the menu under the mouse.
    auto &plot = *panel.curves()->plots()[2];
    QContextMenuEvent event(QContextMenuEvent::Mouse, plot.rect().center(),
                            plot.mapToGlobal(plot.rect().center()));
    QApplication::sendEvent(&plot, &event);
    auto *menu = plot.findChild<QMenu *>();
    QVERIFY(menu && menu->isVisible());
    menu->hide();
    saveBy(entry(*menu, "CSV"), inside(folder, "one.csv"));
    QCOMPARE(csvIn(inside(folder, "one.csv")).size(), panel.answer()->curves[2].at.size() + 1);

    open.showPage(1);
    QVERIFY(open.waitForMap());
    saveBy(saveAction(panel, "Save the map", "CSV"), inside(folder, "map.csv"));
    lines = csvIn(inside(folder, "map.csv"));
    QCOMPARE(lines.size(), panel.answer()->map->values.size() + 1);
    lines.resize(500);
    check(lines, 0);
    saveBy(saveAction(panel, "Save the map", "PNG"), inside(folder, "map.png"));
    QVERIFY(!QImage(inside(folder, "map.png")).isNull());

    QVERIFY(open.dragLine(placeIn(open.view(), 0.35, 0.4), placeIn(open.view(), 0.55, 0.5)));
    saveBy(saveAction(panel, "Save the line", "CSV"), inside(folder, "line.csv"));
    lines = csvIn(inside(folder, "line.csv"));
    const auto &line = *panel.answer()->line;
    QCOMPARE(lines.size(), line.values.size() + 1);
    QCOMPARE(lines[0][0], std::string("arc_length"));
    for (std::size_t i = 0; i < line.values.size(); ++i) {
        QCOMPARE(std::stod(lines[i + 1][0]), line.lengths[i]);
        QCOMPARE(std::stof(lines[i + 1].back()), line.values[i]);
    }
    QVERIFY(open.sentences().join(' ').contains("is written"));
    open.window->messages().clear();
    saveBy(saveAction(panel, "Save the line", "CSV"), "/nowhere/at/all.csv");
    QVERIFY(!QFile::exists("/nowhere/at/all.csv"));
    QVERIFY2(open.sentences().join(' ').contains("/nowhere/at"),
             qPrintable(open.sentences().join(' ')));
}

void ProbeExportsTest::savedPlotsAreLinesAndLetters()
{
    const Folder folder;
    ProbedWindow open(makeStudy(folder));
    QVERIFY(open.isOpen());
    QVERIFY(open.click(0.45, 0.4));
    auto &panel = open.panel();
    for (const std::string ending : {"svg", "pdf"}) {
        const auto what = QString::fromStdString(ending).toUpper();
        const auto curves = inside(folder, "curves." + ending);
        saveBy(saveAction(panel, "Save the curves", what), curves);
        QCOMPARE(problemOfVectors(curves), QString());
        saveBy(saveAction(panel, "Save the curves", what), "/nowhere/at/all." + what.toLower());
        QVERIFY(open.sentences().join(' ').contains("/nowhere/at"));
        open.window->messages().clear();
    }
    QFile svg(inside(folder, "curves.svg"));
    QVERIFY(svg.open(QIODevice::ReadOnly));
    const auto text = QString::fromUtf8(svg.readAll());
    QVERIFY(text.contains(">Re<") || text.contains(">Re ")); // letters
    QVERIFY(QFile(inside(folder, "curves.svg")).size() < 2'000'000);
    QVERIFY(open.dragLine(placeIn(open.view(), 0.35, 0.4), placeIn(open.view(), 0.55, 0.5)));
    saveBy(saveAction(panel, "Save the line", "SVG"), inside(folder, "line.svg"));
    QCOMPARE(problemOfVectors(inside(folder, "line.svg")), QString());
}

void ProbeExportsTest::picturesAndNumbersGoToTheClipboard()
{
    const Folder folder;
    ProbedWindow open(makeStudy(folder));
    QVERIFY(open.isOpen());
    QVERIFY(open.click(0.45, 0.4));
    auto &panel = open.panel();
    auto &clipboard = *QGuiApplication::clipboard();
    clipboard.clear();
    saveAction(panel, "Save the curves", "Copy the picture")->trigger();
    QCOMPARE(clipboard.image().width(), 2 * panel.curves()->plots()[0]->width());
    saveAction(panel, "Save the curves", "Copy the numbers")->trigger();
    saveBy(saveAction(panel, "Save the curves", "CSV"), inside(folder, "curves.csv"));
    const auto lines = clipboard.text().split('\n', Qt::SkipEmptyParts);
    const auto saved = csvIn(inside(folder, "curves.csv"));
    QCOMPARE(lines.size(), static_cast<qsizetype>(saved.size()));
    for (std::size_t i = 0; i < saved.size(); ++i) {
        QStringList cells;
        for (const auto &cell : saved[i])
            cells << QString::fromStdString(cell);
        QCOMPARE(lines[static_cast<qsizetype>(i)], cells.join('\t'));
    }

    // The values at the place: a row for each field and each component.
    auto &values = *panel.findChild<ValueTree *>();
    values.setFocus();
    QTest::keyClick(&values, Qt::Key_C, Qt::ControlModifier);
    const auto rows = clipboard.text().split('\n', Qt::SkipEmptyParts);
    QCOMPARE(rows.size(), 1 + 1 + 3); // header, u, v with x and y
    QCOMPARE(rows[0], QString("Field\tValue\tUnit"));
    QCOMPARE(rows[1], "u\t" + values.topLevelItem(0)->text(ValueTree::valueColumn) + "\tm/s");
    QVERIFY(rows[2].startsWith("v, magnitude") || rows[2].startsWith("\"v, magnitude\""));
}

GRIDHELM_SCREEN_TEST(ProbeExportsTest)

#include "tst_probe_exports.moc"
