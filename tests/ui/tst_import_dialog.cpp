// SPDX-License-Identifier: GPL-3.0-or-later
//
// The dialog that makes a study of a table of runs: what is guessed, marked, imported and stopped.
#include "tests/data/scattered_cases.h"
#include "tests/ui/widget_test.h"
#include "ui/campaign/choice_delegate.h"
#include "ui/campaign/path_field.h"
#include "ui/campaign/scattered_column_model.h"
#include "ui/campaign/scattered_dialog.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QThread>
#include <QTest>

#include <atomic>
#include <memory>

using namespace gridhelm;
using namespace gridhelm::test;
using namespace gridhelm::ui;

namespace {

constexpr int patience = 20000; // milliseconds
using Columns = ScatteredColumnModel;

QString text(const std::filesystem::path &path)
{
    return QString::fromStdString(path.string());
}

/// As a user sees and uses it.
struct Shown
{
    explicit Shown(data::MeshFiles files)
        : dialog(std::make_unique<ScatteredDialog>(std::move(files)))
        , tester(model())
    {
        dialog->show();
    }

    QAbstractItemModel *model() { return dialog->findChild<QTableView *>("columns")->model(); }
    QPushButton *import() { return dialog->findChild<QPushButton *>("import"); }
    QPushButton *cancel() { return dialog->findChild<QPushButton *>("cancel"); }
    QString problem() { return dialog->findChild<QLabel *>("problem")->text(); }
    QString status() { return dialog->findChild<QLabel *>("status")->text(); }
    PathField *path(const char *name) { return dialog->findChild<PathField *>(name); }
    QString cell(int row, int column) { return model()->index(row, column).data().toString(); }
    bool type(int row, int column, const QString &value)
    {
        return model()->setData(model()->index(row, column), value);
    }

    std::unique_ptr<ScatteredDialog> dialog;
    QAbstractItemModelTester tester;
};

data::MeshFiles numberFiles()
{
    data::MeshFiles files;
    files.read = readNumber;
    return files;
}

/// Ten runs of a number in a file, in the folder "results".
void writeRuns(const Folder &folder)
{
    std::filesystem::create_directory(folder / "results");
    std::string csv = "name,a,file\n";
    for (int i = 0; i < 10; ++i) {
        writeText(folder / fmt::format("results/{}.txt", i), fmt::format("{}", 1 + 0.1 * i * i));
        csv += fmt::format("run {},{},{}.txt\n", i, i, i);
    }
    writeText(folder / "runs.csv", csv);
}

} // namespace

class ImportDialogTest : public QObject
{
    Q_OBJECT

private slots:
    void filesAreFoundInAnotherFolderAndImported();
    void aBadColumnIsMarkedAndNothingIsWritten();
    void rangesAreTypedOrThoseOfTheTable();
    void scalesAreChosen();
    void doubtfulColumnsAreSaidUntilRolesAreChosen();
    void severalTablesAreOffered();
    void aStudyThatIsThereIsNotReplaced();
    void stoppingLeavesNoFile();
    void aFileThatCannotBeReadIsSaidAndLeavesNoStudy();
};

void ImportDialogTest::filesAreFoundInAnotherFolderAndImported()
{
    const Folder folder;
    writeRuns(folder);
    Shown shown(numberFiles());
    QVERIFY(!shown.import()->isEnabled());
    QVERIFY2(shown.status().startsWith("Choose a table"), qPrintable(shown.status()));
    shown.dialog->offer({text(folder / "runs.csv")});
    QTRY_VERIFY_WITH_TIMEOUT(!shown.cell(2, Columns::problem).isEmpty(), patience);
    QCOMPARE(shown.model()->rowCount(), 3);
    QCOMPARE(shown.cell(0, Columns::columnRole), QString("ignored"));
    QCOMPARE(shown.cell(1, Columns::columnRole), QString("parameter"));
    QCOMPARE(shown.cell(1, Columns::high), QString("9"));
    QCOMPARE(shown.cell(2, Columns::columnRole), QString("file of the run"));
    QCOMPARE(shown.cell(0, Columns::firstValues + 1), QString("run 1"));
    QVERIFY2(shown.cell(2, Columns::problem).contains("there is no file"),
             qPrintable(shown.cell(2, Columns::problem)));
    QVERIFY(!shown.import()->isEnabled());

    shown.path("folder")->setPath(text(folder / "results"));
    QTRY_VERIFY_WITH_TIMEOUT(shown.import()->isEnabled(), patience);
    QVERIFY(shown.cell(2, Columns::problem).isEmpty());
    QCOMPARE(shown.path("study")->path(), text(folder / "runs.gridhelm"));
    QSignalSpy imported(shown.dialog.get(), &ScatteredDialog::imported);
    QTest::mouseClick(shown.import(), Qt::LeftButton);
    QVERIFY(imported.wait(patience));
    const auto end = imported[0][0].value<TaskEnd>();
    QVERIFY2(end.sentence.startsWith("10 runs imported; accuracy: "), qPrintable(end.sentence));
    QVERIFY(!shown.dialog->isVisible());
    const auto study = Study::open(folder / "runs.gridhelm");
    QCOMPARE(study.trainingRuns().size(), std::size_t{10});
    QCOMPARE(study.description().space.parameters().size(), std::size_t{1});
}

void ImportDialogTest::aBadColumnIsMarkedAndNothingIsWritten()
{
    const Folder folder;
    writeText(folder / "t.csv", "a,b,drag\n1,2,0.5\n2,oops,0.7\n3,1,0.9\n4,5,1\n");
    Shown shown(numberFiles());
    shown.dialog->offer({text(folder / "t.csv")});
    QTRY_VERIFY_WITH_TIMEOUT(!shown.cell(1, Columns::problem).isEmpty(), patience);
    QVERIFY2(shown.cell(1, Columns::problem).contains("line 3: 'oops' is not a number"),
             qPrintable(shown.cell(1, Columns::problem)));
    QVERIFY(shown.cell(0, Columns::problem).isEmpty());
    QVERIFY(!shown.dialog->findChild<QTableView *>("columns")->isColumnHidden(Columns::problem));
    QVERIFY(!shown.import()->isEnabled());
    QTest::mouseClick(shown.import(), Qt::LeftButton);
    QVERIFY(!std::filesystem::exists(folder / "t.gridhelm"));

    const auto roles = shown.model()
                           ->index(1, Columns::columnRole)
                           .data(ChoiceDelegate::choicesRole)
                           .toStringList();
    QVERIFY(shown.type(1, Columns::columnRole, roles.last()));
    QTRY_VERIFY_WITH_TIMEOUT(shown.import()->isEnabled(), patience);
    QVERIFY(shown.cell(1, Columns::problem).isEmpty());
    QVERIFY(shown.type(2, Columns::columnRole, "parameter"));
    QTRY_VERIFY_WITH_TIMEOUT(shown.problem().contains("no responses"), patience);
    QVERIFY(!shown.import()->isEnabled());
}

void ImportDialogTest::rangesAreTypedOrThoseOfTheTable()
{
    const Folder folder;
    writeText(folder / "t.csv", "a,drag\n1,0.5\n2,0.7\n3,0.9\n4,1\n9,8\n");
    Shown shown(numberFiles());
    shown.dialog->offer({text(folder / "t.csv")});
    QTRY_VERIFY_WITH_TIMEOUT(shown.import()->isEnabled(), patience);
    QVERIFY(!(shown.model()->index(1, Columns::low).flags() & Qt::ItemIsEditable));
    QVERIFY(!shown.type(0, Columns::high, "much"));
    QVERIFY(shown.problem().contains("much is no number"));
    QVERIFY(shown.type(0, Columns::high, "0"));
    QTRY_VERIFY_WITH_TIMEOUT(shown.cell(0, Columns::problem).contains("the range of parameter a"),
                             patience);
    QVERIFY(shown.type(0, Columns::high, ""));
    QCOMPARE(shown.cell(0, Columns::high), QString("9"));
    QVERIFY(shown.type(0, Columns::high, "5"));
    QTRY_VERIFY_WITH_TIMEOUT(shown.import()->isEnabled(), patience);
    QSignalSpy imported(shown.dialog.get(), &ScatteredDialog::imported);
    QTest::mouseClick(shown.import(), Qt::LeftButton);
    QVERIFY(imported.wait(patience));
    QVERIFY2(imported[0][0].value<TaskEnd>().trouble.contains("a row is left out"),
             qPrintable(imported[0][0].value<TaskEnd>().trouble));
    const auto study = Study::open(folder / "t.gridhelm");
    QCOMPARE(study.trainingRuns().size(), std::size_t{4});
    QCOMPARE(study.description().space.parameters()[0].high, 5.0);
}

void ImportDialogTest::scalesAreChosen()
{
    const Folder folder;
    writeText(folder / "t.csv", "k;n;drag\n1e-12;1;0,5\n1e-9;3;0,7\n1e-6;2;0,9\n1e-3;4;1,5\n");
    Shown shown(numberFiles());
    shown.dialog->offer({text(folder / "t.csv")});
    QTRY_VERIFY_WITH_TIMEOUT(shown.import()->isEnabled(), patience);
    QVERIFY2(shown.status().contains("(semicolons, decimal commas)"), qPrintable(shown.status()));
    QCOMPARE(shown.cell(0, Columns::scale), QString("logarithmic"));
    QCOMPARE(shown.cell(1, Columns::scale), QString("linear"));
    QCOMPARE(shown.cell(2, Columns::scale), QString());
    QVERIFY(!shown.type(2, Columns::scale, "logarithmic")); // of a response
    QVERIFY(shown.type(1, Columns::scale, "logarithmic"));
    QTRY_VERIFY_WITH_TIMEOUT(shown.import()->isEnabled(), patience);
    QSignalSpy imported(shown.dialog.get(), &ScatteredDialog::imported);
    QTest::mouseClick(shown.import(), Qt::LeftButton);
    QVERIFY(imported.wait(patience));
    const auto study = Study::open(folder / "t.gridhelm");
    for (const auto &parameter : study.description().space.parameters())
        QVERIFY(parameter.scale == ParameterScale::logarithmic);
}

void ImportDialogTest::doubtfulColumnsAreSaidUntilRolesAreChosen()
{
    const Folder folder;
    writeText(folder / "t.csv", "seed;a;y\n17;1,5;2\n4;2,5;3\n99;3,5;5\n12;0,5;1\n");
    Shown shown(numberFiles());
    shown.dialog->offer({text(folder / "t.csv")});
    QTRY_VERIFY_WITH_TIMEOUT(shown.import()->isEnabled(), patience);
    QVERIFY2(shown.status().contains("4 rows (semicolons, decimal commas)")
                 && shown.status().contains("the seed of a random generator"),
             qPrintable(shown.status()));
    QVERIFY(shown.type(0, Columns::columnRole, "ignored"));
    QTRY_VERIFY_WITH_TIMEOUT(shown.import()->isEnabled(), patience);
    QVERIFY2(!shown.status().contains("seed"), qPrintable(shown.status()));
}

void ImportDialogTest::severalTablesAreOffered()
{
    const Folder folder;
    writeText(folder / "one.csv", "a,drag\n1,0.5\n2,0.7\n3,0.9\n");
    writeText(folder / "two.csv", "c,lift\n1,0.5\n2,0.7\n3,0.9\n");
    Shown shown(numberFiles());
    shown.dialog->offer({text(folder / "one.csv"), text(folder / "two.csv")});
    auto *tables = shown.dialog->findChild<QComboBox *>("tables");
    QVERIFY(tables->isVisible());
    QCOMPARE(tables->count(), 3);
    QVERIFY(!shown.import()->isEnabled());
    tables->setCurrentIndex(2);
    emit tables->activated(2); // as a click does
    QTRY_VERIFY_WITH_TIMEOUT(shown.import()->isEnabled(), patience);
    QCOMPARE(shown.cell(0, Columns::name), QString("c"));
}

void ImportDialogTest::aStudyThatIsThereIsNotReplaced()
{
    const Folder folder;
    writeText(folder / "t.csv", "a,drag\n1,0.5\n2,0.7\n3,0.9\n");
    writeText(folder / "t.gridhelm", "something else");
    Shown shown(numberFiles());
    shown.dialog->offer({text(folder / "t.csv")});
    QTRY_VERIFY_WITH_TIMEOUT(shown.import()->isEnabled(), patience);
    QCOMPARE(shown.path("study")->path(), text(folder / "t-2.gridhelm"));
    shown.path("study")->setPath(text(folder / "t.gridhelm"));
    QVERIFY(!shown.import()->isEnabled());
    QVERIFY2(shown.problem().contains("choose another name"), qPrintable(shown.problem()));
    shown.path("study")->setPath(text(folder / "nowhere/t.gridhelm"));
    QVERIFY2(shown.problem().contains("There is no folder"), qPrintable(shown.problem()));
}

void ImportDialogTest::stoppingLeavesNoFile()
{
    const Folder folder;
    writeRuns(folder);
    data::MeshFiles files = numberFiles();
    std::atomic<int> begun = 0;
    files.read = [&begun](const std::filesystem::path &path,
                          const std::function<void(RunSnapshot)> &visit,
                          const std::stop_token &stop) {
        if (++begun > 3) // the others never end by themselves
            while (!stop.stop_requested())
                QThread::msleep(1);
        readNumber(path, visit, stop);
    };
    Shown shown(files);
    shown.dialog->offer({text(folder / "runs.csv")});
    QTRY_VERIFY_WITH_TIMEOUT(shown.model()->rowCount() == 3, patience);
    shown.path("folder")->setPath(text(folder / "results"));
    QTRY_VERIFY_WITH_TIMEOUT(shown.import()->isEnabled(), patience);
    QTest::mouseClick(shown.import(), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(begun > 3, patience);
    QVERIFY(std::filesystem::exists(folder / "runs.gridhelm"));
    QVERIFY(!shown.import()->isEnabled());
    QTRY_VERIFY_WITH_TIMEOUT(shown.status().contains("of 10"), patience);
    QTest::mouseClick(shown.cancel(), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(shown.problem().contains("there is no study"), patience);
    QVERIFY(shown.dialog->isVisible());
    QVERIFY(!std::filesystem::exists(folder / "runs.gridhelm"));
    QVERIFY(shown.import()->isEnabled());
    QTest::mouseClick(shown.cancel(), Qt::LeftButton);
    QVERIFY(!shown.dialog->isVisible());

    // Nor does closing the program.
    begun = 0;
    shown.dialog->show();
    QTest::mouseClick(shown.import(), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(begun > 3, patience);
    shown.dialog.reset();
    QVERIFY(!std::filesystem::exists(folder / "runs.gridhelm"));
}

void ImportDialogTest::aFileThatCannotBeReadIsSaidAndLeavesNoStudy()
{
    const Folder folder;
    writeRuns(folder);
    writeText(folder / "results/4.txt", "no number");
    Shown shown(numberFiles());
    shown.dialog->offer({text(folder / "runs.csv")});
    QTRY_VERIFY_WITH_TIMEOUT(shown.model()->rowCount() == 3, patience);
    shown.path("folder")->setPath(text(folder / "results"));
    QTRY_VERIFY_WITH_TIMEOUT(shown.import()->isEnabled(), patience);
    QTest::mouseClick(shown.import(), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(shown.problem().contains("line 6"), patience);
    QVERIFY(!std::filesystem::exists(folder / "runs.gridhelm"));
    QVERIFY(shown.dialog->isVisible());
}

GRIDHELM_WIDGET_TEST(ImportDialogTest)
#include "tst_import_dialog.moc"
