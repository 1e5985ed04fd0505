// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/files/study_opening.h"

#include "ui/window/files/recent_files.h"
#include "ui/window/files/saving_dialogs.h"
#include "ui/window/preferences/preferences.h"
#include "ui/window/views/view_area.h"
#include "ui/window/window_files.h"

#include <QFileInfo>
#include <QJsonDocument>
#include <QSettings>

#include <utility>

namespace gridhelm::ui {
namespace {

constexpr auto studyKey = "last study", steeringKey = "last steering";

QString absoluteText(const std::filesystem::path &path)
{
    return QFileInfo(QString::fromStdString(path.string())).absoluteFilePath();
}

} // namespace

StudyOpening::StudyOpening(FieldService &service, SteeringModel &model, ViewArea &area)
    : m_service(service)
    , m_model(model)
    , m_area(area)
{
    connect(&service, &FieldService::opened, this, &StudyOpening::take);
    connect(&service, &FieldService::openFailed, this, [this](const QString &sentence) {
        const bool wasWanted = !m_opening.isEmpty();
        m_opening.clear();
        m_steering = {};
        if (!std::exchange(m_isTrying, false))
            emit failed(sentence, wasWanted);
    });
    connect(&service, &FieldService::nothingToShow, this, &StudyOpening::takeUnfinished);
}

void StudyOpening::begin(const QString &study, const QJsonObject &steering)
{
    m_isTrying = false;
    m_opening = study;
    m_steering = steering;
    m_service.open(m_opening.toStdString());
}

void StudyOpening::open(const QString &path)
{
    if (!path.endsWith(viewSuffix)) {
        begin(path, {});
        return;
    }
    const auto saved = readView(path);
    begin(saved.study, saved.steering);
}

bool StudyOpening::openLast()
{
    const QSettings settings;
    const auto path = settings.value(studyKey).toString();
    if (path.isEmpty() || !QFileInfo::exists(path))
        return false;
    open(path);
    m_steering = QJsonDocument::fromJson(settings.value(steeringKey).toByteArray()).object();
    return true;
}

void StudyOpening::tryToOpen(const QString &study)
{
    begin(study, {}); // what was steered is another study's
    m_isTrying = true;
}

void StudyOpening::close()
{
    m_opening.clear();
    m_service.close();
}

void StudyOpening::take(std::shared_ptr<const StudyFacts> facts)
{
    m_isTrying = false;
    const bool isNew = !m_opening.isEmpty();
    m_model.setStudy(std::move(facts));
    if (isNew) {
        const auto &study = *m_model.study();
        addRecentFile(QString::fromStdString(study.path.string()));
        if (m_steering.isEmpty() && m_model.now() == initialSteering(study))
            m_model.change("preferences", readPreferences().appliedTo(m_model.now()));
        if (!m_steering.isEmpty())
            m_model.change("saved view", fromJson(m_steering, study, m_model.now()));
        m_area.arrange(std::exchange(m_steering, {}));
        m_model.undoStack().clear();
        m_opening.clear();
    }
    emit opened(isNew);
}

void StudyOpening::takeUnfinished(const std::filesystem::path &path)
{
    m_opening.clear();
    m_steering = {};
    if (std::exchange(m_isTrying, false))
        return;
    emit openedUnfinished(absoluteText(path));
}

void StudyOpening::keep(QSettings &settings, const QString &study) const
{
    settings.setValue(studyKey, study);
    settings.remove(steeringKey);
    if (m_model.study() && absoluteText(m_model.study()->path) == study)
        settings.setValue(steeringKey,
                          QJsonDocument(m_area.state()).toJson(QJsonDocument::Compact));
}

} // namespace gridhelm::ui
