// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/mesh/snapshot_reader.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSettings;
class QSpinBox;
class QSplitter;
class QTabWidget;
class QTableView;

namespace gridhelm::data {
struct Plan;
}

namespace gridhelm::ui {

class GridPicture;
class ParameterModel;
class PathField;
class PlanDraft;
class PlanTextEditor;
class ProgramPage;

/// Writes a plan: by table, or as text; what it will cost, and what its grid looks like.
class PlanPage : public QWidget
{
    Q_OBJECT

public:
    /// `files` reads the results of a command that is tested.
    explicit PlanPage(data::MeshFiles files, QWidget *parent = nullptr);
    ~PlanPage() override;

    PlanDraft &draft() { return *m_draft; }
    /// One of the built-in simulations: "plate".
    void startFrom(const QString &sample);
    /// The first field of the plan that is there gets the keys.
    void begin();
    /// A file; what goes wrong is said.
    void open(const QString &path);
    /// Whether a study may be made now, or why not (an empty text: because something is running).
    void setBusy(bool busy);

    void saveState(QSettings &settings) const;
    void restoreState(QSettings &settings);

signals:
    void studyWanted(const QString &path, const data::Plan &plan);
    void refused(const QString &sentence);
    void news(const QString &sentence);

private:
    QWidget *makeEditors(data::MeshFiles files);
    QLayout *makeFileRow(QWidget *all);
    QWidget *makeTablePage();
    QWidget *makeSummary();
    QLayout *makeCounts(QWidget *all);
    void follow();
    void followCost();
    void followPicture();
    void changeLevel(int level);
    void openFile();
    void saveFile();
    void makeStudy();
    void suggestStudy();
    void refuseIf(const QString &sentence);

    PlanDraft *m_draft;
    ParameterModel *m_model;
    QSplitter *m_splitter;
    QComboBox *m_start;
    QTabWidget *m_tabs;
    QTableView *m_table;
    QPushButton *m_add, *m_remove;
    ProgramPage *m_program;
    PlanTextEditor *m_editor;
    QLabel *m_problem;
    QLineEdit *m_title;
    QSpinBox *m_level;
    QLabel *m_points, *m_jobs, *m_bytes, *m_more;
    GridPicture *m_picture;
    PathField *m_study;
    QPushButton *m_make;
    QString m_suggested; ///< path of a study, until somebody types another one
    bool m_isBusy = false;
};

} // namespace gridhelm::ui
