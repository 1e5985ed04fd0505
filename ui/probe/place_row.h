// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/probe/probe_answer.h"
#include "ui/scene/annotation/axis_names.h"
#include "ui/scene/geometry/mesh_shape.h"

#include <QWidget>

#include <array>
#include <optional>

namespace gridhelm::ui {

class NumberField;
class ShortenedLabel;

/// The probed place: where the values are, and fields to type another one.
class PlaceRow : public QWidget
{
    Q_OBJECT

public:
    explicit PlaceRow(QWidget *parent = nullptr);

    /// Axes along which the mesh has no extent are left out.
    void setShape(const MeshShape &shape, const AxisNames &axes);
    /// None: nothing is probed.
    void show(const std::optional<MeshPlace> &place);

    const std::array<NumberField *, 3> &fields() const { return m_fields; }

signals:
    /// By the user.
    void placeEntered(const gridhelm::ui::MeshPlace &place);
    void refused(const QString &sentence);

private:
    std::array<ShortenedLabel *, 3> m_names{};
    std::array<NumberField *, 3> m_fields{};
    MeshPlace m_place{};
    MeshShape m_shape;
};

} // namespace gridhelm::ui
