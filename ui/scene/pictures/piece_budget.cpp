// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/pictures/piece_budget.h"

#include <algorithm>

namespace gridhelm::ui {
namespace {

using Clock = std::chrono::steady_clock;

} // namespace

PieceBudget::PieceBudget()
{
    m_onStart->SetClientData(this);
    m_onStart->SetCallback([](vtkObject *, unsigned long, void *self, void *) {
        static_cast<PieceBudget *>(self)->m_began = Clock::now();
    });
    m_onEnd->SetClientData(this);
    m_onEnd->SetCallback([](vtkObject *, unsigned long, void *self, void *) {
        static_cast<PieceBudget *>(self)->learn();
    });
}

void PieceBudget::watch(vtkRenderWindow *window)
{
    if (m_window) {
        m_window->RemoveObserver(m_onStart);
        m_window->RemoveObserver(m_onEnd);
    }
    m_window = window;
    if (!window)
        return;
    m_window->AddObserver(vtkCommand::StartEvent, m_onStart);
    m_window->AddObserver(vtkCommand::EndEvent, m_onEnd);
}

void PieceBudget::forget()
{
    m_perPiece.clear();
    m_pieces = 0;
    m_each = 1;
}

void PieceBudget::learn()
{
    if (m_pieces == 0)
        return;
    m_window->WaitForCompletion(); // OpenGL draws later than it says
    const std::chrono::duration<double> took =
        Clock::now() - m_began + std::exchange(m_preparing, {});
    // From another side it may take longer again: what was long is forgotten slowly.
    auto &perPiece = m_perPiece[m_sort];
    perPiece = std::max(took.count() * m_each / m_pieces, 0.8 * perPiece);
}

int PieceBudget::eachAt(const Sort &sort, const FieldPicture::Pieces &pieces, Pace pace) const
{
    if (pace == Pace::full)
        return 1;
    const double seconds = pace == Pace::patient ? 0.08 : 0.04;
    const auto perPiece = m_perPiece.find(sort);
    const double possible =
        perPiece == m_perPiece.end() ? pieces.always : seconds / perPiece->second;
    int each = 1; // powers, so that it does not change with every picture
    while (pieces.all > possible * each && pieces.all > each)
        each *= pieces.ratio;
    return each;
}

int PieceBudget::thin(const Sort &sort, const FieldPicture::Pieces &pieces, Pace pace)
{
    m_sort = sort;
    m_pieces = pieces.all;
    m_each = pieces.all > 0 ? eachAt(sort, pieces, pace) : 1;
    return m_each;
}

double PieceBudget::secondsWhenFull(const Sort &sort, const FieldPicture::Pieces &pieces) const
{
    const auto perPiece = m_perPiece.find(sort);
    return perPiece == m_perPiece.end() ? 0 : perPiece->second * pieces.all;
}

} // namespace gridhelm::ui
