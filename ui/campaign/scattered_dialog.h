// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/mesh/snapshot_reader.h"
#include "ui/campaign/campaign_worker.h"
#include "ui/campaign/scattered_inspector.h"

#include <QDialog>
#include <QStringList>

#include <filesystem>
#include <memory>
#include <vector>

class QCheckBox;
class QComboBox;
class QLabel;
class QProgressBar;
class QPushButton;
class QTableView;

namespace gridhelm::ui {

class PathField;
class ScatteredColumnModel;
class TonedLabel;

/// Makes a study of runs that exist already: which table, what its columns are, where the files
/// are, where the study goes. Nothing is written as long as something is wrong, which is said
/// beside the column, or below. While runs are imported it stays, with a bar and a button that
/// stops; it closes by itself when the study is there.
class ScatteredDialog : public QDialog
{
    Q_OBJECT

public:
    /// `files` reads the results of runs.
    explicit ScatteredDialog(data::MeshFiles files, QWidget *parent = nullptr);
    /// Stops what is running; there is no study then.
    ~ScatteredDialog() override;

    /// CSV files; several: the user chooses one of them.
    void offer(const QStringList &tables);

    /// Stops what is running and stays; else closes.
    void reject() override;

signals:
    /// The study `end.study` is there; `end.sentence` says how wrong it is.
    void imported(const gridhelm::ui::TaskEnd &end);

private:
    QWidget *makeForm();
    QWidget *makeFoot();
    void readTable();
    void showFile(const std::shared_ptr<const ScatteredFile> &file);
    void check();
    void showProblems(const std::vector<data::ColumnProblem> &problems);
    void showState();
    std::filesystem::path folder() const; ///< that names of files are relative to
    QString problemOfStudy() const;
    void import();
    void begin();
    void end(const TaskEnd &end);

    ScatteredInspector m_inspector;
    CampaignWorker m_worker;
    ScatteredColumnModel *m_model;
    QLabel *m_offered;
    QComboBox *m_tables; ///< beside the label, both only if there are several
    PathField *m_table, *m_folder, *m_study;
    QCheckBox *m_resample;
    QTableView *m_view;
    TonedLabel *m_problem;
    QLabel *m_status;
    QProgressBar *m_progress;
    QPushButton *m_import, *m_cancel;
    bool m_isChecked = false; ///< m_problems are of what is chosen now
    std::vector<data::ColumnProblem> m_problems;
    QString m_trouble; ///< of the last import, or of the table; empty: none
};

} // namespace gridhelm::ui
