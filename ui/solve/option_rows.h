// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <map>
#include <optional>
#include <string>

class QCheckBox;
class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QSettings;
class QSpinBox;
class QToolButton;

namespace gridhelm::ui {

/// Options, one below the other: name, control, and a tooltip that says what it is for. Rare ones
/// are behind "More", those that the present choices make meaningless are not there. A control's
/// object name is its key in the settings.
class OptionRows : public QWidget
{
    Q_OBJECT

public:
    enum class Rank { usual, rare };

    explicit OptionRows(QWidget *parent = nullptr);

    QLineEdit *addText(const QString &key, const QString &label, const QString &text,
                       const QString &tip, Rank rank = Rank::usual);
    /// Of the names; `text` is chosen. Editable: anything else may be typed.
    QComboBox *addChoice(const QString &key, const QString &label, const QStringList &names,
                         const QString &tip, Rank rank = Rank::usual, bool isEditable = false);
    /// `lowestText` stands for the lowest number if it is not empty.
    QSpinBox *addNumber(const QString &key, const QString &label, int lowest, int highest,
                        int number, const QString &lowestText, const QString &tip,
                        Rank rank = Rank::usual);
    QCheckBox *addSwitch(const QString &key, const QString &label, bool isOn, const QString &tip,
                         Rank rank = Rank::usual);
    /// The name of a file, and a button that looks for one; `kinds` as QFileDialog has them.
    QLineEdit *addFile(const QString &key, const QString &label, const QString &tip,
                       Rank rank = Rank::usual,
                       const QString &kinds = "Fields (*.vti *.f64 *.txt *.csv)");
    /// Several controls in one row, made by the caller.
    void addControl(const QString &label, QWidget *control, Rank rank = Rank::usual);
    /// Text that explains, as wide as the rows.
    QLabel *addNote(const QString &name);
    /// Below all rows: the button.
    void finish();

    /// `control` is as it was returned by one of the functions above.
    void setMeaningful(QWidget *control, bool isMeaningful);

    void saveState(QSettings &settings) const;
    /// Values that a control cannot have are passed over.
    void restoreState(QSettings &settings);

signals:
    /// Anything was changed.
    void edited();

private:
    struct Row
    {
        Rank rank = Rank::usual;
        bool isMeaningful = true;
    };

    void addRow(const QString &label, QWidget *row, QWidget *control, const QString &tip,
                Rank rank);
    void showRows();

    QFormLayout *m_layout;
    QToolButton *m_more;
    std::map<QWidget *, Row> m_rows;        ///< by what stands in the layout
    std::map<QWidget *, QWidget *> m_rowOf; ///< of a control
};

/// The trimmed text, or nothing if that is empty.
std::optional<std::string> typed(const QLineEdit *field);
std::string chosen(const QComboBox *choice);

} // namespace gridhelm::ui
