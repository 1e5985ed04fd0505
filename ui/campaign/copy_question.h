// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMessageBox>

namespace gridhelm::ui {

/// Whether runs that another copy of a study has submitted to a cluster are taken up. Enter and
/// Escape mean no.
class CopyQuestion : public QMessageBox
{
public:
    /// `sentence`: of data::CopiedStudy.
    CopyQuestion(const QString &sentence, QWidget *parent);
};

} // namespace gridhelm::ui
