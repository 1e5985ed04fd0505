// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <vector>

namespace gridhelm::ui {

class NumberField;
class ShortenedLabel;
class ValueTrack;

/// What a ValueSlider sets.
struct SliderRange
{
    double low = 0;
    double high = 1;            ///< above low
    bool isLogarithmic = false; ///< low > 0 then
};

/// Place of a value along the range, 0 at its low end; and back.
double placeOf(const SliderRange &range, double value);
double valueAt(const SliderRange &range, double place);
/// What a slider gives for a place: a number with no more digits than a hand can set (a
/// ten-thousandth of the range; four digits if logarithmic), so that what is shown is what is used.
double roundValueAt(const SliderRange &range, double place);

/// A number with its name and unit, as a slider with the ends of its range below, and as a field
/// for exact typing. The value is exactly the one that the field shows.
class ValueSlider : public QWidget
{
    Q_OBJECT

public:
    ValueSlider(const QString &name, const QString &unit, const SliderRange &range,
                QWidget *parent = nullptr);

    const QString &name() const { return m_name; }
    const SliderRange &range() const { return m_range; }
    double value() const { return m_value; }
    /// Says nothing; values out of the range are shown, with the slider at its end.
    void setValue(double value);
    /// The value stays, also if it is out of the new range.
    void setRange(const SliderRange &range);
    /// Also what a double click on the name or the handle, and the key R on the slider, bring back.
    void setDefault(double value);

    /// Values that are marked on the slider; where it stands on a mark, the value is exactly that.
    void setMarks(const std::vector<double> &values);
    ValueTrack *track() const { return m_track; }
    NumberField *field() const { return m_field; }

signals:
    /// By the user, for every step of a movement.
    void valueEdited(double value);
    /// At the end of a movement (the mouse button is up), and after typing or a key.
    void editingFinished(double value);
    /// Why what was typed was not taken.
    void refused(const QString &sentence);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    double valueOfPosition(int position) const;
    void edit(double value);
    void reset();
    void showValue();
    void explainRange();

    QString m_name;
    QString m_unit;
    SliderRange m_range;
    double m_value;
    double m_default;
    std::vector<double> m_marks;
    ShortenedLabel *m_label;
    ShortenedLabel *m_low, *m_high; ///< the ends of the range
    ValueTrack *m_track;
    NumberField *m_field;
};

} // namespace gridhelm::ui
