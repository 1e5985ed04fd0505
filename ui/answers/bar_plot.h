// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plot/plot_style.h"

#include <QStringList>

#include <string>
#include <vector>

namespace gridhelm::ui {

/// Lying bars beside names, one below the other; several series stand close together.
class BarPlot : public Plot
{
    Q_OBJECT

public:
    struct Series
    {
        QString name;
        std::vector<double> values; ///< one for each name; of any sign
    };

    /// `name`: of the files that are proposed when it is saved.
    explicit BarPlot(const QString &name, QWidget *parent = nullptr);

    void show(const QStringList &names, const std::vector<Series> &series, const QString &axis);
    void clear() { show({}, {}, {}); }
    const std::vector<Series> &series() const { return m_series; }
    std::string csv() const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void news(const QString &sentence);
    void failed(const QString &sentence);

protected:
    void restyle() override;
    void showAll() override;
    void wheelEvent(QWheelEvent *event) override; ///< scrolls what it is in

private:
    QStringList m_names;
    std::vector<Series> m_series;
    std::vector<QCPBars *> m_bars;
};

} // namespace gridhelm::ui
