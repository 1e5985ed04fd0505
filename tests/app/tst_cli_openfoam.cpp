// SPDX-License-Identifier: GPL-3.0-or-later
//
// The example data/examples/openfoam-cavity, on a smaller grid: real runs of OpenFOAM.
#include "tests/app/example_study.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace gridhelm::test;

class TestCliOpenFoam : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        for (const auto *program : {"blockMesh", "icoFoam", "foamToVTK", "foamDictionary"}) {
            if (!isInstalled(program))
                QSKIP("OpenFOAM is not installed (packages openfoam and openfoam-examples)");
        }
        const QDir tutorials("/usr/share/doc/openfoam-examples/examples");
        if (!tutorials.exists() && !qEnvironmentVariableIsSet("FOAM_TUTORIALS"))
            QSKIP("OpenFOAM's tutorials are not installed (package openfoam-examples)");
    }

    void campaignOfTheExampleHasSmallErrors()
    {
        ExampleStudy example("openfoam-cavity");
        const auto failure = example.make("plan.toml", 2, 2);
        QVERIFY2(failure.isEmpty(), failure);
        const auto &study = example.study();
        QCOMPARE(study["jobs"].toObject()["done"].toInt(), 5);
        QCOMPARE(study["mesh"].toObject()["cells"].toInt(), 400);
        QCOMPARE(study["hold_outs"].toInt(), 2);
        const auto error = example.heldOutError("U");
        QVERIFY2(error > 0 && error < 0.3, qPrintable(QString::number(error)));
        const auto field =
            example.run("eval study.gridhelm --at lid=1.1,nu=0.004,t=0.37 --out field.vtu");
        QVERIFY2(field.exitCode == 0, field.err);
        QVERIFY(QFile::exists(example.at("field.vtu")));
        // The lid drags the fluid along: the cells below it move in its direction.
        const auto below = example.values("U", "lid=1.1,nu=0.004,t=0.37", "0.05,0.0975,0.005");
        QCOMPARE(below.size(), 3U);
        QVERIFY2(below[0] > 0.2, qPrintable(QString::number(below[0])));
    }
};

GRIDHELM_TEST(TestCliOpenFoam)
#include "tst_cli_openfoam.moc"
