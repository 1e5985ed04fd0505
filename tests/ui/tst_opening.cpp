// SPDX-License-Identifier: GPL-3.0-or-later
//
// Files are opened one after the other: a bad one leaves the good one, and a new one begins anew.
#include "tests/data/hostile_files.h"
#include "tests/data/study_contents.h"
#include "tests/ui/window_case.h"
#include "ui/campaign/campaign_panel.h"
#include "ui/window/files/recent_files.h"

#include <QLabel>
#include <QStatusBar>

#include <algorithm>

using namespace gridhelm;
using namespace gridhelm::test;
using namespace gridhelm::ui;

namespace {

QString statusOf(const MainWindow &window)
{
    QStringList said;
    for (const auto *label : window.statusBar()->findChildren<QLabel *>())
        said << label->text();
    return said.join(' ');
}

} // namespace

class OpeningTest : public ScreenTest
{
    Q_OBJECT

private slots:
    void aBadFileLeavesTheGoodOneOpen_data();
    void aBadFileLeavesTheGoodOneOpen();
};

void OpeningTest::aBadFileLeavesTheGoodOneOpen_data()
{
    QTest::addColumn<QString>("file");
    for (const auto *name :
         {"missing.gridhelm", "foreign.gridhelm", "cut.gridhelm", "damaged.gridhelm",
          "empty.gridhelm", "odd.gridhelm-view", "lost.gridhelm-view"})
        QTest::newRow(name) << name;
}

void OpeningTest::aBadFileLeavesTheGoodOneOpen()
{
    QFETCH(QString, file);
    const Folder folder;
    const auto path = makeStudy(folder);
    auto bytes = bytesOf(path);
    writeBytes(folder / "foreign.gridhelm", std::vector<char>(5000, 'x'));
    writeBytes(folder / "cut.gridhelm", {bytes.begin(), bytes.begin() + 10'000});
    std::fill(bytes.begin() + 200, bytes.begin() + 20'000, 'x');
    writeBytes(folder / "damaged.gridhelm", bytes);
    newStudy(folder / "empty.gridhelm").close();
    writeBytes(folder / "odd.gridhelm-view", std::vector<char>(100, '{'));
    const std::string lost = R"({"kind": "gridhelm view", "study": "gone.gridhelm"})";
    writeBytes(folder / "lost.gridhelm-view", {lost.begin(), lost.end()});

    OpenWindow open(path);
    QVERIFY(open.isOpen());
    open.clickSlider(0, 0.3);
    QVERIFY(open.waitForFrame());
    const auto before = open.model().now();
    const auto title = open.window->windowTitle();
    const auto recent = recentFiles();
    open.window->openFile(inside(folder, file.toStdString()));
    open.clickSlider(0, 0.6); // while it is being opened
    QTRY_VERIFY_WITH_TIMEOUT(!open.sentences().isEmpty(), waitMilliseconds);
    QCOMPARE(open.sentences().size(), 1);
    QVERIFY2(open.sentences().first().size() > 20, qPrintable(open.sentences().first()));

    QVERIFY(open.waitForFrame()); // of what was clicked meanwhile
    QVERIFY(open.model().now().parameters != before.parameters);
    QVERIFY(open.window->view().isVisible());
    QCOMPARE(open.window->windowTitle(), title);
    QCOMPARE(open.window->campaignPanel().study(), QString::fromStdString(path.string()));
    QCOMPARE(recentFiles(), recent);
    QTRY_VERIFY_WITH_TIMEOUT(statusOf(*open.window).contains("u (m/s):"), waitMilliseconds);
    open.clickSlider(0, 0.8);
    QVERIFY(open.waitForFrame());
    QCOMPARE(open.frame().values, fieldAt(path, 0, open.model().now().parameters));
    // It is followed as before, as the same study.
    const auto parameters = open.model().now().parameters;
    const auto facts = open.model().study();
    auto writer = data::StudyWriter::open(path);
    writer.growGrid(5, std::vector{5, 2, 5});
    writer.close();
    QTRY_VERIFY_WITH_TIMEOUT(open.model().study() != facts, waitMilliseconds);
    QCOMPARE(open.model().now().parameters, parameters);
}

int main(int argc, char **argv)
{
    return runOnScreen<OpeningTest>(argc, argv);
}

#include "tst_opening.moc"
