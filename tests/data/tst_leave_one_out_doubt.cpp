// SPDX-License-Identifier: GPL-3.0-or-later
//
// Of kriging on a grid whose ends are extrapolated it is said that its leave-one-out error is too
// small, and of nothing else.
#include "data/campaign/campaign_text.h"
#include "data/evaluate/hold_out.h"
#include "tests/data/kriging_studies.h"
#include "tests/data/scattered_cases.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::test;

namespace {

std::string notesOf(const Study &study)
{
    std::vector<std::string> all;
    for (const auto &summary : summarize(study.errorFigures()))
        for (const auto &note : errorNotes(summary, "u", study.grid()->points(),
                                           leaveOneOutDoubt(study, summary.field)))
            all.push_back(note);
    return linesOf(all);
}

/// Kriged, on a grid with this treatment of all its parameters.
std::string notesWith(sparse::BoundaryTreatment treatment)
{
    const Folder folder;
    auto description = smallDescription(3);
    std::vector<Parameter> parameters(description.space.parameters().begin(),
                                      description.space.parameters().end());
    for (auto &parameter : parameters)
        parameter.treatment = treatment;
    description.space = ParameterSpace(parameters);
    auto writer = StudyWriter::create(folder / "s", description);
    writer.addField(smallField("u", 20));
    runAllJobs(writer);
    writer.close();
    krige(folder / "s");
    const auto study = Study::open(folder / "s");
    const auto errors = summarize(study.errorFigures());
    if (std::ranges::find(errors, ErrorKind::leaveOneOut, &ErrorSummary::kind) == errors.end())
        return "there is no leave-one-out error";
    return notesOf(study);
}

} // namespace

class LeaveOneOutDoubtTest : public QObject
{
    Q_OBJECT

private slots:
    void thatOfExtrapolatedEndsIsSaidToBeTooSmall()
    {
        const auto notes = notesWith(sparse::BoundaryTreatment::modified);
        QVERIFY2(notes.find("leave-one-out of u: TOO SMALL") != std::string::npos
                     && notes.find("judge by validation points") != std::string::npos,
                 notes.c_str());
    }

    void thatOfAGridWithItsEndsIsNot()
    {
        QCOMPARE(notesWith(sparse::BoundaryTreatment::boundary), std::string());
    }

    void thatOfTheSparseGridIsNot()
    {
        const Folder folder;
        makeStudy(folder / "s", 3);
        QCOMPARE(leaveOneOutDoubt(Study::open(folder / "s"), 0), std::string());
    }

    void thatOfScatteredRunsIsNot()
    {
        const Folder folder;
        writeText(folder / "t.csv", tableOf(12, {wave}));
        scatteredStep(stepOf(folder), {});
        const auto study = Study::open(folder / "s");
        QVERIFY(study.kriging(0));
        QCOMPARE(notesOf(study), std::string());
    }
};

GRIDHELM_TEST(LeaveOneOutDoubtTest)
#include "tst_leave_one_out_doubt.moc"
