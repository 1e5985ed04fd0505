// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/stencil/stencil_file.h"
#include "ui/machine/latest_request_worker.h"

#include <QObject>
#include <QString>

#include <functional>

class QComboBox;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QTimer;

namespace gridhelm::ui {

class OptionRows;

/// Which stencil: one of the examples, or a file; and below it what it is, its weights, and what
/// may go wrong. Files are read in a thread of their own.
class StencilInputs : public QObject
{
    Q_OBJECT

public:
    explicit StencilInputs(OptionRows &rows);

    /// The chosen one. Any thread may call it, later; it throws gridhelm::Error for what cannot be
    /// read, a mistake with its line and column.
    std::function<data::StencilFile()> reader() const;
    /// For tables of runs: that of the example, or of the file.
    QString name() const;
    /// "512 x 512", as far as the stencil has been read.
    QString size() const { return m_size; }
    QString precision() const { return m_precision; } ///< in the same way

signals:
    /// The file has a mistake; an empty sentence: it has none.
    void looked(const QString &mistake);

private:
    /// What there is to be said of a stencil.
    struct Look
    {
        QString about;
        QString weights;
        QString mistake; ///< or only that
        QString size;
        QString precision;
    };

    static Look lookAt(const std::function<data::StencilFile()> &read);
    void show(const Look &look);
    void ask();

    QComboBox *m_stencil;
    QLineEdit *m_file;
    QLabel *m_about;
    QPlainTextEdit *m_weights;
    QTimer *m_delay;
    QString m_size;
    QString m_precision;
    LatestRequestWorker m_worker; ///< last: its thread uses nothing of the others
};

} // namespace gridhelm::ui
