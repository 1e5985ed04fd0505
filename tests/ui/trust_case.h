// SPDX-License-Identifier: GPL-3.0-or-later
//
// The window on studies whose errors are measured, or not, with its panel Trust.
#pragma once

#include "data/compress/compress.h"
#include "data/evaluate/error_bands.h"
#include "data/evaluate/hold_out.h"
#include "data/evaluate/hold_out_places.h"
#include "data/evaluate/indicator_share.h"
#include "tests/core/on_cpu.h"
#include "tests/ui/window_case.h"
#include "ui/controls/number_text.h"
#include "ui/trust/trust_panel.h"

#include <QTabWidget>
#include <QTableView>

namespace gridhelm::test {

using namespace ui;

/// With hold-outs at some places, and what they say measured.
inline std::filesystem::path makeMeasuredStudy(const Folder &folder)
{
    const auto path = folder / "measured.gridhelm";
    auto writer = newStudy(path, 3);
    runAllJobs(writer);
    const auto &space = writer.description().space;
    for (const auto &parameters : data::holdOutParameters(writer, 6, 1)) {
        const auto id = writer.addHoldOut(parameters);
        const auto x = space.toUnit(parameters);
        for (data::FieldIndex field = 0; field < writer.fields().size(); ++field) {
            std::vector<float> values(writer.fields()[field].values());
            for (std::size_t i = 0; i < values.size(); ++i)
                values[i] = simulate(x, i, field);
            writer.putHoldOut(id, field, values);
        }
    }
    compress(writer, {});
    storeErrors(writer, test::onCpu());
    writer.close();
    return path;
}

/// Share of the indicator in what the library evaluates.
inline double indicatorShareAt(const std::filesystem::path &path, data::FieldIndex field,
                               const std::vector<double> &parameters)
{
    const auto study = data::Study::open(path);
    const auto size = study.fields().at(field).values();
    std::vector<float> values(size), indicator(size);
    data::evaluateFromFile(study, field, study.description().space.toUnit(parameters),
                           {values, indicator}, CpuDevice{});
    double above = 0, below = 0;
    for (std::size_t i = 0; i < size; ++i) {
        above += std::pow(static_cast<double>(indicator[i]), 2);
        below += std::pow(static_cast<double>(values[i]), 2);
    }
    return std::sqrt(above / below);
}

/// Of the first field, by what the library evaluates.
inline data::BandHere bandAt(const std::filesystem::path &path,
                             const std::vector<double> &parameters)
{
    const auto study = data::Study::open(path);
    std::vector<float> values(study.fields()[0].values()), indicator(values.size());
    data::evaluateFromFile(study, 0, study.description().space.toUnit(parameters),
                           {values, indicator}, CpuDevice{});
    return data::bandHere(*data::bandOf(study, 0), data::rootMeanSquare(indicator),
                          data::rootMeanSquare(values));
}

/// With the table of errors before its other pages.
class OpenTrust : public OpenWindow
{
public:
    static constexpr int tablePage = 1;

    explicit OpenTrust(const std::filesystem::path &path)
        : OpenWindow(path)
    {
        window->showPanel(panel());
        panel().pages()->setCurrentIndex(tablePage);
    }

    TrustPanel &panel() { return window->trustPanel(); }
    QTableView &table() { return *panel().findChild<QTableView *>(); }
    QComboBox &kind() { return *panel().findChild<QComboBox *>("errorKind"); }
    const Tint &tint(std::size_t t) { return slider(t).track()->tint(); }
    /// Until all tracks have one of the present state.
    bool waitForTints()
    {
        return QTest::qWaitFor(
            [this] {
                for (std::size_t t = 0; t < 3; ++t) {
                    if (tint(t).strengths.empty() || tint(t).isStale)
                        return false;
                }
                return true;
            },
            waitMilliseconds);
    }
    QString cell(int row, int column)
    {
        return table().model()->index(row, column).data().toString();
    }
};

} // namespace gridhelm::test
