// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/campaign/campaign_steps.h"

#include <QWidget>

#include <optional>

class QLabel;
class QSlider;

namespace gridhelm::ui {

/// What modes in few bits may add to the error: a slider from as they are over exact ones to fewer
/// and fewer bits.
class AddedErrorBox : public QWidget
{
    Q_OBJECT

public:
    explicit AddedErrorBox(QWidget *parent = nullptr);

    /// None: as they are.
    std::optional<data::AddedErrorStep> step() const;
    void reset(); ///< to as they are

private:
    void follow();

    QSlider *m_slider;
    QLabel *m_text;
};

} // namespace gridhelm::ui
