// SPDX-License-Identifier: GPL-3.0-or-later
//
// The page for colleagues: what it has of a study, what it is told, what it replaces.
#include "tests/app/study_folder.h"
#include "tests/support/test_program.h"

#include <QImage>
#include <QJsonArray>

using namespace gridhelm::test;

class TestCliReport : public QObject, private StudyFolder
{
    Q_OBJECT

private:
    static constexpr const char *at = "x=0.4,width=0.5";

    QJsonObject told(const QString &line) const { return jsonOf(runHere(line + " --json")); }
    static QJsonObject average(const QJsonObject &document)
    {
        for (const auto &entry : document["responses"].toArray())
            if (entry.toObject()["name"].toString() == "average")
                return entry.toObject();
        return {};
    }
    /// By one sentence, and whatever is in the file stays.
    bool isRefused(const QString &options, const QString &page, const QByteArray &why) const
    {
        const auto before = bytesOf(page);
        const auto outcome = runHere("report p.gridhelm --out " + page + " " + options);
        const bool says = outcome.exitCode == 1 && outcome.err.contains(why)
                          && outcome.err.count('\n') == 1 && bytesOf(page) == before;
        if (!says)
            qWarning("%s ended with %d: %s", qPrintable(options), outcome.exitCode,
                     outcome.err.constData());
        return says;
    }

private slots:
    void initTestCase()
    {
        makeStudies();
        QCOMPARE(runHere("compress p.gridhelm --holdout 20").exitCode, 0);
        for (const auto *line : {"--add average --of temperature --unit K",
                                 "--add peak --of temperature --reduce maximum"})
            QCOMPARE(runHere(QString("responses p.gridhelm ") + line).exitCode, 0);
    }

    void itIsOnePageForColleagues()
    {
        const auto document = told(QString("report p.gridhelm --out report.html --at ") + at);
        QCOMPARE(document["responses"].toArray().size(), 2);
        const auto page = bytesOf("report.html");
        QCOMPARE(document["bytes"].toInteger(), page.size());
        QCOMPARE(average(document)["value"].toDouble(),
                 average(told(QString("responses p.gridhelm --at ") + at))["value"].toDouble());
        QCOMPARE(average(document)["first"].toObject(),
                 average(told("sobol p.gridhelm"))["first"].toObject());
        QVERIFY(page.contains("<h2>peak</h2>") && page.contains("<svg") && !page.contains("<script")
                && !page.contains("http-equiv=\"refresh\"") && !page.contains("src=\""));
    }

    void otherFilesStay()
    {
        write("mine.html", "<p>mine");
        QVERIFY(isRefused({}, "mine.html", "is no report"));
        QCOMPARE(runHere("report p.gridhelm --out mine.html --force").exitCode, 0);
        QVERIFY(bytesOf("mine.html").contains("<h2>average</h2>"));
        QCOMPARE(runHere("report p.gridhelm --out mine.html").exitCode, 0); // it is a report now
        QVERIFY(isRefused("--force", "p.gridhelm", "p.gridhelm"));
        QVERIFY(isRefused("--at x=99", "mine.html", "x"));
        QVERIFY(isRefused({}, "mine.pdf", "print that page"));
        QVERIFY(isRefused("--force", "mine.PDF", "print that page"));
    }

    void whatWasDecidedIsTold()
    {
        const auto document = told(
            QString("report p.gridhelm --out states.html --at %1 --state \"<b>best: width=0.25\" "
                    "--state \"a: b: x=0.3,width=0.6\"")
                .arg(at));
        const auto states = document["states"].toArray();
        QCOMPARE(states.size(), 2);
        QCOMPARE(states[0]["name"].toString(), QString("<b>best"));
        QCOMPARE(states[0]["at"]["x"].toDouble(), 0.4); // as in --at
        QCOMPARE(states[0]["at"]["width"].toDouble(), 0.25);
        QCOMPARE(states[1]["name"].toString(), QString("a: b"));
        QCOMPARE(states[0]["responses"]["average"].toDouble(),
                 average(told("responses p.gridhelm --at x=0.4,width=0.25"))["value"].toDouble());
        const auto page = bytesOf("states.html");
        QVERIFY(page.contains("<td>&lt;b&gt;best</td>") && !page.contains("<b>best"));
        QVERIFY(isRefused("--state x=0.3", "states.html", "no name"));
        QVERIFY(isRefused("--state \": x=0.3\"", "states.html", "no name"));
        QVERIFY(isRefused("--state \"far: x=99\"", "states.html", "x"));
        QVERIFY(isRefused("--state \"odd: colour=1\"", "states.html", "colour"));
    }

    void fieldsAreShown()
    {
        const auto drawn =
            runHere(QString("render p.gridhelm --field temperature --out slice.png --at ") + at);
        if (drawn.exitCode != 0)
            QSKIP("nothing can be drawn here");
        const auto document =
            told(QString("report p.gridhelm --out fields.html --field temperature --at ") + at);
        QCOMPARE(document["pictures"].toInt(), 1);
        const auto page = bytesOf("fields.html");
        const QByteArray begin = "src=\"data:image/png;base64,";
        QCOMPARE(page.count(begin), 1);
        const auto from = page.indexOf(begin) + begin.size();
        const auto shown = QImage::fromData(
            QByteArray::fromBase64(page.mid(from, page.indexOf('"', from) - from)), "PNG");
        const QImage expected(here("slice.png"));
        QCOMPARE(shown.size(), QSize(1200, 900));
        QCOMPARE(shown.convertToFormat(QImage::Format_RGB32),
                 expected.convertToFormat(QImage::Format_RGB32));
        QVERIFY(page.contains("<figcaption>temperature"));
        QVERIFY(isRefused("--field temparature", "fields.html", "temperature"));
    }
};

GRIDHELM_TEST(TestCliReport)
#include "tst_cli_report.moc"
