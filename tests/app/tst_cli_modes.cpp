// SPDX-License-Identifier: GPL-3.0-or-later
//
// A cavity by its coefficients, then by modes, on the command line.
#include "gpu/device_info.h"
#include "tests/app/study_folder.h"
#include "tests/data/unlike_studies.h"
#include "tests/support/test_program.h"

#include <QJsonArray>

#include <cmath>

using namespace gridhelm::test;

class TestCliModes : public QObject, private StudyFolder
{
    Q_OBJECT

private:
    static constexpr const char *at = "--at Re=33,t=1.3";

    /// The fields of a file, one after the other.
    std::vector<std::vector<float>> fieldsOf(const QString &file) const
    {
        return readMeshFile(here(file)).at(0).values;
    }
    static double relativeDifference(const std::vector<float> &a, const std::vector<float> &b)
    {
        double above = 0, below = 0;
        for (std::size_t i = 0; i < a.size(); ++i) {
            const double x = a[i], y = b[i];
            above += (x - y) * (x - y);
            below += y * y;
        }
        return std::sqrt(above / below);
    }
    QJsonArray fieldsSaid(const QString &line) const
    {
        return jsonOf(runHere(line + " --json"))["fields"].toArray();
    }

    void makeCavity(const QString &name, int level)
    {
        makeStudy(name, QString("[[parameter]]\nname = \"Re\"\nlow = 20\nhigh = 50\n"
                                "[[parameter]]\nname = \"t\"\nlow = 0.5\nhigh = 2\n"
                                "[grid]\nlevel = %1\n"
                                "[simulation]\nbuiltin = \"cavity\"\nresolution = 17\n")
                            .arg(level)
                            .toUtf8());
    }

private slots:
    void initTestCase() { makeCavity("c", 4); }

    void fieldsByModesAreThoseByCoefficients()
    {
        QCOMPARE(runHere(QString("eval c.gridhelm %1 --out before.vti").arg(at)).exitCode, 0);
        const auto refused = runHere(QString("eval c.gridhelm %1 --within 5").arg(at));
        QVERIFY(refused.exitCode != 0 && refused.err.contains("has no POD modes"));
        QVERIFY(!fieldsSaid(QString("eval c.gridhelm %1").arg(at))[0].toObject().contains("modes"));
        const auto made = runHere("compress c.gridhelm --holdout 3 --modes");
        QVERIFY2(made.exitCode == 0, made.err);
        QVERIFY2(made.out.contains("POD modes of 2 fields made")
                     && made.out.contains("cell volumes as weights"),
                 made.out);
        QCOMPARE(jsonOf(runHere("check c.gridhelm --json"))["sound"].toBool(), true);
        QCOMPARE(runHere(QString("eval c.gridhelm %1 --out after.vti").arg(at)).exitCode, 0);
        const auto before = fieldsOf("before.vti"), after = fieldsOf("after.vti");
        const auto said = fieldsSaid(QString("eval c.gridhelm %1").arg(at));
        QCOMPARE(before.size(), static_cast<std::size_t>(said.size()));
        for (std::size_t f = 0; f < before.size(); ++f) {
            const auto modes = said[static_cast<int>(f)].toObject()["modes"].toObject();
            QVERIFY(modes["count"].toInt() > 1);
            const double bound = modes["error_bound"].toDouble();
            QVERIFY(bound > 0 && bound < 0.01);
            // The bound is by the norm of all snapshots, which are of about the same size.
            QVERIFY(relativeDifference(after[f], before[f]) <= 2 * bound);
            QVERIFY(relativeDifference(after[f], before[f]) > 0);
        }
    }

    void leadingModesAloneSayWhatTheyHold()
    {
        const auto eval = QString("eval c.gridhelm %1 --within ").arg(at);
        QCOMPARE(runHere(eval + "0 --out first.vti").exitCode, 0);
        QCOMPARE(runHere(QString("eval c.gridhelm %1 --out all.vti").arg(at)).exitCode, 0);
        const auto first = fieldsOf("first.vti"), all = fieldsOf("all.vti");
        const auto said = fieldsSaid(eval + "0"), ofAll = fieldsSaid(eval + "1e7");
        for (std::size_t f = 0; f < all.size(); ++f) {
            const auto modes = said[static_cast<int>(f)].toObject()["modes"].toObject();
            QCOMPARE(modes["count"].toInt(), 1);
            QVERIFY(modes["of"].toInt() > 1);
            const double share = modes["energy_share"].toDouble();
            QVERIFY(share > 0 && share < 1);
            const double off = relativeDifference(first[f], all[f]);
            QVERIFY(off > 0);
            QVERIFY(said[static_cast<int>(f)].toObject()["band"].isNull());
            const auto whole = ofAll[static_cast<int>(f)].toObject()["modes"].toObject();
            QCOMPARE(whole["count"], whole["of"]);
            QCOMPARE(whole["energy_share"].toDouble(), 1.0);
            QVERIFY(whole["error_bound"].toDouble() < modes["error_bound"].toDouble());
        }
        QVERIFY(runHere(eval + "0").out.contains("by 1 of"));
        QVERIFY(runHere(eval + "soon").exitCode != 0);
        QVERIFY(runHere(eval + "-1").exitCode != 0);
    }

    void infoSaysWhatTheyAre()
    {
        const auto info = runHere("info c.gridhelm");
        QVERIFY2(
            info.out.contains(
                "which validation errors contain, leave-one-out errors of a sparse grid do not"),
            info.out);
        for (const auto &field : fieldsSaid("info c.gridhelm")) {
            const auto modes = field.toObject()["modes"].toObject();
            const auto values = modes["singular_values"].toArray();
            QCOMPARE(values.size(), modes["count"].toInt());
            QVERIFY(values[0].toDouble() > values[1].toDouble());
            QCOMPARE(modes["weights"].toString(), QString("volumes"));
            QVERIFY(modes["cut_energy"].toDouble() <= modes["cut"].toDouble());
            QVERIFY(modes["largest_error"].toDouble() >= modes["mean_error"].toDouble());
        }
    }

    void exportsAndPlacesUseThem()
    {
        QCOMPARE(
            runHere("export c.gridhelm --along t --steps 3 --at Re=33 --out series.pvd").exitCode,
            0);
        const auto line = QString("eval c.gridhelm %1 --probe 0.5,0.5,0").arg(at);
        const auto probed = jsonOf(runHere(line + " --json"))["probes"].toArray();
        QCOMPARE(probed.size(), 1);
    }

    void whatCannotBeCutIsSaid()
    {
        for (const char *wrong : {"2", "-1", "0", "1e-20", "much"})
            QVERIFY(isOneSentence(runHere(QString("compress c.gridhelm --modes=%1").arg(wrong)),
                                  "--modes"));
    }

    void inFewBitsTheyAreWithinTheError()
    {
        const auto made = runHere("compress c.gridhelm --error 0.2% --holdout 3");
        QVERIFY2(made.exitCode == 0, made.err);
        QVERIFY2(made.out.contains("POD modes of 2 fields quantised")
                     && made.out.contains("at 3 validation points"),
                 made.out);
        for (const auto &field : fieldsSaid("info c.gridhelm")) {
            const auto bits = field.toObject()["modes"].toObject()["quantised"].toObject();
            QCOMPARE(bits["allowed"].toDouble(), 0.002);
            QVERIFY(bits["at_snapshots"].toDouble() <= 0.002);
            QVERIFY(bits["at_hold_outs"].toDouble() <= 0.002);
            QVERIFY(bits["frame_bytes"].toInt() > 0);
        }
        QCOMPARE(runHere(QString("eval c.gridhelm %1 --out bits.vti").arg(at)).exitCode, 0);
        const auto before = fieldsOf("before.vti"), after = fieldsOf("bits.vti");
        for (std::size_t f = 0; f < before.size(); ++f) {
            QVERIFY(relativeDifference(after[f], before[f]) < 0.01);
            QVERIFY(relativeDifference(after[f], before[f]) > 1e-5);
        }
        const auto checked = jsonOf(runHere("check c.gridhelm --json"));
        QCOMPARE(checked["sound"].toBool(), true);
        QCOMPARE(checked["bounds"].toArray().size(), 2);
        QVERIFY(checked["bounds"].toArray()[0].toString().contains("beside their snapshots"));
        for (const char *wrong : {"2", "-1%", "1e-9", "some", "150%", "half%", "nan"})
            QVERIFY(isOneSentence(runHere(QString("compress c.gridhelm --error=%1").arg(wrong)),
                                  "half (of the error that was measured)"));
        // Of a script whose variable is not set.
        QVERIFY(isOneSentence(
            runCli(QStringList{"compress", "c.gridhelm", "--error", ""}, {}, m_folder.path()),
            "--error cannot be"));
    }

    void theyAreMadeAgainForNewHoldOuts()
    {
        QCOMPARE(runHere("compress c.gridhelm --holdout 6").exitCode, 0);
        for (const auto &field : fieldsSaid("info c.gridhelm")) {
            const auto bits = field.toObject()["modes"].toObject()["quantised"].toObject();
            QCOMPARE(bits["hold_outs"].toInt(), 6);
            QVERIFY(bits["at_hold_outs"].toDouble() <= 0.002);
        }
        QCOMPARE(runHere("check c.gridhelm").exitCode, 0);
    }

    void krigingStaysInFewBits()
    {
        makeCavity("k", 3);
        QCOMPARE(runHere("compress k.gridhelm --surrogate kriging").exitCode, 0);
        for (int again = 0; again < 2; ++again) {
            QCOMPARE(runHere("compress k.gridhelm --error half").exitCode, 0);
            for (const auto &field : fieldsSaid("info k.gridhelm"))
                QVERIFY(field.toObject()["modes"].toObject()["quantised"].isObject());
        }
    }

    void twoNumbersOfModesAreRefused()
    {
        QVERIFY(
            isOneSentence(runHere("compress c.gridhelm --modes 1e-4 --error 1%"), "--error 1%"));
    }

    void mapsTakeModesInFewBits()
    {
        QCOMPARE(runHere("copy c.gridhelm e.gridhelm").exitCode, 0);
        QCOMPARE(runHere("compress e.gridhelm --error 0").exitCode, 0);
        const auto field = fieldsSaid("info c.gridhelm")[0].toObject()["name"].toString();
        for (const auto &command : {QString("sobol %1.gridhelm --map %2 --out %1.vti"),
                                    QString("uncertainty %1.gridhelm --map %2 --samples 50 --out "
                                            "%1.vti")}) {
            for (const char *study : {"c", "e"}) {
                const auto made = runHere(command.arg(study, field));
                QVERIFY2(made.exitCode == 0, made.err);
            }
            const auto few = fieldsOf("c.vti"), exact = fieldsOf("e.vti");
            QVERIFY(relativeDifference(few[0], exact[0]) < 0.01);
            QVERIFY(few[0] != exact[0]);
        }
    }

    void coefficientsAreInFewBitsWhereModesAreMany()
    {
        makeUnlike(here("u.gridhelm").toStdString(), 4);
        const auto made = runHere("compress u.gridhelm --error 2%");
        QVERIFY2(made.exitCode == 0, made.err);
        QVERIFY2(made.out.contains("coefficients of 1 field quantised")
                     && made.out.contains("pictures of u are combined from quantised coefficients"),
                 made.out);
        const auto of = jsonOf(runHere("info u.gridhelm --json"))["fields"].toArray()[0].toObject();
        QVERIFY(!of.contains("modes"));
        const auto rows = of["quantised_rows"].toObject();
        QCOMPARE(rows["allowed"].toDouble(), 0.02);
        QVERIFY(rows["at_snapshots"].toDouble() > 0 && rows["at_snapshots"].toDouble() <= 0.02);
        QVERIFY(rows["frame_bytes"].toDouble() < rows["row_bytes"].toDouble());
        QVERIFY(runHere("info u.gridhelm").out.contains("coefficients quantised, "));
        const auto eval = QString("eval u.gridhelm --at Re=300,lid=1.1,t=2.2");
        const auto bits = fieldsSaid(eval)[0].toObject()["few_bits"].toObject();
        QVERIFY(bits["error_bound"].toDouble() > 0 && bits["error_bound"].toDouble() < 0.5);
        QVERIFY(runHere(eval).out.contains("by quantised coefficients, which add at most"));
        const auto checked = runHere("check u.gridhelm");
        QVERIFY2(checked.exitCode == 0 && checked.out.contains("quantised coefficients of u"),
                 checked.out);
        QCOMPARE(runHere(eval + " --out few.vti").exitCode, 0);
        QCOMPARE(runHere("compress u.gridhelm --error 0").exitCode, 0);
        QCOMPARE(runHere(eval + " --out exact.vti").exitCode, 0);
        const auto difference =
            relativeDifference(fieldsOf("few.vti")[0], fieldsOf("exact.vti")[0]);
        QVERIFY(difference > 0 && difference < 0.1);
    }

    void fewRowsStayAsTheyAreWhereThatIsQuicker()
    {
        makeUnlike(here("f.gridhelm").toStdString(), 4);
        const auto size = QFileInfo(here("f.gridhelm")).size();
        const auto made = jsonOf(runHere("compress f.gridhelm --error 0.01% --json"));
        const auto form = made["forms"].toArray().at(0).toObject();
        QCOMPARE(form["field"].toString(), QString("u"));
        QCOMPARE(form["taken"].toString(), QString("float32_rows"));
        const auto bytes = form["picture_bytes"].toObject();
        QVERIFY(bytes["float32_rows"].toDouble() < 2 * bytes["rows_in_few_bits"].toDouble());
        QVERIFY(bytes.contains("modes") != bytes.contains("modes_in_few_bits"));
        QCOMPARE(made["notice"].toString(), QString());
        // The modes that were tried have left no room behind.
        QVERIFY(100 * QFileInfo(here("f.gridhelm")).size() < 115 * size);
        QVERIFY(!fieldsSaid("info f.gridhelm")[0].toObject().contains("quantised_rows"));
        const auto eval = fieldsSaid("eval f.gridhelm --at Re=300,lid=1.1,t=2.2");
        QVERIFY(!eval[0].toObject().contains("few_bits"));
        QVERIFY(runHere("compress f.gridhelm --error 0.01%").out.contains("as float32"));
    }

    void unusedSpaceGoesBackToTheDisk()
    {
        makeUnlike(here("l.gridhelm").toStdString(), 4);
        auto writer = gridhelm::data::StudyWriter::open(here("l.gridhelm").toStdString());
        QVERIFY(writer.dropSnapshots() > 0);
        QVERIFY(isOneSentence(runHere("compact l.gridhelm"), "is being written"));
        writer.close();
        const auto before = QFileInfo(here("l.gridhelm")).size();
        const auto said = jsonOf(runHere("compact l.gridhelm --json"));
        QCOMPARE(said["bytes_before"].toInteger(), before);
        QCOMPARE(said["bytes_after"].toInteger(), QFileInfo(here("l.gridhelm")).size());
        QVERIFY(10 * said["bytes_after"].toInteger() < 9 * before);
        QVERIFY(runHere("compact l.gridhelm").out.contains("instead of"));
        QCOMPARE(runHere("check l.gridhelm").exitCode, 0);
        QVERIFY(isOneSentence(runHere("compact nothing.gridhelm"), "nothing.gridhelm"));
    }

    void allFormsOfAPictureAreMeasured()
    {
        const auto bench = jsonOf(runHere("bench frame c.gridhelm --error 0.2% --quick --kriging "
                                          "--html bytes.html --json"));
        const auto forms = bench["frame"].toObject()["forms"].toArray();
        QVERIFY(forms.size() >= 7); // and zfp
        const auto bytesOf = [&](int form) { return forms[form].toObject()["bytes"].toDouble(); };
        const auto errorOf = [&](int form) { return forms[form].toObject()["error"].toDouble(); };
        QCOMPARE(errorOf(0), 0.0);
        QVERIFY(errorOf(2) > 0 && errorOf(2) < 0.004);
        QVERIFY(errorOf(3) <= errorOf(2));
        QVERIFY(bytesOf(2) < bytesOf(1) && bytesOf(1) < bytesOf(0));
        QVERIFY(bytesOf(3) < bytesOf(0));
        QCOMPARE(forms[4].toObject()["form"].toString(), QString("kriged POD modes"));
        QCOMPARE(errorOf(4), 0.0);
        QVERIFY(errorOf(5) > 0 && errorOf(5) < 0.004);
        QVERIFY(bytesOf(5) < bytesOf(4));
        for (const auto &form : forms) {
            QVERIFY(form.toObject()["frame"].toObject()["seconds"].toDouble() > 0);
            const double read = form.toObject()["picture_bytes"].toDouble();
            QVERIFY(read > 0 && read <= form.toObject()["bytes"].toDouble());
        }
        QVERIFY(!bench["frame"].toObject().contains("gpu")); // nobody asked for it
        const auto curves = bench["frame"].toObject()["curves"].toArray();
        QVERIFY(curves.size() >= 3); // and zfp
        for (const auto &curve : curves) {
            const auto points = curve.toObject()["points"].toArray();
            QVERIFY(points.size() > 2);
            const auto isMore = [&](const char *key) {
                return points.first().toObject()[key].toDouble()
                       < points.last().toObject()[key].toDouble();
            };
            QVERIFY(isMore("bytes") && !isMore("error")); // bytes buy accuracy
        }
        QFile page(here("bytes.html"));
        QVERIFY(page.open(QIODevice::ReadOnly));
        const auto text = page.readAll();
        QCOMPARE(text.count("<polyline"), curves.size());
        QVERIFY(text.contains("leading float32 POD modes"));
        QVERIFY(runHere("check c.gridhelm").exitCode == 0); // as it was
        QVERIFY(runHere("compress c.gridhelm --error 0").exitCode == 0);
        for (const auto &field : fieldsSaid("info c.gridhelm"))
            QVERIFY(field.toObject()["modes"].toObject()["quantised"].isNull());
    }

    void picturesOfAGpuStandBesideTheCpus()
    {
        const auto run =
            runHere("bench frame c.gridhelm --error 0.2% --quick --devices gpu --json");
        if (gridhelm::gpu::gpuDevices().empty()) {
            QVERIFY(run.exitCode != 0 && run.out.isEmpty());
            QSKIP("no GPU");
        }
        const auto frame = jsonOf(run)["frame"].toObject();
        const auto there = frame["gpu"].toObject()["forms"].toArray();
        const auto plain = frame["forms"].toArray();
        QCOMPARE(there.size(), 4);
        for (int form = 0; form < 4; ++form) {
            const auto of = there[form].toObject(), beside = plain[form].toObject();
            QCOMPARE(of["form"], beside["form"]);
            QCOMPARE(of["picture_bytes"], beside["picture_bytes"]);
            QVERIFY(std::abs(of["error"].toDouble() - beside["error"].toDouble()) < 1e-5);
            QVERIFY(of["device"].toObject()["seconds"].toDouble() > 0);
            QVERIFY(of["frame"].toObject()["seconds"].toDouble() > 0);
        }
    }

    void theyAreMadeAgainWhenTheStudyGrows()
    {
        const auto countOf = [&] {
            return fieldsSaid("info c.gridhelm")[0].toObject()["modes"].toObject();
        };
        QCOMPARE(jsonOf(runHere("compress c.gridhelm --json"))["modes_made"].toInt(), 0);
        QCOMPARE(jsonOf(runHere("compress c.gridhelm --modes 1e-4 --json"))["modes_made"].toInt(),
                 2);
        const auto before = countOf();
        QCOMPARE(before["cut"].toDouble(), 1e-4);
        QCOMPARE(runHere("grow c.gridhelm --level 5").exitCode, 0);
        QCOMPARE(runHere("run c.gridhelm").exitCode, 0);
        QCOMPARE(jsonOf(runHere("compress c.gridhelm --json"))["modes_made"].toInt(), 2);
        const auto after = countOf();
        QCOMPARE(after["cut"].toDouble(), 1e-4);
        QVERIFY(after["snapshots"].toInt() > before["snapshots"].toInt());
    }
};

GRIDHELM_TEST(TestCliModes)
#include "tst_cli_modes.moc"
