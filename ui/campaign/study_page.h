// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/campaign/refine_step.h"
#include "ui/campaign/study_state.h"

#include <QWidget>

#include <optional>
#include <string>

class QCheckBox;
class QLabel;
class QPlainTextEdit;
class QPushButton;
class QSettings;
class QSpinBox;
class QSplitter;
class QTabWidget;
class QTextBrowser;

namespace gridhelm::ui {

class CompressBox;
class ErrorCurvePlot;
class GridPicture;
class GrowBox;
class ImportPage;
class JobTable;
class PlaceBox;
class RefineBox;
struct TaskEnd;

/// What is done with an open study: run, compress, grow, import; its jobs, their logs, its grid.
class StudyPage : public QWidget
{
    Q_OBJECT

public:
    explicit StudyPage(QWidget *parent = nullptr);

    void setState(const StudyStatePtr &state); ///< null: no study
    /// While something runs, nothing else can be begun.
    void setBusy(bool busy);
    /// Of the sliders, see RefineBox.
    void setPlace(const std::vector<double> &values);
    /// Where runs are to go, see PlaceBox.
    std::string runPlace() const;
    RefineBox *refineBox() const { return m_refine; }
    void showLog(data::JobId job, const QString &log);
    void showImport(const TaskEnd &end);
    /// Selects it and shows its log.
    void showJob(data::JobId job);

    GridPicture *picture() const { return m_picture; }

    void saveState(QSettings &settings) const;
    void restoreState(QSettings &settings);

signals:
    void runWanted(const data::RunStep &step);
    void compressWanted(const data::CompressStep &step);
    void compactWanted();
    void growWanted(int level);
    void refineWanted(const data::RefineStep &step);
    void undoGrowthWanted();
    void importWanted(const data::ImportStep &step);
    void logWanted(data::JobId job);
    void resultWanted(data::JobId job);
    void refused(const QString &sentence);
    void news(const QString &sentence);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    QWidget *makeActions();
    QLayout *makeRunActions(QWidget *all);
    QWidget *makeDetails();
    void follow();
    void followJob();
    void run(bool retryFailed, std::optional<data::JobId> only);

    QSplitter *m_splitter;
    QLabel *m_title, *m_summary, *m_nextStep;
    QPushButton *m_run, *m_rerun, *m_rerunOne;
    QSpinBox *m_atATime;
    QCheckBox *m_keepFolders, *m_keepGoing;
    PlaceBox *m_place;
    CompressBox *m_compress;
    GrowBox *m_grow;
    RefineBox *m_refine;
    JobTable *m_jobs;
    QTabWidget *m_details;
    GridPicture *m_picture;
    QWidget *m_logPage;
    QLabel *m_logTitle;
    QPlainTextEdit *m_log;
    ImportPage *m_import;
    QTextBrowser *m_errors;
    ErrorCurvePlot *m_errorCurve;
    QString m_saidErrors; ///< in it
    StudyStatePtr m_state;
    bool m_isBusy = false;
    data::JobId m_shownLog = 0;
    std::optional<JobRow> m_shownJob; ///< as it was when its log was asked for
};

} // namespace gridhelm::ui
