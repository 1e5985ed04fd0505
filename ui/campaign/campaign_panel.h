// SPDX-License-Identifier: GPL-3.0-or-later
//
// Plans campaigns and works on the open study: runs its jobs, compresses, grows, imports.
//
//     auto *panel = new CampaignPanel(data::meshFilesThroughVtk(), this);
//     panel->setStudy(path);
//
// What is done with a study is done in a thread, which holds its writer for no longer than it
// works; afterwards other programs may write.
#pragma once

#include "data/mesh/snapshot_reader.h"
#include "ui/campaign/mesh_in_view.h"
#include "ui/campaign/study_state.h"

#include <QString>
#include <QWidget>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

class QDialog;
class QLabel;
class QProgressBar;
class QPushButton;
class QSettings;
class QTabWidget;

namespace gridhelm::ui {

class CampaignWorker;
class MessageBar;
class PlanPage;
class StudyPage;
class StudyReader;
struct TaskEnd;

class CampaignPanel : public QWidget
{
    Q_OBJECT

public:
    /// `files` reads the results of commands, and those that are imported.
    explicit CampaignPanel(data::MeshFiles files, QWidget *parent = nullptr);
    /// Stops what is running, as Ctrl-C does on a terminal; the study is in order afterwards.
    ~CampaignPanel() override;

    /// The study whose jobs are shown. What is running goes on, whatever study it is of; until it
    /// has ended, nothing else can be begun. The same study again changes nothing.
    void setStudy(const QString &path);
    void clearStudy();
    QString study() const { return m_study; }
    /// Values of all parameters at the sliders, for *Refine* there.
    void setPlace(const std::vector<double> &values);
    /// Shows itself, and begins up to so many runs for the error at this place; says why if it
    /// cannot.
    void refineAt(const std::vector<double> &place, std::uint64_t runs);
    /// The study that the main view shows, and what tells what is inside of its picture, for
    /// *Refine* there; an empty path: none.
    void setView(const QString &path, const MeshInViewSource &source);
    /// Shows the page Plan with the plan that is there, to be typed into.
    void beginPlan();
    /// Opens a plan (TOML) in the editor.
    void openPlan(const QString &path);

    bool isRunning() const;
    /// Asks whether what is running is to be stopped, because its window shall close. Waits for
    /// nothing: the dialog, a child of `window`, is shown, says accepted(), and deletes itself. Not
    /// stopped before the panel is destroyed.
    QDialog *askToStop(QWidget &window);

    void saveState(QSettings &settings) const;
    void restoreState(QSettings &settings);

signals:
    /// A new file; the panel shows it already.
    void studyCreated(const QString &path);
    /// The study that is shown has more (or other) points, snapshots, coefficients or errors than
    /// before, whoever has written them; or it is read for the first time, and has coefficients.
    void studyChanged();
    /// A sentence that says what is missing until the study has something to show, and what to do;
    /// empty: nothing, or no study.
    void nextStepChanged(const QString &sentence);
    /// The user wants to see what the run of this job of the study gave, which delivers these
    /// places: values of all parameters.
    void resultWanted(gridhelm::data::JobId job, const std::vector<std::vector<double>> &places);
    /// The panel is to be shown.
    void wanted();
    /// Whether something is running has changed.
    void runningChanged(bool isRunning);
    /// Sentences for the user about what was done or went wrong. The panel shows them, too: a
    /// window need not, unless the panel cannot be seen.
    void news(const QString &sentence);
    void failed(const QString &sentence);

private:
    QWidget *makeStatus();
    void begin();
    void end(const TaskEnd &end);
    void askForTrust(const TaskEnd &end);
    void askToTakeUp(const TaskEnd &end);
    void follow(const std::shared_ptr<const StudyState> &state);
    void showProgress(const QString &text, double part);
    void say(const QString &sentence);
    void complain(const QString &sentence);

    std::unique_ptr<StudyReader> m_reader;
    std::unique_ptr<CampaignWorker> m_worker; ///< uses the reader
    QString m_study;
    std::shared_ptr<const StudyState> m_state;
    std::optional<StudyState::Contents> m_contents;
    data::JobId m_jobToShow = 0;

    MessageBar *m_messages;
    QTabWidget *m_pages;
    PlanPage *m_plan;
    StudyPage *m_page;
    QLabel *m_status;
    QProgressBar *m_progress;
    QPushButton *m_pause, *m_cancel;
};

} // namespace gridhelm::ui
