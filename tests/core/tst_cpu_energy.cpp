// SPDX-License-Identifier: GPL-3.0-or-later
//
// Counters of energy as Linux shows them, in a folder that looks like its own.
#include "core/execution/cpu_energy.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>

using namespace gridhelm;

namespace {

/// A folder with zones of powercap.
class Zones
{
public:
    std::filesystem::path path() const { return m_folder.path().toStdString(); }

    void set(const std::string &zone, const std::string &file, const std::string &text) const
    {
        std::filesystem::create_directories(path() / zone);
        std::ofstream(path() / zone / file) << text << "\n";
    }
    void add(const std::string &zone, const std::string &name, const std::string &microjoules) const
    {
        set(zone, "name", name);
        set(zone, "max_energy_range_uj", "1000000000");
        set(zone, "energy_uj", microjoules);
    }

private:
    QTemporaryDir m_folder;
};

} // namespace

class TestCpuEnergy : public QObject
{
    Q_OBJECT

private slots:
    void packagesAreAddedUp();
    void aCounterThatGoesRoundGoesOn();
    void whatIsNotToldIsSaid();
    void aCounterThatVanishesIsSaid();
    void thisMachineSaysEitherJoulesOrWhyNot();
};

void TestCpuEnergy::packagesAreAddedUp()
{
    const Zones zones;
    zones.add("intel-rapl:0", "package-0", "5000000");
    zones.add("intel-rapl:1", "package-1", "7000000");
    zones.add("intel-rapl:0:0", "core", "100");         // part of a package
    zones.add("intel-rapl:2", "psys", "100");           // the whole machine
    zones.add("intel-rapl-mmio:0", "package-0", "100"); // the same package once more
    CpuEnergy energy(zones.path());
    QVERIFY(energy.whyNot().empty());
    QCOMPARE(energy.joules().value(), 0.0);
    zones.set("intel-rapl:0", "energy_uj", "6500000");
    zones.set("intel-rapl:1", "energy_uj", "7250000");
    zones.set("intel-rapl:0:0", "energy_uj", "900000");
    zones.set("intel-rapl:2", "energy_uj", "900000");
    zones.set("intel-rapl-mmio:0", "energy_uj", "900000");
    QVERIFY(std::abs(energy.joules().value() - 1.75) < 1e-12);
}

void TestCpuEnergy::aCounterThatGoesRoundGoesOn()
{
    const Zones zones;
    zones.add("intel-rapl:0", "package-0", "999000000");
    CpuEnergy energy(zones.path());
    zones.set("intel-rapl:0", "energy_uj", "2000000");
    QVERIFY(std::abs(energy.joules().value() - 3) < 1e-12);
    zones.set("intel-rapl:0", "energy_uj", "4000000");
    QVERIFY(std::abs(energy.joules().value() - 5) < 1e-12);
}

void TestCpuEnergy::whatIsNotToldIsSaid()
{
    CpuEnergy nowhere("/no/such/folder");
    QVERIFY(!nowhere.joules());
    QCOMPARE(nowhere.whyNot(), std::string("not told by this machine"));

    const Zones zones;
    zones.add("intel-rapl:0", "package-0", "1");
    std::filesystem::remove(zones.path() / "intel-rapl:0" / "energy_uj"); // as if not to be read
    CpuEnergy unreadable(zones.path());
    QVERIFY(!unreadable.joules());
    QVERIFY(unreadable.whyNot().find("energy_uj") != std::string::npos);

    zones.set("intel-rapl:0", "energy_uj", "no number");
    CpuEnergy damaged(zones.path());
    QVERIFY(!damaged.joules());
}

void TestCpuEnergy::aCounterThatVanishesIsSaid()
{
    const Zones zones;
    zones.add("intel-rapl:0", "package-0", "1");
    CpuEnergy energy(zones.path());
    QVERIFY(energy.joules());
    std::filesystem::remove_all(zones.path() / "intel-rapl:0");
    QVERIFY(!energy.joules());
    QVERIFY(!energy.whyNot().empty());
}

void TestCpuEnergy::thisMachineSaysEitherJoulesOrWhyNot()
{
    CpuEnergy energy;
    const auto joules = energy.joules();
    QCOMPARE(joules.has_value(), energy.whyNot().empty());
    QVERIFY(!joules || *joules >= 0);
}

GRIDHELM_TEST(TestCpuEnergy)
#include "tst_cpu_energy.moc"
