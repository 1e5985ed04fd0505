// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QProcess>
#include <QWidget>

class QBoxLayout;
class QLabel;
class QProgressBar;
class QPushButton;
class QVBoxLayout;

namespace gridhelm::ui {

/// What there is to see before a study is open: recent studies, and the sample studies, which are
/// made here by real simulations (a minute or two) if they are not there yet.
class StartPage : public QWidget
{
    Q_OBJECT

public:
    explicit StartPage(QWidget *parent = nullptr);
    /// What is being made is given up; the next time goes on from there.
    ~StartPage() override;

    /// Of the recent studies.
    void refresh();

    /// What makes samples: gridhelm-cli beside this program, if nothing is said.
    void setProgram(const QString &path) { m_program = path; }

signals:
    void openWanted(const QString &path);
    void chooseWanted();
    void importWanted();
    void newWanted();
    void failed(const QString &sentence);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void layOut(const QList<QWidget *> &head);
    void addWay(QVBoxLayout &column, const QString &title, const QString &about, const QString &tip,
                void (StartPage::*wanted)());
    void addSample(QVBoxLayout &column, const QString &name, const QString &about);
    void make(const QString &name);
    void showProgress();
    void sampleEnded(int exitCode, QProcess::ExitStatus status);

    QVBoxLayout *m_recent;
    QBoxLayout *m_columns;
    QWidget *m_progress;
    QLabel *m_progressText;
    QProgressBar *m_bar;
    QString m_program;
    QProcess m_maker;
    QString m_made; ///< the file that m_maker makes
    QByteArray m_said;
    bool m_isStopped = false; ///< by the user: no problem, whatever it says of that
};

} // namespace gridhelm::ui
