// SPDX-License-Identifier: GPL-3.0-or-later
//
// Questions to a plate, by its coefficients and by kriging: what it is, what matters, how sure,
// which is best, what explains measurements.
#include "tests/app/study_folder.h"
#include "tests/support/test_program.h"

#include <QJsonArray>

#include <algorithm>
#include <cmath>

using namespace gridhelm::test;

class TestCliAnswers : public QObject, private StudyFolder
{
    Q_OBJECT

private:
    QJsonObject document(const QString &line) const
    {
        const auto outcome = runHere(line + " --json");
        if (outcome.exitCode != 0 && outcome.exitCode != 3)
            qWarning("%s: %s", qPrintable(line), outcome.err.constData());
        return jsonOf(outcome);
    }
    QJsonObject response(const QString &line, const QString &name) const
    {
        for (const auto &entry : document(line)["responses"].toArray())
            if (entry.toObject()["name"].toString() == name)
                return entry.toObject();
        return {};
    }
    bool isRefused(const QString &line, const QByteArray &why) const
    {
        const auto outcome = runHere(line);
        const bool says =
            outcome.exitCode == 1 && outcome.err.contains(why) && outcome.err.count('\n') == 1;
        if (!says)
            qWarning("%s ended with %d: %s", qPrintable(line), outcome.exitCode,
                     outcome.err.constData());
        return says;
    }
    static constexpr const char *at = "x=0.4,width=0.5";

private slots:
    void initTestCase()
    {
        makeStudies();
        QCOMPARE(runHere("compress p.gridhelm --holdout 20").exitCode, 0);
        for (const auto *line :
             {"--add average --of temperature --unit K",
              "--add peak --of temperature --reduce maximum",
              "--add probe --of temperature --reduce value --in \"point 0.4,0.6,0\"",
              "--add spread --of 2*temperature+1 --reduce deviation --in \"box 0,0,0,0.5,1,0\""})
            QCOMPARE(runHere(QString("responses p.gridhelm ") + line).exitCode, 0);
    }

    void whoHasAskedForNoneHasTheFieldsOwn()
    {
        const auto before = bytesOf("s.gridhelm");
        QStringList names;
        for (const auto &each : document("responses s.gridhelm")["responses"].toArray())
            names << each.toObject()["name"].toString();
        QCOMPARE(names, QStringList{"temperature_mean"}); // a scalar study
        QCOMPARE(runHere("copy p.gridhelm own.gridhelm").exitCode, 0);
        for (const auto *name : {"average", "peak", "probe", "spread"})
            QCOMPARE(runHere(QString("responses own.gridhelm --remove ") + name).exitCode, 0);
        names.clear();
        for (const auto &each : document("responses own.gridhelm")["responses"].toArray())
            names << each.toObject()["name"].toString();
        QCOMPARE(names,
                 (QStringList{"temperature_mean", "temperature_minimum", "temperature_maximum"}));
        const auto peak = response("responses p.gridhelm --at x=0.4,width=0.5", "peak");
        const auto largest =
            response("responses own.gridhelm --at x=0.4,width=0.5", "temperature_maximum");
        QCOMPARE(largest["value"].toDouble(), peak["value"].toDouble());
        QCOMPARE(runHere("sobol own.gridhelm --response temperature_mean").exitCode, 0);
        QVERIFY(bytesOf("s.gridhelm") == before);
    }

    void responsesAreKeptAndSound()
    {
        QCOMPARE(document("responses p.gridhelm")["responses"].toArray().size(), 4);
        QVERIFY(document("check p.gridhelm")["sound"].toBool());
        QCOMPARE(response("responses p.gridhelm", "average")["way"].toString(), "rows");
        const auto peak = response("responses p.gridhelm", "peak");
        const auto measured = peak["measured_rms"].toObject();
        QVERIFY(peak["way"].toString() == "snapshots" || peak["way"].toString() == "field");
        for (const auto *way : {"snapshots", "field"}) // it is evaluated by the better one
            QVERIFY(measured[peak["way"].toString()].toDouble() <= measured[way].toDouble());
        // Four of twenty are in corners and faces.
        QCOMPARE(peak["error"].toObject()["hold_outs"].toInt(), 16);
        QCOMPARE(runHere("copy p.gridhelm q.gridhelm").exitCode, 0);
        QCOMPARE(runHere("responses q.gridhelm --remove peak --json").exitCode, 0);
        QCOMPARE(document("responses q.gridhelm")["responses"].toArray().size(), 3);
    }

    void runsAreWritten()
    {
        const auto runs = document("responses p.gridhelm --runs runs.csv")["runs"].toObject();
        const auto table = csvOf(bytesOf("runs.csv"));
        QCOMPARE(table.size(), runs["count"].toInt() + 1);
        QCOMPARE(table.first().join(','),
                 QString("run,x,width,average,average_surrogate,peak,peak_surrogate,probe,"
                         "probe_surrogate,spread,spread_surrogate"));
        QVERIFY(table.at(1).first().startsWith("run "));
        QVERIFY(table.last().first().startsWith("validation point "));
        const auto here = response(
            QString("responses p.gridhelm --at x=%1,width=%2").arg(table.at(3)[1], table.at(3)[2]),
            "average");
        QCOMPARE(table.at(3)[4].toDouble(), here["value"].toDouble());
        // At a run of the grid the surrogate is the run, at a validation point it is not.
        const double own = table.at(3)[3].toDouble(), ownThere = table.last()[3].toDouble();
        QVERIFY(std::abs(own - table.at(3)[4].toDouble()) <= 1e-5 * std::abs(own));
        QVERIFY(std::abs(ownThere - table.last()[4].toDouble()) > 1e-5 * std::abs(ownThere));
        QVERIFY(isRefused("responses p.gridhelm --runs p.gridhelm", "p.gridhelm"));
    }

    /// The values that the table of all runs has at validation points.
    void validationIsWritten()
    {
        const auto peak =
            response("responses p.gridhelm --runs runs.csv --validation parity.csv", "peak");
        const auto validation = peak["validation"].toObject();
        const auto runs = csvOf(bytesOf("runs.csv")), table = csvOf(bytesOf("parity.csv"));
        QCOMPARE(table.first().join(','), QString("response,run,x,width,actual,predicted"));
        QCOMPARE(table.size(), 1 + 4 * 20);
        double squares = 0;
        int rows = 0;
        for (const auto &row : table)
            if (row[0] == "peak") {
                const auto run = std::ranges::find_if(
                    runs, [&](const auto &other) { return other[0] == row[1]; });
                QVERIFY(run != runs.end());
                QCOMPARE(row[4], (*run)[5]);
                QCOMPARE(row[5], (*run)[6]);
                squares += std::pow(row[5].toDouble() - row[4].toDouble(), 2);
                ++rows;
            }
        QCOMPARE(rows, 20);
        QCOMPARE(validation["runs"].toInt(), 20);
        QVERIFY(!validation["left_out"].toBool() && validation["r2"].toDouble() > 0.5);
        const double rms = std::sqrt(squares / rows);
        QVERIFY(std::abs(validation["rms"].toDouble() - rms) <= 1e-9 * rms);
        QVERIFY(isRefused("responses p.gridhelm --validation p.gridhelm", "p.gridhelm"));
        QVERIFY(isRefused("responses p.gridhelm --runs x.csv --validation x.csv", "two tables"));
    }

    void responsesAreTheFieldsNumbers()
    {
        const auto values = document(QString("responses p.gridhelm --at %1").arg(at));
        const auto eval = runHere(
            QString("eval p.gridhelm --at %1 --field temperature --probe 0.4,0.6,0").arg(at));
        const auto rows = csvOf(eval.out);
        const double probe = rows.last().last().toDouble();
        for (const auto &entry : values["responses"].toArray())
            if (entry.toObject()["name"].toString() == "probe")
                QVERIFY(std::abs(entry.toObject()["value"].toDouble() - probe)
                        <= 1e-5 * std::abs(probe));
        // The slope is what the value changes by.
        const auto slope =
            response(QString("responses p.gridhelm --at %1").arg(at), "average")["slopes"]
                .toObject()["x"]
                .toDouble();
        const double step = 1e-4;
        const auto valueAt = [&](double x) {
            return response(QString("responses p.gridhelm --at x=%1,width=0.5").arg(x, 0, 'g', 12),
                            "average")["value"]
                .toDouble();
        };
        QVERIFY(std::abs((valueAt(0.4 + step) - valueAt(0.4)) / step - slope)
                <= 1e-6 * (1 + std::abs(slope)));
    }

    void influenceSharesTheVarianceOut()
    {
        for (const auto *name : {"average", "probe"}) {
            const auto indices = response("sobol p.gridhelm", name);
            QVERIFY(indices["is_exact"].toBool());
            const auto first = indices["first"].toObject(), total = indices["total"].toObject();
            const double pair = indices["pairs"].toArray()[0].toObject()["share"].toDouble();
            QVERIFY(std::abs(first["x"].toDouble() + first["width"].toDouble() + pair - 1) <= 1e-9);
            QVERIFY(std::abs(total["x"].toDouble() - first["x"].toDouble() - pair) <= 1e-9);
        }
        // What parameters do together belongs to both in equal parts; correlated ones are sampled.
        const auto sobol = response("sobol p.gridhelm", "average");
        const auto shapley = response("sobol p.gridhelm --shapley", "average");
        QVERIFY(shapley["is_exact"].toBool());
        const double first = sobol["first"].toObject()["x"].toDouble();
        const double total = sobol["total"].toObject()["x"].toDouble();
        const auto effects = shapley["shapley"].toObject();
        QVERIFY(std::abs(effects["x"].toDouble() - (first + total) / 2) <= 1e-12);
        const auto together = response("sobol p.gridhelm --shapley --correlate x,width=0.6 "
                                       "--samples 4096 --response peak",
                                       "peak");
        QCOMPARE(together["evaluations"].toInt(), 3 * 4096);
        QVERIFY(together["shapley_error"].toObject()["x"].toDouble() > 0);
        QVERIFY(std::abs(together["shapley"].toObject()["x"].toDouble()
                         + together["shapley"].toObject()["width"].toDouble() - 1)
                <= 1e-9);
        QVERIFY(runHere("sobol p.gridhelm --shapley").out.contains("add up to 1"));
        // What is held has no influence.
        const auto held = response("sobol p.gridhelm --fix x=0.4", "average");
        QVERIFY(held["total"].toObject()["x"].toDouble() <= 1e-12);
        QVERIFY(std::abs(held["total"].toObject()["width"].toDouble() - 1) <= 1e-12);
        const auto map = document("sobol p.gridhelm --map temperature --out map.vti");
        QCOMPARE(map["maps"].toArray().size(), 7); // with what it may be off
        const auto error = map["error"].toObject();
        QCOMPARE(error["hold_outs"].toInt(), 16); // of 20, four of which are in corners
        QVERIFY(error["median"].toDouble() > 0
                && error["worst"].toDouble() >= error["median"].toDouble());
        QCOMPARE(error["map"].toString(), QString("temperature_at_most_off"));
        QCOMPARE(readMeshFile(here("map.vti")).at(0).values.size(), std::size_t{7});
    }

    void uncertaintyIsThatOfTheInputs()
    {
        const auto narrow = response("uncertainty p.gridhelm --samples 4096 --above 0 --input "
                                     "\"width=normal(0.5,0.02)\" --fix x=0.4",
                                     "average");
        const auto wide = response("uncertainty p.gridhelm --samples 4096 --fix x=0.4", "average");
        QVERIFY(narrow["deviation"].toDouble() > 0);
        const auto density = narrow["density"].toObject();
        const auto curve = density["values"].toArray();
        double integral = -(curve.first().toDouble() + curve.last().toDouble()) / 2;
        for (const auto &value : curve)
            integral += value.toDouble();
        integral *= (density["high"].toDouble() - density["low"].toDouble())
                    / static_cast<double>(curve.size() - 1);
        QVERIFY(std::abs(integral - 1) <= 0.01);
        QVERIFY(std::abs(density["most_likely"].toDouble() - narrow["mean"].toDouble())
                <= narrow["deviation"].toDouble());
        QVERIFY(narrow["deviation"].toDouble() < 0.3 * wide["deviation"].toDouble());
        QCOMPARE(narrow["above"].toObject()["probability"].toDouble(), 1.0);
        const auto outcome = runHere("uncertainty p.gridhelm --samples 100 --csv all.csv "
                                     "--correlate x,width=0.7");
        QCOMPARE(outcome.exitCode, 0);
        QCOMPARE(csvOf(bytesOf("all.csv")).size(), 101);
        QCOMPARE(
            document("uncertainty p.gridhelm --map temperature --samples 200 --out u.vti")["maps"]
                .toArray()
                .size(),
            6);
        const auto extremes = document("uncertainty p.gridhelm --map temperature --samples 200 "
                                       "--percentiles 99.99999,100 --out u.vti")["maps"]
                                  .toArray();
        QVERIFY(extremes.contains("temperature_p99.99999")
                && extremes.contains("temperature_p100"));
    }

    void optimaAreBetterThanSamples()
    {
        const auto found = document("optimize p.gridhelm --maximize peak");
        QVERIFY(found["is_feasible"].toBool());
        double best = 0;
        for (const auto &entry : found["responses"].toArray())
            if (entry.toObject()["name"].toString() == "peak")
                best = entry.toObject()["value"].toDouble();
        const auto all = response("uncertainty p.gridhelm --samples 8192", "peak");
        QVERIFY(best >= all["high"].toDouble());
        QVERIFY(best <= all["high"].toDouble() * 1.05);
        const auto nothing =
            runHere("optimize p.gridhelm --maximize peak --subject-to average=1e6:");
        QCOMPARE(nothing.exitCode, 3);
        QVERIFY2(nothing.out.contains("nothing in these ranges"), nothing.out);
    }

    void tradeOffsHaveBothEnds()
    {
        const auto line = QString("optimize p.gridhelm --maximize average --against min:peak");
        const auto front = document(line + " --points 7 --csv front.csv")["front"].toArray();
        QCOMPARE(front.size(), 7);
        const auto of = [&](qsizetype i, const char *name) {
            return front[i].toObject()["values"].toObject()[name].toDouble();
        };
        const auto best = [&](const QString &command) {
            for (const auto &entry :
                 document("optimize p.gridhelm " + command)["responses"].toArray())
                return entry.toObject()["value"].toDouble();
            return 0.0;
        };
        QVERIFY(std::abs(of(0, "average") - best("--maximize average")) <= 1e-6);
        QVERIFY(std::abs(of(6, "peak") - best("--minimize peak")) <= 1e-6);
        for (qsizetype i = 1; i < 7; ++i)
            QVERIFY(of(i, "average") < of(i - 1, "average") && of(i, "peak") < of(i - 1, "peak"));
        // What is said of a place is what the responses are there.
        const auto place = front[3].toObject()["at"].toObject();
        const auto there = document(QString("responses p.gridhelm --at x=%1,width=%2")
                                        .arg(place["x"].toDouble(), 0, 'g', 17)
                                        .arg(place["width"].toDouble(), 0, 'g', 17));
        for (const auto &entry : there["responses"].toArray()) {
            const auto name = entry.toObject()["name"].toString().toUtf8();
            if (name == "average" || name == "peak")
                QVERIFY(std::abs(entry.toObject()["value"].toDouble() - of(3, name)) <= 1e-6);
        }
        const auto table = csvOf(bytesOf("front.csv"));
        QCOMPARE(table.size(), 8);
        QVERIFY2(runHere(line).out.contains("average against peak, the Pareto front:"), "as text");
        QCOMPARE(runHere(line + " --subject-to average=1e6:").exitCode, 3);
    }

    void slopesAreResponses()
    {
        // Along the whole width the slope adds up to what differs between the ends.
        QCOMPARE(runHere("copy p.gridhelm slopes.gridhelm").exitCode, 0);
        for (const auto *line :
             {"--add left --of temperature --reduce value --in \"point 0.25,0.5,0\"",
              "--add right --of temperature --reduce value --in \"point 0.75,0.5,0\"",
              "--add rise --of grad_x(temperature) --reduce integral --in \"line "
              "0.25,0.5,0,0.75,0.5,0\"",
              "--add steepest --of mag(grad(temperature)) --reduce maximum --in \"box "
              "0.2,0.2,0,0.8,0.8,0\""})
            QCOMPARE(runHere(QString("responses slopes.gridhelm ") + line).exitCode, 0);
        const auto value = [&](const char *name) {
            return response(QString("responses slopes.gridhelm --at ") + at, name)["value"]
                .toDouble();
        };
        const double rise = value("right") - value("left");
        QVERIFY(std::abs(rise) > 0);
        QVERIFY2(std::abs(value("rise") - rise) <= 0.1 * value("steepest"),
                 qPrintable(QString("%1 %2").arg(value("rise")).arg(rise)));
        QCOMPARE(response("responses slopes.gridhelm", "rise")["way"].toString(), "rows");
        QVERIFY(value("steepest") > 2 * std::abs(rise));
        QVERIFY(isRefused("responses slopes.gridhelm --add no --of grad(temperature)", "grad_x"));
        QVERIFY(
            isRefused("responses slopes.gridhelm --add no --of div(temperature)", "two or three"));
    }

    void measurementsAreMatched()
    {
        const auto truth = "x=0.37,width=0.61";
        // By responses: a parameter is called x, so that a column of this name is the parameter's.
        QByteArray table = "response,value,sd\n";
        for (const auto &entry :
             document(QString("responses p.gridhelm --at %1").arg(truth))["responses"].toArray())
            table += entry.toObject()["name"].toString().toUtf8() + ","
                     + QByteArray::number(entry.toObject()["value"].toDouble(), 'g', 12)
                     + ",0.001\n";
        write("measured.csv", table);
        const auto fit = document("match p.gridhelm measured.csv --samples 20000 --csv post.csv");
        QVERIFY(std::abs(fit["at"].toObject()["x"].toDouble() - 0.37) <= 1e-4);
        QVERIFY(std::abs(fit["at"].toObject()["width"].toDouble() - 0.61) <= 1e-4);
        const auto width = fit["posterior"].toObject()["parameters"].toObject()["width"].toObject();
        QVERIFY(width["low"].toDouble() < 0.61 && width["high"].toDouble() > 0.61);
        QVERIFY(width["r_hat"].toDouble() > 0.9);
        QVERIFY(csvOf(bytesOf("post.csv")).size() > 20'000);
        const auto predicted =
            response("uncertainty p.gridhelm --samples 1024 --inputs post.csv", "average");
        const auto byColumns = response("uncertainty p.gridhelm --samples 1024 --input-csv "
                                        "x=post.csv --input-csv width=post.csv",
                                        "average");
        QCOMPARE(predicted, byColumns);
        const auto before = response("uncertainty p.gridhelm --samples 1024", "average");
        QVERIFY(predicted["deviation"].toDouble() < 0.1 * before["deviation"].toDouble());
        QVERIFY(isRefused("uncertainty p.gridhelm --input-csv x=measured.csv", "no column x"));
        QVERIFY(isRefused("uncertainty p.gridhelm --inputs measured.csv", "none of the study's"));
        QVERIFY(isRefused("uncertainty p.gridhelm --inputs post.csv --fix x=0.4", "given twice"));
        QVERIFY(isRefused("uncertainty p.gridhelm --inputs post.csv --correlate x,width=0.5",
                          "row by row"));
        QVERIFY(isRefused("match p.gridhelm measured.csv --inputs post.csv", "prior"));
        // One number does not tell two parameters.
        write("one.csv", "response,value,sd\naverage,0.02,0.001\n");
        const auto doubtful = document("match p.gridhelm one.csv --best-only");
        QVERIFY(doubtful["doubts"].toArray()[0].toString().contains("cannot tell"));
    }

    void whatIsHeldIsNotLookedFor()
    {
        write("one.csv", "response,value,sd\naverage,0.02,0.001\n");
        const auto held = document("match p.gridhelm one.csv --best-only --fix x=0.4");
        QCOMPARE(held["at"].toObject().keys(), QStringList{"width"});
        for (const auto &doubt : held["doubts"].toArray())
            QVERIFY2(!doubt.toString().contains("cannot tell"), qPrintable(doubt.toString()));
        const auto inside =
            document("match p.gridhelm one.csv --best-only --input \"x=uniform(0.4,0.41)\"");
        const double x = inside["at"].toObject()["x"].toDouble();
        QVERIFY(x >= 0.4 - 1e-9 && x <= 0.41 + 1e-9);
        // With samples, these say what was not determined.
        const auto sampled = document("match p.gridhelm one.csv --samples 4000");
        const auto told = sampled["posterior"].toObject()["parameters"].toObject();
        for (const auto *name : {"x", "width"}) {
            bool isDoubted = false;
            for (const auto &doubt : sampled["doubts"].toArray())
                isDoubted = isDoubted
                            || (doubt.toString().contains("do not determine")
                                && doubt.toString().section(':', 0, 0).contains(name));
            QCOMPARE(isDoubted, told[name].toObject()["left_over"].toDouble() > 0.5);
        }
    }

    void rowsOfAFileStayTogether()
    {
        write("rows.csv", "\xEF\xBB\xBFx,width\r\n0.37,0.61\r\n0.45,0.5\r\n");
        QCOMPARE(runHere("uncertainty p.gridhelm --response average --samples 64 --csv drawn.csv "
                         "--input-csv x=rows.csv --input-csv width=rows.csv")
                     .exitCode,
                 0);
        auto rows = csvOf(bytesOf("drawn.csv"));
        rows.removeFirst();
        QCOMPARE(rows.size(), 64);
        for (const auto &row : rows) {
            const bool isFirst = std::abs(row[0].toDouble() - 0.37) <= 1e-9;
            QVERIFY(std::abs(row[1].toDouble() - (isFirst ? 0.61 : 0.5)) <= 1e-9);
        }
        QVERIFY(isRefused("sobol p.gridhelm --input-csv x=rows.csv --input-csv width=rows.csv",
                          "go together row by row have no Sobol' indices"));
        const auto points = runHere("eval p.gridhelm --points rows.csv --probe 0.4,0.6,0 "
                                    "--field temperature --csv points.csv");
        QVERIFY2(points.exitCode == 0, points.err);
    }

    void krigingAnswersToo()
    {
        QCOMPARE(runHere("copy p.gridhelm k.gridhelm").exitCode, 0);
        const auto kriged = runHere("compress k.gridhelm --surrogate kriging");
        QVERIFY2(kriged.exitCode == 0, kriged.err);
        for (const auto *name : {"average", "peak"}) {
            const auto here = response(QString("responses k.gridhelm --at %1").arg(at), name);
            const auto grid = response(QString("responses p.gridhelm --at %1").arg(at), name);
            QVERIFY(std::abs(here["value"].toDouble() - grid["value"].toDouble())
                    <= 0.2 * std::abs(grid["value"].toDouble()));
            const auto indices = response("sobol k.gridhelm --samples 4096", name);
            QVERIFY(!indices["is_exact"].toBool());
            QVERIFY(indices["first_error"].toObject()["x"].toDouble() > 0);
        }
    }

    void scalarStudiesAnswerWithoutSpace()
    {
        QCOMPARE(runHere("responses s.gridhelm --add centre --of temperature --reduce value --in "
                         "\"point 0.5,0.5,0\" --unit K")
                     .exitCode,
                 0);
        const auto indices = response("sobol s.gridhelm", "centre");
        const auto total = indices["total"].toObject();
        QCOMPARE(total.keys(), QStringList{"width"});
        QVERIFY(std::abs(total["width"].toDouble() - 1) <= 1e-9);
        // As a picture of three by three pixels has it in its middle.
        QCOMPARE(runHere("eval s.gridhelm --at width=0.37 --resolution 3 --out s.vti").exitCode, 0);
        const double middle =
            static_cast<double>(readMeshFile(here("s.vti")).at(0).values.at(0).at(4));
        const auto centre = response("responses s.gridhelm --at width=0.37", "centre");
        QVERIFY(std::abs(centre["value"].toDouble() - middle) <= 1e-5 * std::abs(middle));
        QVERIFY(runHere("sobol s.gridhelm").out.contains("is not measured"));
        const auto best = document("optimize s.gridhelm --maximize centre");
        QCOMPARE(best["at"].toObject().keys(), QStringList{"width"});
    }

    void badInputIsSaid_data()
    {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QByteArray>("why");
        const auto row = [](const char *line, const char *why) {
            QTest::newRow(line) << QString(line) << QByteArray(why);
        };
        row("responses s.gridhelm --add a --of temperature --reduce maximum",
            "means and integrals");
        row("responses s.gridhelm --add a --of temperature --in \"sphere 0.5,0.5,0,0.2\"",
            "in a box");
        row("sobol s.gridhelm --map temperature --out a.vti", "scalar");
        row("responses p.gridhelm --add a", "--of");
        row("responses p.gridhelm --add a --of nothing", "means nothing");
        row("responses p.gridhelm --add 3d --of temperature", "choose another name");
        row("responses p.gridhelm --add a --of temperature --reduce often", "choose from");
        row("responses p.gridhelm --add a --of temperature --reduce value", "at a point");
        row("responses p.gridhelm --add a --of temperature --in \"point 5,5,0\"",
            "outside of the mesh");
        row("responses p.gridhelm --add a --of temperature --in \"sphere 5,5,0,0.1\"", "nothing of the mesh in the region");
        row("responses p.gridhelm --add a --of temperature/0", "no finite number");
        for (const auto *how : {"maximum", "\"above 1\""}) { // a share passes over what is none
            const auto line =
                QByteArray("responses p.gridhelm --add a --of sqrt(-1-temperature^2) --reduce ")
                + how;
            row(line.constData(), "no finite number");
        }
        row("responses p.gridhelm --remove peak --add a --of nothing", "means nothing");
        row("responses p.gridhelm --remove peak --add 3d --of temperature", "choose another name");
        row("responses p.gridhelm --remove peek", "did you mean peak");
        row("sobol p.gridhelm --correlate x,width=0.5", "correlated");
        row("sobol p.gridhelm --shapley --samples 255", "too few");
        row("sobol p.gridhelm --shapley --map temperature --out a.vti", "leave --map or");
        row("sobol p.gridhelm --map temperature --out a.vti --backend cuda --devices cpu",
            "leave one of them out");
        row("sobol p.gridhelm --map temperature --out a.vti --backend cuda --devices cpu/2",
            "--backend cuda with --devices cpu/2");
        row("sobol p.gridhelm --input x=normal(0,9)", "outside of");
        row("sobol p.gridhelm --response prob", "did you mean probe");
        row("sobol p.gridhelm --map temperature", "--out");
        row("uncertainty p.gridhelm --samples 3", "16 to");
        row("uncertainty p.gridhelm --fix x=7", "range");
        row("uncertainty p.gridhelm --input x=uniform --fix x=0.5", "twice");
        row("sobol p.gridhelm --response average --samples 10000000000000", "at most");
        row("sobol p.gridhelm --input x=normal(0.5,1e-320)", "too narrow");
        row("uncertainty p.gridhelm --csv p.gridhelm", "would be replaced");
        row("uncertainty p.gridhelm --map temperature --out ./p.gridhelm", "would be replaced");
        row("sobol p.gridhelm --map temperature --out p.gridhelm", "would be replaced");
        row("eval p.gridhelm --at x=0.4,width=0.5 --probe 0.4,0.6,0 --csv p.gridhelm",
            "would be replaced");
        row("match p.gridhelm unit.csv --csv p.gridhelm", "would be replaced");
        row("match p.gridhelm unit.csv --csv ./unit.csv", "would be replaced");
        row("match p.gridhelm unit.csv --best-only --csv a.csv", "leave one");
        row("match p.gridhelm held.csv --fix width=0.5", "column of its own");
        row("match p.gridhelm far.csv", "no finite number");
        row("uncertainty p.gridhelm --map temperature --out u.vti --response a", "leave one");
        row("uncertainty p.gridhelm --map temperature --out u.vti --csv a.csv", "leave one");
        row("uncertainty p.gridhelm --percentiles 5,5", "each once");
        row("uncertainty p.gridhelm --correlate x,width=0.5 --correlate width,x=-0.5", "twice");
        row("uncertainty p.gridhelm --correlate x,width=1", "between -1 and 1");
        row("uncertainty p.gridhelm --input-csv x=semicolons.csv", "names no column x");
        row("optimize p.gridhelm --minimize peak --range x=0.6: --range x=:0.4", "lower end");
        row("optimize p.gridhelm --minimize peak --subject-to peak=:", "one end");
        row("optimize p.gridhelm", "what is wanted");
        row("optimize p.gridhelm --minimize peak --subject-to average=3", "low:high");
        row("optimize p.gridhelm --minimize peak --range width=0.1:0.5", "width");
        row("optimize p.gridhelm --minimize peak --csv a.csv", "--against");
        row("optimize p.gridhelm --minimize peak --against min:average --points 1", "2 to 1000");
        row("optimize p.gridhelm --minimize peak --against min:average --csv p.gridhelm",
            "replaced");
        row("optimize p.gridhelm --minimize peak --against average", "min:NAME");
        row("match p.gridhelm none.csv", "none.csv");
        row("match p.gridhelm zero.csv", "above 0");
        row("match p.gridhelm comma.csv", "decimal comma");
        row("match p.gridhelm unit.csv", "convert");
        row("match p.gridhelm range.csv", "outside of the study's range");
        row("match p.gridhelm empty.csv", "has no rows");
        row("match p.gridhelm column.csv", "means nothing here");
    }

    void badInputIsSaid()
    {
        QFETCH(QString, line);
        QFETCH(QByteArray, why);
        write("zero.csv", "response,value,sd\naverage,1,0\n");
        write("comma.csv", "response,value,sd\naverage,1,5,0.1\n");
        write("semicolons.csv", "response;value;sd\naverage;1,5;0,1\n");
        write("unit.csv", "response,value,sd,unit\naverage,1,0.1,degF\n");
        write("range.csv", "response,value,sd,width\naverage,1,0.1,3\n");
        write("empty.csv", "response,value,sd\n");
        write("column.csv", "response,value,sd,colour\naverage,1,0.1,red\n");
        write("held.csv", "response,value,sd,width\naverage,0.02,0.1,0.5\n");
        write("far.csv", "response,value,sd\naverage,1e300,1e-10\n");
        const auto before = bytesOf("p.gridhelm");
        QVERIFY(isRefused(line, why));
        QVERIFY(bytesOf("p.gridhelm") == before);
    }
};

GRIDHELM_TEST(TestCliAnswers)
#include "tst_cli_answers.moc"
