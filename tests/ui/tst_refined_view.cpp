// SPDX-License-Identifier: GPL-3.0-or-later
//
// The view of a study whose grid grows block by block.
#include "data/compress/compress.h"
#include "data/evaluate/indicator_share.h"
#include "tests/ui/window_case.h"

#include <cmath>

using namespace gridhelm;
using namespace gridhelm::ui;
using namespace gridhelm::test;

namespace {

/// In what the library evaluates.
double indicatorShareAt(const std::filesystem::path &path, const std::vector<double> &parameters)
{
    const auto study = data::Study::open(path);
    const auto size = study.fields().front().values();
    std::vector<float> values(size), indicator(size);
    data::evaluateFromFile(study, 0, study.description().space.toUnit(parameters),
                           {values, indicator}, CpuDevice{});
    return data::indicatorShare(indicator, values);
}

} // namespace

class RefinedViewTest : public ScreenTest
{
    Q_OBJECT

private slots:
    void blocksThatWereAddedAreSeen();
};

void RefinedViewTest::blocksThatWereAddedAreSeen()
{
    // A grid with one long arm, refined while the window is open.
    const Folder folder;
    const auto path = folder / "refined.gridhelm";
    auto description = smallDescription(2);
    description.simulation.clear();
    auto parameters = description.space.parameters();
    parameters[2].isDense = true;
    parameters[2].levelCap = 3;
    description.space = ParameterSpace(parameters);
    auto writer = data::StudyWriter::create(path, description);
    writer.setMesh(data::encodeImageMesh({{columns, rows, 1}, {0, 0, 0}, {1, 1, 1}}));
    writer.addField(smallField("u", columns * rows));
    runAllJobs(writer);
    compress(writer, {});
    OpenWindow open(path);
    QVERIFY(open.isOpen());
    for (const int level : {2, 3}) {
        const auto study = open.model().study();
        const data::Refinement more{
            0, {static_cast<sparse::Level>(level), 0, -1}, 1U << level, 0.1, false};
        writer.growBlocks({&more, 1});
        runAllJobs(writer);
        compress(writer, {});
        QTRY_VERIFY_WITH_TIMEOUT(open.model().study() != study, waitMilliseconds);
        for (const auto &[t, value] : {std::pair{0, 222.2}, {1, 0.83}, {2, 1.1}})
            open.model().setParameter(static_cast<std::size_t>(t), value, false);
        QTRY_VERIFY_WITH_TIMEOUT(open.waitForFrame()
                                     && open.frame().values
                                            == fieldAt(path, 0, open.model().now().parameters),
                                 waitMilliseconds);
        const double share = indicatorShareAt(path, open.model().now().parameters);
        QVERIFY(share > 0 && std::abs(open.frame().indicatorShare / share - 1) < 1e-3);
    }
}

GRIDHELM_SCREEN_TEST(RefinedViewTest)

#include "tst_refined_view.moc"
