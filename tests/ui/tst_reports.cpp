// SPDX-License-Identifier: GPL-3.0-or-later
//
// The report of the menu: what it shows, as a page and as a PDF, and what may happen meanwhile.
#include "core/support/error.h"
#include "core/support/html_page.h"
#include "data/answers/study_report.h"
#include "data/page/interactive_page.h"
#include "tests/ui/answers_case.h"
#include "tests/ui/panel_case.h"
#include "tests/ui/window_case.h"
#include "ui/answers/goal_page.h"
#include "ui/answers/match_page.h"
#include "ui/viewer/scene_widget.h"
#include "ui/window/files/page_export.h"
#include "ui/window/files/report_document.h"
#include "ui/window/files/report_pdf.h"
#include "ui/window/files/report_pictures.h"
#include "ui/window/views/view_area.h"

#include <QDockWidget>
#include <QPlainTextEdit>
#include <QUrl>

#include <stop_token>

using namespace gridhelm;
using namespace gridhelm::ui;
using namespace gridhelm::test;

class ReportsTest : public ScreenTest
{
    Q_OBJECT

private slots:
    void theMenuWritesAReport();
    void theMenuExportsAPage();
    void aReportShowsWhatIsSeenAndFound();
    void aReportTellsTheBestFit();
    void aReportMayBeAPdf();
    void theNameFollowsWhatIsChosen();
    void pdfsWithLongTitlesMayBeReplaced();
    void picturesOfAPdfAreDrawnWithTheirPage();
    void aPdfThatIsStoppedIsNotThere();
    void theWindowMayCloseMeanwhile_data();
    void theWindowMayCloseMeanwhile();
    void anotherStudyHasAnotherReport();
    void unitsOfStrangersStayAsTheyAre();

private:
    /// A small plate with a response, copied where it may be written to.
    std::filesystem::path plateIn(const Folder &folder);
    /// The panel Answers, once it has read the study.
    bool showAnswers(OpenWindow &open);
    /// On the page Goal.
    bool findGoal(OpenWindow &open);
    bool isSaid(OpenWindow &open, const QString &what);
    /// What the menu has written there; empty if it has not.
    QByteArray reportOf(OpenWindow &open, const QString &page);

    Folder m_folder;
};

std::filesystem::path ReportsTest::plateIn(const Folder &folder)
{
    static const auto made = [this] {
        const auto path = makePlate(m_folder);
        keep(path, {average});
        return path;
    }();
    const auto path = folder / "plate.gridhelm";
    std::filesystem::copy_file(made, path);
    return path;
}

bool ReportsTest::showAnswers(OpenWindow &open)
{
    auto &panel = open.window->answersPanel();
    open.window->showPanel(panel);
    return QTest::qWaitFor([&] { return panel.isSettled(); }, patience);
}

bool ReportsTest::findGoal(OpenWindow &open)
{
    auto &panel = open.window->answersPanel();
    panel.pages()->setCurrentWidget(panel.goal());
    QTest::mouseClick(panel.findChild<QPushButton *>("find"), Qt::LeftButton);
    return QTest::qWaitFor([&] { return panel.goal()->optimum().has_value(); }, patience);
}

bool ReportsTest::isSaid(OpenWindow &open, const QString &what)
{
    return QTest::qWaitFor([&] { return open.sentences().join(" ").contains(what); }, patience);
}

QByteArray ReportsTest::reportOf(OpenWindow &open, const QString &page)
{
    saveBy(open.window->findChild<QAction *>("report"), page);
    QFile file(page);
    const bool isThere = isSaid(open, "The report is in") && file.open(QIODevice::ReadOnly);
    return isThere ? file.readAll() : QByteArray();
}

void ReportsTest::theMenuWritesAReport()
{
    const Folder folder;
    const auto path = plateIn(folder);
    OpenWindow open(path);
    QVERIFY(open.isOpen());
    const auto page = inside(folder, "plate.html");
    const auto text = QString::fromUtf8(reportOf(open, page));
    QVERIFY2(!text.isEmpty(), qPrintable(open.sentences().join(" | ")));
    QVERIFY(isPageOf(page.toStdString(), data::reportGenerator));
    QVERIFY(text.contains("<h2>average</h2>"));
    QCOMPARE(text.count("<img "), 1);
    QVERIFY(!text.contains("What was found"));
}

void ReportsTest::theMenuExportsAPage()
{
    const Folder folder;
    OpenWindow open(plateIn(folder));
    QVERIFY(open.isOpen());
    const auto page = inside(folder, "page.html");
    saveBy(open.window->findChild<QAction *>("exportPage"), page);
    QVERIFY2(isSaid(open, "any browser opens it"), qPrintable(open.sentences().join(" | ")));
    QVERIFY(isPageOf(page.toStdString(), data::interactivePageGenerator));
    // What is something else stays.
    const auto other = inside(folder, "other.html");
    QFile(other).open(QIODevice::WriteOnly);
    open.window->findChild<PageExport *>()->start(other);
    QVERIFY(isSaid(open, "is no interactive page"));
    QCOMPARE(QFileInfo(other).size(), 0);
}

void ReportsTest::aReportShowsWhatIsSeenAndFound()
{
    const Folder folder;
    const auto path = plateIn(folder);
    OpenWindow open(path);
    QVERIFY(open.isOpen());
    auto &panel = open.window->answersPanel();
    QVERIFY(showAnswers(open) && findGoal(open));
    // A beside the sliders, which have gone on to the goal; and one companion.
    auto steering = open.model().now();
    steering.pinned = steering.parameters;
    (*steering.pinned)[0] = 0.5 * (steering.parameters[0] + 0.25);
    steering.comparing = Comparing::sideBySide;
    steering.companions.push_back(steering);
    open.model().change("compare", steering);
    auto &area = open.window->viewArea();
    QVERIFY(QTest::qWaitFor(
        [&] {
            const auto *pinned = area.compared().pinned();
            return open.waitForFrame() && pinned && pinned->isVisible() && pinned->frame()
                   && area.companions().size() == 1 && area.companions()[0]->view().frame();
        },
        patience));
    const auto text = QString::fromUtf8(reportOf(open, inside(folder, "plate.html")));
    QVERIFY2(!text.isEmpty(), qPrintable(open.sentences().join(" | ")));
    QCOMPARE(text.count("<img "), 3);
    QVERIFY(text.contains("<figcaption>temperature"));
    // They are what the views show: the left one at A.
    const QString begin = "base64,";
    const auto at = text.indexOf(begin) + begin.size();
    const auto first = QImage::fromData(
        QByteArray::fromBase64(text.mid(at, text.indexOf('"', at) - at).toLatin1()), "PNG");
    auto shown = area.compared().pinned()->sceneWidget()->picture();
    shown.setDevicePixelRatio(1);
    QCOMPARE(first.size(), shown.size());
    QCOMPARE(first.convertToFormat(QImage::Format_RGB32),
             shown.convertToFormat(QImage::Format_RGB32));
    for (const auto *what :
         {"What was found", "<td>optimum</td>", "<td>A (pinned)</td>", "Optimization: At "})
        QVERIFY2(text.contains(what), what);
    const auto best = panel.goal()->optimum()->values[0];
    QVERIFY(text.contains(QString("<td>%1 K</td>").arg(best, 0, 'g', 5)));
}

/// What was found is in the report, but not in that of another study.
void ReportsTest::aReportTellsTheBestFit()
{
    const Folder folder;
    const auto path = plateIn(folder);
    OpenWindow open(path);
    QVERIFY(open.isOpen());
    auto &panel = open.window->answersPanel();
    QVERIFY(showAnswers(open));
    panel.pages()->setCurrentWidget(panel.match());
    const double measured = known(path, average).model->value(std::vector{0.4, 0.5, 0.6});
    panel.match()->table()->setPlainText(
        QString("response,value,sd\naverage,%1,%2\n").arg(measured).arg(0.01 * measured));
    QTest::mouseClick(panel.findChild<QPushButton *>("fit"), Qt::LeftButton);
    QVERIFY(QTest::qWaitFor([&] { return panel.match()->posterior().has_value(); }, patience));
    QVERIFY(open.waitForFrame());
    const auto text = QString::fromUtf8(reportOf(open, inside(folder, "plate.html")));
    QVERIFY2(!text.isEmpty(), qPrintable(open.sentences().join(" | ")));
    QVERIFY(text.contains("Calibration: Best fit: "));
    QVERIFY(text.contains("<td>best fit</td>"));
    QVERIFY(findGoal(open));
    panel.pages()->setCurrentWidget(panel.match()); // it is out of sight
    const Folder elsewhere;
    open.window->openFile(QString::fromStdString(plateIn(elsewhere).string()));
    QVERIFY(QTest::qWaitFor([&] { return panel.isSettled() && panel.goal()->found().isEmpty(); },
                            patience));
    QVERIFY(panel.match()->found().isEmpty());
}

void ReportsTest::aReportMayBeAPdf()
{
    const Folder folder;
    const auto path = plateIn(folder);
    OpenWindow open(path);
    QVERIFY(open.isOpen());
    const auto page = inside(folder, "plate.pdf");
    const auto pdf = reportOf(open, page);
    QVERIFY2(pdf.startsWith("%PDF-"), qPrintable(open.sentences().join(" | ")));
    QVERIFY(pdf.trimmed().endsWith("%%EOF"));
    QVERIFY(pdf.count("/Type /Page\n") >= 2);
    QVERIFY(pdf.count("/Subtype /Image") >= 5); // the view, three curves, shares
    requireReportPdf(page);                     // may be replaced
    QFile other(page);
    QVERIFY(other.open(QIODevice::WriteOnly));
    other.write("%PDF-1.4 of somebody else");
    other.close();
    QVERIFY_THROWS_EXCEPTION(Error, requireReportPdf(page));
}

/// Also the confirmation that a file is to be replaced is about that name.
void ReportsTest::theNameFollowsWhatIsChosen()
{
    const Folder folder;
    OpenWindow open(plateIn(folder));
    QVERIFY(open.isOpen());
    QStringList names;
    QTimer choosing;
    connect(&choosing, &QTimer::timeout, this, [&] {
        auto *dialog = qobject_cast<QFileDialog *>(QApplication::activeModalWidget());
        auto *kind = dialog ? dialog->findChild<QComboBox *>("fileTypeCombo") : nullptr;
        auto *name = dialog ? dialog->findChild<QLineEdit *>("fileNameEdit") : nullptr;
        if (!name || !kind)
            return;
        choosing.stop();
        names << name->text();
        QTest::keyClick(kind, Qt::Key_Down);
        names << name->text();
        name->setText("mine.v2.html");
        QTest::keyClick(kind, Qt::Key_Up);
        QTest::keyClick(kind, Qt::Key_Down);
        names << name->text();
        QTest::keyClick(name, Qt::Key_Return);
    });
    choosing.start(20);
    open.window->findChild<QAction *>("report")->trigger();
    QVERIFY(QTest::qWaitFor([&] { return names.size() == 3; }, patience));
    QCOMPARE(names, (QStringList{"plate.html", "plate.pdf", "mine.v2.pdf"}));
    QVERIFY(isSaid(open, "The report is in"));
    requireReportPdf(inside(folder, "mine.v2.pdf"));
    QVERIFY(QFile::exists(inside(folder, "mine.v2.pdf")));
}

void ReportsTest::pdfsWithLongTitlesMayBeReplaced()
{
    const Folder folder;
    const auto path = inside(folder, "long.pdf");
    const std::string page = "<html><head><title>" + std::string(3000, 'x')
                             + "</title></head><body><h1>long</h1></body></html>";
    writeReportPdf(page, path);
    requireReportPdf(path);
    QVERIFY(QFileInfo(path).size() > 0);
}

/// All of them at a printer's density would need some hundred megabytes.
void ReportsTest::picturesOfAPdfAreDrawnWithTheirPage()
{
    ReportDocument document("<html><body><svg xmlns=\"http://www.w3.org/2000/svg\" width=\"400\" "
                            "height=\"200\"><rect class=\"series c0\" width=\"400\" "
                            "height=\"200\"/></svg><img src=\"/etc/hostname\"></body></html>");
    const auto picture = [&] {
        return document.resource(QTextDocument::ImageResource, QUrl("picture:1")).value<QImage>();
    };
    QCOMPARE(picture().size(), QSize(1, 1));
    document.setPrinting(true);
    const auto drawn = picture();
    QVERIFY(drawn.width() > 900 && std::abs(drawn.width() - 2 * drawn.height()) <= 2);
    QCOMPARE(drawn.pixelColor(drawn.width() / 2, drawn.height() / 2), QColor("#2467a8"));
    document.setPrinting(false);
    QCOMPARE(picture().size(), QSize(1, 1));
    QVERIFY(!document.lacksPictures());
    // A stranger's text makes nobody read another file: what is none would be looked for.
    const auto other = document.resource(QTextDocument::ImageResource, QUrl("/etc/hostname"));
    QCOMPARE(other.value<QImage>().size(), QSize(1, 1));
}

void ReportsTest::aPdfThatIsStoppedIsNotThere()
{
    const Folder folder;
    std::stop_source stop;
    stop.request_stop();
    QVERIFY_THROWS_EXCEPTION(Error, writeReportPdf("<html><body>text</body></html>",
                                                   inside(folder, "plate.pdf"), stop.get_token()));
    QVERIFY(std::filesystem::is_empty((folder / "plate.pdf").parent_path()));
}

void ReportsTest::theWindowMayCloseMeanwhile_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("after");
    QTest::newRow("views are drawn") << "plate.html" << 0;
    QTest::newRow("a page is written") << "plate.html" << 60;
    QTest::newRow("a PDF is written") << "plate.pdf" << 400;
}

/// The sanitizers see what is used after its end.
void ReportsTest::theWindowMayCloseMeanwhile()
{
    QFETCH(const QString, name);
    QFETCH(const int, after);
    const Folder folder;
    OpenWindow open(plateIn(folder));
    QVERIFY(open.isOpen());
    saveBy(open.window->findChild<QAction *>("report"), inside(folder, name.toStdString()));
    if (after > 0)
        QTest::qWait(after);
    open.window.reset();
    QTest::qWait(50); // what was posted
    if (QFile::exists(inside(folder, name.toStdString())))
        QVERIFY(QFileInfo(inside(folder, name.toStdString())).size() > 1000); // whole, or not there
}

void ReportsTest::anotherStudyHasAnotherReport()
{
    const Folder folder;
    OpenWindow open(plateIn(folder));
    QVERIFY(open.isOpen());
    const auto other = makeStudy(folder);
    const auto page = inside(folder, "plate.html");
    saveBy(open.window->findChild<QAction *>("report"), page);
    open.model().setStudy(factsOf(other)); // before the views have answered
    QVERIFY(isSaid(open, "No report was written"));
    QVERIFY(!QFile::exists(page));
}

void ReportsTest::unitsOfStrangersStayAsTheyAre()
{
    const Folder folder;
    const auto path = folder / "odd.gridhelm";
    {
        auto description = smallDescription(2);
        description.simulation.clear();
        description.space = ParameterSpace({Parameter{"a", "%2", 0, 1}});
        auto writer = data::StudyWriter::create(path, description);
        writer.setMesh(data::encodeImageMesh({{columns, rows, 1}, {0, 0, 0}, {1, 1, 1}}));
        writer.addField(smallField("share", columns * rows));
        runAllJobs(writer);
        data::compress(writer, {});
        writer.close();
    }
    OpenWindow open(path);
    QVERIFY(open.isOpen());
    QStringList captions;
    takeViews(open.window->viewArea(), [&](const std::vector<ViewPicture> &views) {
        for (const auto &view : views)
            captions << view.caption;
    });
    QVERIFY(QTest::qWaitFor([&] { return captions.size() == 1; }, patience));
    QVERIFY2(captions[0].contains("%2"), qPrintable(captions[0]));
    QVERIFY2(captions[0].contains("; colours from "), qPrintable(captions[0]));
}

GRIDHELM_SCREEN_TEST(ReportsTest)
#include "tst_reports.moc"
