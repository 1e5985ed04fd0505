// SPDX-License-Identifier: GPL-3.0-or-later
//
// A small plate with hold-outs, and a panel that answers about it.
#pragma once

#include "data/campaign/campaign_steps.h"
#include "data/campaign/study_plan.h"
#include "data/mesh/campaign_files.h"
#include "data/mesh/place_samples.h"
#include "data/study/study_writer.h"
#include "tests/core/on_cpu.h"
#include "tests/data/study_cases.h"
#include "ui/answers/answers_panel.h"
#include "ui/answers/response_form.h"
#include "ui/answers/response_list_model.h"
#include "ui/steering/study_facts.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPushButton>
#include <QTabWidget>
#include <QTest>

#include <filesystem>
#include <memory>
#include <string>

namespace gridhelm::test {

constexpr int patience = 120'000; ///< milliseconds; instrumented builds on busy machines

/// Temperature over the place and the strength of a source, run, compressed, and measured.
inline std::filesystem::path makePlate(const Folder &folder)
{
    const auto path = folder / "plate.gridhelm";
    const std::string plan = "[[parameter]]\nname = \"x\"\n[[parameter]]\nname = \"y\"\n"
                             "[[parameter]]\nname = \"strength\"\ncap = 2\n[grid]\nlevel = 3\n"
                             "[simulation]\nbuiltin = \"plate\"\nresolution = 17\n";
    std::string note;
    auto writer = data::createStudy(path, data::parsePlan(plan, "plan", path.parent_path()), note);
    data::StepControl control;
    control.files = data::meshFilesThroughVtk();
    data::runStep(writer, {}, control);
    data::CompressStep step;
    step.holdOuts = 9;
    data::compressStep(writer, step, control);
    writer.close();
    return path;
}

/// Runs a plate once more, so that the study has grown.
inline void addHoldOut(const std::filesystem::path &plate)
{
    auto writer = data::StudyWriter::open(plate);
    data::StepControl control;
    control.files = data::meshFilesThroughVtk();
    data::CompressStep step;
    step.holdOuts = writer.holdOuts().size() + 1;
    data::compressStep(writer, step, control);
    writer.close();
}

inline std::shared_ptr<const ui::StudyFacts> factsOf(const std::filesystem::path &path)
{
    return ui::factsOf(
        data::StudyFields(data::Study::open(path), sparse::makeOmpBackend(onCpu(1))));
}

inline const data::ResponseDefinition average{"average", "K", "temperature", "mean", ""};
inline const data::ResponseDefinition peak{"peak", "K", "temperature", "maximum", ""};

inline void keep(const std::filesystem::path &path,
                 const std::vector<data::ResponseDefinition> &definitions)
{
    auto writer = data::StudyWriter::open(path);
    for (const auto &definition : definitions)
        writer.putResponse(definition);
    writer.close();
}

constexpr int averageRow = 0, peakRow = 1; ///< as the study sorts them

inline std::filesystem::path makePlateWithResponses(const Folder &folder)
{
    auto path = makePlate(folder);
    keep(path, {average, peak});
    return path;
}

/// Replaces a plate by a study of two parameters that has its mesh, its field and a response.
inline void replaceByTwoParameters(const std::filesystem::path &plate)
{
    const auto other = plate.parent_path() / "other.gridhelm";
    {
        const auto study = data::Study::open(plate);
        auto writer = data::StudyWriter::create(
            other, {"other", data::StudyKind::vector,
                    ParameterSpace({Parameter{"x", "", 0, 1}, Parameter{"y", "", 0, 1}}), 2, ""});
        writer.setMesh(*study.mesh());
        for (const auto &field : study.fields())
            writer.addField(field);
        runAllJobs(writer);
        data::compress(writer, {});
        writer.putResponse(average);
        writer.close();
    }
    std::filesystem::rename(other, plate);
}

/// A panel with a study, which is shown.
class OpenAnswers
{
public:
    explicit OpenAnswers(const std::filesystem::path &path)
        : panel(std::make_unique<ui::AnswersPanel>(model, onCpu(2)))
    {
        panel->resize(420, 900);
        panel->show();
        model.setStudy(factsOf(path));
        panel->setActive(true);
    }

    bool settle()
    {
        return QTest::qWaitFor([this] { return panel->isSettled(); }, patience);
    }
    template <typename Child>
    Child *child(const char *name)
    {
        auto *found = panel->findChild<Child *>(name);
        if (!found)
            qFatal("there is no %s", name);
        return found;
    }
    void click(const char *name) { QTest::mouseClick(child<QPushButton>(name), Qt::LeftButton); }
    void type(const char *name, const QString &text)
    {
        auto *field = child<QLineEdit>(name);
        field->setFocus();
        field->selectAll();
        QTest::keyClick(field, Qt::Key_Delete);
        QTest::keyClicks(field, text);
    }
    double value(int row)
    {
        const auto &live = panel->responses()->live();
        return live->responses.at(static_cast<std::size_t>(row)).value.value();
    }
    QString shownValue(int row)
    {
        return panel->responses()->index(row).data(ui::ResponseListModel::valueRole).toString();
    }
    void choose(int row) { panel->list()->setCurrentIndex(panel->responses()->index(row)); }

    ui::SteeringModel model;
    std::unique_ptr<ui::AnswersPanel> panel;
};

/// A response of the study is chosen, and a page in front.
inline std::unique_ptr<OpenAnswers> openAnswers(const std::filesystem::path &path, int row,
                                                int page)
{
    auto open = std::make_unique<OpenAnswers>(path);
    if (!open->settle())
        qFatal("the responses are not read");
    open->choose(row);
    open->panel->pages()->setCurrentIndex(page);
    return open;
}

/// What the library says of a response.
inline data::StudyResponse known(const std::filesystem::path &path,
                                 const data::ResponseDefinition &definition)
{
    const auto study = data::Study::open(path);
    return data::studyResponses(study, {definition}, data::samplesOf(study), onCpu(1)).front();
}

} // namespace gridhelm::test
