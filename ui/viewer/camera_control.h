// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vtkCamera.h>

#include <QPointF>
#include <QSizeF>

namespace gridhelm::ui {

// What the hand does, in pixels of a picture (y downwards) of this size.

/// Around the focus: a full turn for a drag across twice the picture.
void rotate(vtkCamera &camera, QPointF by, QSizeF picture);
/// The focus follows the hand.
void pan(vtkCamera &camera, QPointF by, QSizeF picture);
/// Nearer by this factor (above 0); without perspective what is under `at` stays there.
void zoom(vtkCamera &camera, double factor, QPointF at, QSizeF picture);

/// One can take the place of the other in a scene of the same mesh: both have perspective, or both
/// look straight, from the same side.
bool areAlike(vtkCamera &one, vtkCamera &other);

} // namespace gridhelm::ui
