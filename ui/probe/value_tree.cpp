// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/probe/value_tree.h"

#include "ui/controls/number_field.h"
#include "ui/controls/table_copying.h"
#include "ui/controls/theme.h"
#include "ui/scene/colour/shown_values.h"

#include <QHeaderView>

#include <algorithm>
#include <cmath>

namespace gridhelm::ui {
namespace {

constexpr int digits = 7;  ///< all that a float has
constexpr int mostDigits = 15;
constexpr int maxRows = 8; ///< more are scrolled to
constexpr auto unread = "…";

/// Digits of a value that is stored less an offset: as many as there are behind those of the stored
/// number.
int digitsOf(const data::Field &field, float stored)
{
    if (field.offset == 0 || stored == 0)
        return field.offset == 0 ? digits : mostDigits;
    const double beside =
        std::abs(field.offset) / (field.scale * std::abs(static_cast<double>(stored)));
    return std::clamp(digits + static_cast<int>(std::ceil(std::log10(beside))), digits, mostDigits);
}

void setNumber(QTreeWidgetItem &item, const data::Field &field, float stored)
{
    item.setText(ValueTree::valueColumn,
                 QString::number(field.valueOf(stored), 'g', digitsOf(field, stored)));
}

QString componentName(int components, int c)
{
    return components <= 3 ? QString("xyz").mid(c, 1) : QString("[%1]").arg(c);
}

} // namespace

ValueTree::ValueTree(QWidget *parent)
    : QTreeWidget(parent)
{
    setAccessibleName("Values at the probe point");
    setToolTip("All fields at the probe point, for the present parameters: those of points at the "
               "nearest one, those of cells in the cell; nothing is interpolated");
    setColumnCount(3);
    setHeaderLabels({"Field", "Value", "Unit"});
    setSelectionMode(NoSelection);
    setUniformRowHeights(true);
    setAlternatingRowColors(true);
    setIndentation(14);
    header()->setStretchLastSection(false);
    header()->setSectionResizeMode(nameColumn, QHeaderView::Stretch);
    header()->setSectionResizeMode(valueColumn, QHeaderView::ResizeToContents);
    header()->setSectionResizeMode(unitColumn, QHeaderView::ResizeToContents);
    header()->setMinimumSectionSize(50);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    new TableCopying(*this);
}

void ValueTree::setFields(const std::vector<data::Field> &fields)
{
    clear();
    for (const auto &field : fields) {
        const auto name = QString::fromStdString(field.name);
        auto *item = new QTreeWidgetItem(this, {field.components > 1 ? name + ", magnitude" : name,
                                                QString(), QString::fromStdString(field.unit)});
        item->setTextAlignment(valueColumn, Qt::AlignRight | Qt::AlignVCenter);
        for (int c = 0; field.components > 1 && c < field.components; ++c) {
            auto *child = new QTreeWidgetItem(item, {componentName(field.components, c), QString(),
                                                     QString::fromStdString(field.unit)});
            child->setTextAlignment(valueColumn, Qt::AlignRight | Qt::AlignVCenter);
        }
    }
    expandAll();
    updateGeometry();
}

void ValueTree::show(const ProbeAnswer &answer)
{
    const auto &fields = answer.question.study->fields;
    for (int f = 0; f < topLevelItemCount(); ++f) {
        const auto index = static_cast<std::size_t>(f);
        auto &item = *topLevelItem(f);
        if (index >= answer.fields.size())
            continue;
        if (const auto &probed = answer.fields[index])
            showField(item, fields.at(index), *probed);
        else
            item.setText(valueColumn, unread);
    }
}

void ValueTree::showField(QTreeWidgetItem &item, const data::Field &field,
                          const ProbedField &probed)
{
    auto one = field;
    one.entities = 1;
    float shown = 0;
    showComponent(one, {}, probed.values, {&shown, 1});
    setNumber(item, field, shown);
    const QString of = field.association == data::Association::point ? "at point %1" : "of cell %1";
    item.setToolTip(valueColumn, of.arg(probed.entity.number));
    for (int c = 0; c < item.childCount(); ++c)
        setNumber(*item.child(c), field, probed.values.at(static_cast<std::size_t>(c)));
}

void ValueTree::clearValues()
{
    for (QTreeWidgetItemIterator item(this); *item; ++item)
        (*item)->setText(valueColumn, {});
}

QSize ValueTree::sizeHint() const
{
    int rows = 0;
    for (int f = 0; f < topLevelItemCount(); ++f)
        rows += 1 + topLevelItem(f)->childCount();
    rows = std::clamp(rows, 1, maxRows);
    const int height = topLevelItemCount() > 0 ? rowHeight(indexFromItem(topLevelItem(0)))
                                               : fontMetrics().height() + 4;
    return {240, header()->sizeHint().height() + rows * height + 2 * frameWidth()};
}

} // namespace gridhelm::ui
