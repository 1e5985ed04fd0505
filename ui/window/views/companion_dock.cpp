// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/views/companion_dock.h"

#include "ui/controls/shortened_label.h"

#include <QCloseEvent>
#include <QHBoxLayout>
#include <QStyle>
#include <QToolButton>

#include <string>

namespace gridhelm::ui {
namespace {

constexpr int leastWidth = 220, leastHeight = 180;

} // namespace

CompanionDock::CompanionDock(SteeringModel &model, std::shared_ptr<const sparse::Backend> backend,
                             QWidget *parent)
    : QDockWidget(parent)
    , m_model(model)
    , m_range(std::move(backend))
    , m_view(*new SteeredView(model, this))
{
    m_view.setMinimumSize(leastWidth, leastHeight);
    setWidget(&m_view);
    makeTitle();
    connect(&m_view, &SteeredView::sceneChanged, this, &CompanionDock::showTitle);
    connect(&m_range, &StudyRange::found, this,
            [this](ValueRange range) { m_view.setStudyRange(range); });
    connect(&model, &SteeringModel::changed, this, &CompanionDock::findRange);
}

void CompanionDock::setIndex(std::size_t index)
{
    m_view.setCompanion(index);
    findRange();
}

void CompanionDock::leave()
{
    disconnect(&m_model, nullptr, this, nullptr);
    disconnect(&m_model, nullptr, &m_view, nullptr);
    m_range.disconnect();
}

void CompanionDock::showFrame(const std::shared_ptr<const FieldFrame> &frame)
{
    if (frame->request.field == m_view.look().field)
        m_view.showFrame(frame);
}

/// A dock's own title has no room for a third button.
void CompanionDock::makeTitle()
{
    auto *title = new QWidget(this);
    auto *layout = new QHBoxLayout(title);
    layout->setContentsMargins(6, 2, 2, 2);
    layout->setSpacing(0);
    auto *text = new ShortenedLabel(title);
    connect(this, &QWidget::windowTitleChanged, text,
            [text](const QString &whole) { text->setWhole(whole); });
    layout->addWidget(text, 1);
    const auto button = [&](const QString &name, const QString &tip) {
        auto *made = new QToolButton(title);
        made->setAutoRaise(true);
        made->setAccessibleName(name);
        made->setToolTip(tip);
        layout->addWidget(made);
        return made;
    };
    auto *exchange = button("Exchange with the main view",
                            "This becomes the main view, which the panel View changes, and the "
                            "main one comes here");
    exchange->setText("\u21c4");
    connect(exchange, &QToolButton::clicked, this, &CompanionDock::exchangeWanted);
    auto *apart = button("In a window of its own, or back", "In a window of its own, or back");
    apart->setIcon(style()->standardIcon(QStyle::SP_TitleBarNormalButton));
    connect(apart, &QToolButton::clicked, this, [this] { setFloating(!isFloating()); });
    auto *close = button("Close this view", "Close this view");
    close->setIcon(style()->standardIcon(QStyle::SP_TitleBarCloseButton));
    connect(close, &QToolButton::clicked, this, &CompanionDock::closeWanted);
    setTitleBarWidget(title);
}

void CompanionDock::showTitle()
{
    const auto &look = m_view.look();
    setWindowTitle(QString::fromStdString(m_view.scene().title()) + ", "
                   + QString::fromUtf8(toString(look.view.kind)));
}

void CompanionDock::findRange()
{
    if (m_model.study() && m_view.hasLook())
        m_range.follow(m_model.study(), m_view.look());
}

void CompanionDock::closeEvent(QCloseEvent *event)
{
    if (!event->spontaneous()) { // the program ends
        QDockWidget::closeEvent(event);
        return;
    }
    event->ignore(); // it goes when the model has one less
    emit closeWanted();
}

} // namespace gridhelm::ui
