// SPDX-License-Identifier: GPL-3.0-or-later
//
// The panel Trust says by what a field is evaluated and why, and what its error does not say.
#include "tests/data/kriging_studies.h"
#include "tests/ui/window_case.h"
#include "ui/trust/trust_panel.h"

using namespace gridhelm;
using namespace gridhelm::test;
using namespace gridhelm::ui;

class TrustKrigingTest : public ScreenTest
{
    Q_OBJECT

private slots:
    void aSparseGridIsNamed()
    {
        const Folder folder;
        test::makeStudy(folder / "s", 3, width * height);
        const OpenWindow open(folder / "s");
        QVERIFY(open.isOpen());
        const auto said = open.window->trustPanel().summary();
        QVERIFY2(said.contains("Evaluated by sparse grid, degree 1."), qPrintable(said));
        QVERIFY2(!said.contains("TOO SMALL"), qPrintable(said));
    }

    void krigingIsNamedWithTheReasonAndTheDoubt()
    {
        const Folder folder;
        test::makeStudy(folder / "s", 3, width * height);
        krige(folder / "s");
        const OpenWindow open(folder / "s");
        QVERIFY(open.isOpen());
        const auto said = open.window->trustPanel().summary();
        QVERIFY2(said.contains("Evaluated by kriging of ") && said.contains(", chosen by hand."),
                 qPrintable(said));
        QVERIFY2(said.contains("TOO SMALL, by a factor of 4.5"), qPrintable(said));
    }
};

GRIDHELM_SCREEN_TEST(TrustKrigingTest)

#include "tst_trust_kriging.moc"
