// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/controls/plain_text.h"

namespace gridhelm::ui {

/// Text that ends in dots where there is no room for it, and is a tool tip as a whole. It needs no
/// room of its own.
class ShortenedLabel : public PlainLabel
{
public:
    explicit ShortenedLabel(QWidget *parent = nullptr);

    /// `more`: a further line of the tool tip.
    void setWhole(const QString &text, const QString &more = {});

    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
};

} // namespace gridhelm::ui
