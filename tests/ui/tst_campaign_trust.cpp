// SPDX-License-Identifier: GPL-3.0-or-later
//
// The window asks before it executes what somebody else's study wants.
#include "core/support/error.h"
#include "tests/data/foreign_plans.h"
#include "tests/ui/widget_test.h"
#include "ui/campaign/campaign_panel.h"

#include <QAbstractButton>
#include <QDialog>
#include <QLabel>
#include <QPlainTextEdit>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTest>

using namespace gridhelm;
using namespace gridhelm::ui;

namespace {

constexpr int patience = 150'000; // milliseconds; instrumented builds on busy machines are slow

QAbstractButton *button(const QWidget &in, const char *name)
{
    auto *found = in.findChild<QAbstractButton *>(name);
    if (!found)
        qFatal("there is no %s", name);
    return found;
}

void press(const QWidget &in, const char *name)
{
    auto *found = button(in, name);
    if (!QTest::qWaitFor([&] { return found->isEnabled(); }, patience))
        qFatal("%s cannot be pressed", name);
    QTest::mouseClick(found, Qt::LeftButton);
}

/// The question, as soon as it is asked.
QDialog *question(const QWidget &panel)
{
    QDialog *dialog = nullptr;
    const bool isAsked = QTest::qWaitFor(
        [&] {
            dialog = panel.findChild<QDialog *>("trustQuestion");
            return dialog && dialog->isVisible();
        },
        patience);
    return isAsked ? dialog : nullptr;
}

} // namespace

class CampaignTrustTest : public QObject
{
    Q_OBJECT

private slots:
    void unknownCommandsAreAskedFor()
    {
        const test::Folder folder;
        const auto path = folder / "<b>sent.gridhelm"; // no text of ours
        const auto ran = folder / "ran";
        test::foreignStudy(path, test::commandPlan("command = 'echo {a} > r; touch ../../ran'\n"
                                                   "result = \"r\"\n"))
            .close();
        data::MeshFiles files;
        files.read = test::readNumber;
        CampaignPanel panel(files);
        panel.resize(1280, 700);
        panel.show();
        QSignalSpy failed(&panel, &CampaignPanel::failed);
        panel.setStudy(QString::fromStdString(path.string()));

        press(panel, "run");
        auto *dialog = question(panel);
        QVERIFY(dialog);
        const auto shown = dialog->findChild<QPlainTextEdit *>("trustExecution")->toPlainText();
        QVERIFY2(shown.contains("touch ../../ran") && shown.contains("| r\n"), qPrintable(shown));
        QCOMPARE(dialog->findChild<QLabel *>()->textFormat(), Qt::PlainText);
        QVERIFY(!panel.isRunning() && !std::filesystem::exists(ran));
        QTest::keyClick(dialog, Qt::Key_Return); // the default means no
        QTRY_COMPARE_WITH_TIMEOUT(failed.size(), 1, patience);
        QVERIFY2(failed[0][0].toString().contains("nobody has agreed to"),
                 qPrintable(failed[0][0].toString()));
        QTRY_VERIFY(!panel.findChild<QDialog *>("trustQuestion"));
        QVERIFY(!panel.isRunning() && !std::filesystem::exists(ran));

        press(panel, "run");
        dialog = question(panel);
        QVERIFY(dialog);
        press(*dialog, "trustAndRun");
        QVERIFY(panel.isRunning());
        QTRY_VERIFY_WITH_TIMEOUT(!panel.isRunning(), patience);
        QVERIFY(std::filesystem::exists(ran));

        // It is remembered.
        std::filesystem::remove(ran);
        panel.findChild<QSpinBox *>("holdOuts")->setValue(1);
        press(panel, "compress");
        QTRY_VERIFY_WITH_TIMEOUT(!panel.isRunning(), patience);
        QVERIFY(std::filesystem::exists(ran));
        QCOMPARE(failed.size(), 1);
    }
};

GRIDHELM_WIDGET_TEST(CampaignTrustTest)
#include "tst_campaign_trust.moc"
