// SPDX-License-Identifier: GPL-3.0-or-later
//
// The example data/examples/openfoam-cavity, on a smaller grid: real runs of OpenFOAM.
#include "tests/app/cli_process.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QtTest>

using namespace gridhelm::test;

class TestCliOpenFoam : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    Outcome runHere(const QString &line) const { return runCli(line, {}, m_folder.path()); }

private slots:
    void initTestCase()
    {
        for (const auto *program : {"blockMesh", "icoFoam", "foamToVTK", "foamDictionary"}) {
            if (QStandardPaths::findExecutable(program).isEmpty())
                QSKIP("OpenFOAM is not installed (packages openfoam and openfoam-examples)");
        }
        const QDir tutorials("/usr/share/doc/openfoam-examples/examples");
        if (!tutorials.exists() && !qEnvironmentVariableIsSet("FOAM_TUTORIALS"))
            QSKIP("OpenFOAM's tutorials are not installed (package openfoam-examples)");
    }

    void campaignOfTheExampleHasSmallErrors()
    {
        const QDir example(GRIDHELM_EXAMPLES "/openfoam-cavity");
        const QDir here(m_folder.path());
        QVERIFY(QFile::copy(example.filePath("Allrun"), here.filePath("Allrun")));
        QFile plan(example.filePath("plan.toml"));
        QVERIFY(plan.open(QIODevice::ReadOnly));
        auto text = plan.readAll();
        QVERIFY(text.contains("\nlevel = 4\n"));
        text.replace("\nlevel = 4\n", "\nlevel = 2\n");
        QFile smaller(here.filePath("plan.toml"));
        QVERIFY(smaller.open(QIODevice::WriteOnly));
        smaller.write(text);
        smaller.close();

        const auto planned = runHere("plan plan.toml --out cavity.gridhelm --json");
        QCOMPARE(jsonOf(planned)["now"].toObject()["jobs"].toInt(), 5);
        const auto ran = runHere("run cavity.gridhelm --jobs 2");
        QVERIFY2(ran.exitCode == 0, ran.err);
        const auto compressed = runHere("compress cavity.gridhelm --holdout 2 --json");
        QVERIFY2(compressed.exitCode == 0, compressed.err);
        const auto study = jsonOf(compressed)["study"].toObject();
        QCOMPARE(study["mesh"].toObject()["cells"].toInt(), 400);
        QCOMPARE(study["hold_outs"].toInt(), 2);
        bool measured = false;
        for (const auto &value : study["errors"].toArray()) {
            const auto error = value.toObject();
            if (error["kind"].toString() != "held-out" || error["field"].toString() != "U")
                continue;
            measured = true;
            const auto size = error["relative_l2"].toDouble();
            QVERIFY2(size > 0 && size < 0.3, qPrintable(QString::number(size)));
        }
        QVERIFY(measured);
        const auto field =
            runHere("eval cavity.gridhelm --at lid=1.1,nu=0.004,t=0.37 --out field.vtu");
        QVERIFY2(field.exitCode == 0, field.err);
        QVERIFY(QFile::exists(here.filePath("field.vtu")));
        // The lid drags the fluid along: the cells below it move in its direction.
        const auto probe =
            runHere("eval cavity.gridhelm --at lid=1.1,nu=0.004,t=0.37 --probe 0.05,0.0975,0.005");
        QVERIFY2(probe.exitCode == 0, probe.err);
    }
};

QTEST_GUILESS_MAIN(TestCliOpenFoam)
#include "tst_cli_openfoam.moc"
