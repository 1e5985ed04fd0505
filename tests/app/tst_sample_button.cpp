// SPDX-License-Identifier: GPL-3.0-or-later
//
// The start page's buttons of samples, with the program that makes them.
#include "tests/core/private_configuration.h"
#include "tests/support/paths.h"
#include "tests/support/test_program.h"
#include "ui/window/files/start_page.h"

#include <QApplication>
#include <QDir>
#include <QFile>
#include <QProgressBar>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

using namespace gridhelm::ui;

namespace {

constexpr int waitMilliseconds = 120'000; ///< for a whole sample on a slow machine

/// A start page whose samples are in a folder of its own.
class Page
{
public:
    explicit Page(const QString &home)
    {
        qputenv("HOME", home.toLocal8Bit());
        m_page.setProgram(QString(gridhelm::test::paths::cli));
        m_page.show();
    }

    void setProgram(const QString &path) { m_page.setProgram(path); }
    QString study() const
    {
        return QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation)
               + "/Gridhelm/plate.gridhelm";
    }
    QPushButton *button(const QString &text) const
    {
        for (auto *button : m_page.findChildren<QPushButton *>()) {
            if (button->text() == text || button->accessibleName() == text)
                return button;
        }
        return nullptr;
    }
    const QProgressBar *bar() const { return m_page.findChild<QProgressBar *>(); }
    void press(const QString &text) { QTest::mouseClick(button(text), Qt::LeftButton); }
    /// The study that is to be opened then, or what is said instead.
    QString outcome()
    {
        press("Sample study plate");
        if (!QTest::qWaitFor([&] { return m_opened.size() + m_failed.size() > 0; },
                             waitMilliseconds))
            return "nothing";
        auto &said = m_opened.isEmpty() ? m_failed : m_opened;
        return said.takeFirst().constFirst().toString();
    }

private:
    StartPage m_page;
    QSignalSpy m_opened{&m_page, &StartPage::openWanted};
    QSignalSpy m_failed{&m_page, &StartPage::failed};
};

} // namespace

class TestSampleButton : public QObject
{
    Q_OBJECT

private slots:
    void init() { QSettings().clear(); }

    void aSampleIsMadeOnceAndOpenedAgain()
    {
        const QTemporaryDir home;
        Page page(home.path());
        QVERIFY(page.study().startsWith(home.path()));
        QCOMPARE(page.outcome(), page.study());
        QFile file(page.study());
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto bytes = file.readAll();
        QCOMPARE(page.outcome(), page.study());
        file.seek(0);
        QCOMPARE(file.readAll(), bytes);
        page.setProgram("/nowhere/gridhelm-cli"); // it is there all the same
        QCOMPARE(page.outcome(), page.study());
        QVERIFY(!page.button("Stop")->isVisible());
    }

    void oneThatWasStoppedGoesOn()
    {
        const QTemporaryDir home;
        Page page(home.path());
        page.press("Sample study plate");
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(page.study()), waitMilliseconds);
        QTRY_VERIFY_WITH_TIMEOUT(page.bar()->maximum() > 0, waitMilliseconds); // how far it is
        page.press("Stop");
        QTRY_VERIFY_WITH_TIMEOUT(!page.button("Stop")->isVisible(), waitMilliseconds);
        QCOMPARE(page.outcome(), page.study());
    }

    void anotherFileOfThatNameIsSaid()
    {
        const QTemporaryDir home;
        Page page(home.path());
        QVERIFY(QDir().mkpath(QFileInfo(page.study()).path()));
        QFile file(page.study());
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("something else");
        file.close();
        const auto said = page.outcome();
        QVERIFY2(said.contains("could not be made") && said.contains("plate.gridhelm"),
                 qPrintable(said));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), QByteArray("something else"));
    }
};

static int runWithOwnSettings(int argc, char **argv)
{
    QApplication application(argc, argv);
    QStandardPaths::setTestModeEnabled(true);
    QCoreApplication::setOrganizationName("Gridhelm");
    QCoreApplication::setApplicationName("TestSampleButton");
    TestSampleButton test;
    return QTest::qExec(&test, argc, argv);
}

GRIDHELM_TEST_RUN_BY(runWithOwnSettings)

#include "tst_sample_button.moc"
