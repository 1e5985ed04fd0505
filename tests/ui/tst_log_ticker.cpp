// SPDX-License-Identifier: GPL-3.0-or-later
//
// Logarithmic axes: what labels say, and that they do not crowd.
#include "tests/support/test_program.h"
#include "ui/plot/log_ticker.h"

#include <QTest>

#include <cmath>

using namespace gridhelm::ui;

class LogTickerTest : public QObject
{
    Q_OBJECT

private slots:
    void labelsAreTheirTicks_data();
    void labelsAreTheirTicks();
    void powersAloneWhereThereAreMany();
};

namespace {

struct Ticks
{
    QVector<double> values, between;
    QVector<QString> labels;
};

/// As an axis asks for them.
Ticks ticksOf(double lower, double upper)
{
    Ticks ticks;
    LogTicker ticker;
    ticker.generate(QCPRange(lower, upper), QLocale::c(), 'e', 0, ticks.values, &ticks.between,
                    &ticks.labels);
    return ticks;
}

} // namespace

void LogTickerTest::labelsAreTheirTicks_data()
{
    QTest::addColumn<double>("lower");
    QTest::addColumn<double>("upper");
    QTest::newRow("runs of a study") << 4.2 << 132.0;
    QTest::newRow("within a power") << 31.0 << 97.0;
    QTest::newRow("around one") << 85.0 << 130.0;
    QTest::newRow("hardly any") << 100.0 << 104.0;
    QTest::newRow("errors") << 0.08 << 2.3;
    QTest::newRow("small") << 2e-7 << 5e-6;
    QTest::newRow("many powers") << 1e-12 << 3.0;
}

void LogTickerTest::labelsAreTheirTicks()
{
    QFETCH(double, lower);
    QFETCH(double, upper);
    const auto ticks = ticksOf(lower, upper);
    QCOMPARE(ticks.values.size(), ticks.labels.size());
    int inRange = 0;
    double before = 0;
    for (int i = 0; i < ticks.values.size(); ++i) {
        const double tick = ticks.values[i];
        QVERIFY2(std::abs(ticks.labels[i].toDouble() - tick) <= 1e-5 * tick,
                 qPrintable(ticks.labels[i]));
        if (tick < lower || tick > upper)
            continue;
        ++inRange;
        // Nowhere closer than a tenth of the axis.
        const double share = std::log(tick / lower) / std::log(upper / lower);
        QVERIFY2(before == 0 || share - before > 0.075, qPrintable(ticks.labels[i]));
        before = share;
    }
    QVERIFY2(inRange >= 2, qPrintable(QString::number(inRange)));
}

void LogTickerTest::powersAloneWhereThereAreMany()
{
    const auto ticks = ticksOf(1e-5, 10);
    for (const double tick : ticks.values)
        QVERIFY(std::abs(std::log10(tick) - std::round(std::log10(tick))) < 1e-9);
    QVERIFY(!ticks.between.isEmpty());
    QCOMPARE(ticks.labels.last(), QString("10"));
}

GRIDHELM_TEST(LogTickerTest)
#include "tst_log_ticker.moc"
