// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/pictures/field_picture.h"

#include <vtkCallbackCommand.h>
#include <vtkNew.h>
#include <vtkRenderWindow.h>
#include <vtkWeakPointer.h>

#include <chrono>
#include <map>
#include <utility>

namespace gridhelm::ui {

/// How many of a picture's pieces are drawn at a pace: as many as were drawn in time before. One
/// thread at a time, as the scene.
class PieceBudget
{
public:
    PieceBudget();
    ~PieceBudget() { watch(nullptr); }
    PieceBudget(const PieceBudget &) = delete;
    PieceBudget &operator=(const PieceBudget &) = delete;

    /// What takes about as long for each piece: a kind of picture, translucent or not.
    using Sort = std::pair<ViewKind, bool>;

    /// How long its pictures take; null: those of no window.
    void watch(vtkRenderWindow *window);
    /// Times are of another mesh.
    void forget();
    /// There is another picture, of which all is drawn until thin().
    void begin() { m_each = 1; }

    /// Before drawing: each so-manieth piece at that pace.
    int thin(const Sort &sort, const FieldPicture::Pieces &pieces, Pace pace);
    /// How long the next picture took before the window began to draw it.
    void setPreparation(std::chrono::duration<double> took) { m_preparing = took; }

    /// Whether not all of the last picture was drawn.
    bool isThinned() const { return m_each > 1; }
    /// Whether thin() would draw more.
    bool wouldDrawMore(const Sort &sort, const FieldPicture::Pieces &pieces, Pace pace) const
    {
        return eachAt(sort, pieces, pace) < m_each;
    }
    /// Of all pieces; 0: not known.
    double secondsWhenFull(const Sort &sort, const FieldPicture::Pieces &pieces) const;

private:
    int eachAt(const Sort &sort, const FieldPicture::Pieces &pieces, Pace pace) const;
    void learn();

    vtkWeakPointer<vtkRenderWindow> m_window;
    vtkNew<vtkCallbackCommand> m_onStart, m_onEnd; ///< of its drawing
    std::chrono::steady_clock::time_point m_began;
    std::chrono::duration<double> m_preparing{};
    Sort m_sort;                       ///< of the picture that is drawn
    int m_pieces = 0;                  ///< that it has
    int m_each = 1;                    ///< so-manieth of them is drawn
    std::map<Sort, double> m_perPiece; ///< seconds
};

} // namespace gridhelm::ui
