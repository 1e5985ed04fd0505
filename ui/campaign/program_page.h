// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/campaign/command_keys.h"
#include "data/mesh/snapshot_reader.h"

#include <QStringList>
#include <QWidget>

#include <vector>

class QCheckBox;
class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QListWidget;
class QPlainTextEdit;
class QPushButton;
class QStackedWidget;

namespace gridhelm::ui {

class PlanDraft;
struct Placeholder;

/// The command of a plan, as a form: another view of its text, which is changed with every letter,
/// and may be a bad plan for a while; what is wrong is said beside the plan. And a test of it.
class ProgramPage : public QWidget
{
    Q_OBJECT

public:
    /// The draft must outlive it.
    ProgramPage(PlanDraft &draft, data::MeshFiles files, QWidget *parent = nullptr);

signals:
    void refused(const QString &sentence);

private:
    QWidget *makeOffer();
    QWidget *makeForm();
    void addCommandRows(QFormLayout &form, QWidget *all);
    void addFileRows(QFormLayout &form, QWidget *all);
    void addFurtherRows(QFormLayout &form, QWidget *all);
    void addTemplates(const QStringList &paths);
    void follow();
    void show(const data::CommandKeys &keys);
    data::CommandKeys shown() const;
    void write();
    std::vector<Placeholder> placeholders(bool isOfResult) const;

    PlanDraft &m_draft;
    QStackedWidget *m_pages;
    QWidget *m_offer, *m_form;
    QLabel *m_offerText;
    QPushButton *m_use;
    QPlainTextEdit *m_command;
    QCheckBox *m_shell;
    QListWidget *m_templates;
    QLineEdit *m_result, *m_fields, *m_timeLimit, *m_environment, *m_meshPoints;
    QComboBox *m_mesh;
    bool m_isShowing = false; ///< what the text says: nothing to be written
};

} // namespace gridhelm::ui
