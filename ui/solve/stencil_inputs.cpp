// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/solve/stencil_inputs.h"

#include "core/solvers/setup/problem_text.h"
#include "core/stencil/analysis.h"
#include "core/stencil/weights_text.h"
#include "core/support/error.h"
#include "data/stencil/stencil_examples.h"
#include "ui/solve/option_rows.h"

#include <QComboBox>
#include <QFileInfo>
#include <QFontDatabase>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QTimer>

namespace gridhelm::ui {
namespace {

constexpr const char *fromFile = "from a file";
constexpr int linesShown = 9;
constexpr int delayMilliseconds = 200; // while somebody types

/// Coefficients that vary are evaluated at all points; a run says itself what they lead to.
bool isQuicklyBounded(const stencil::Stencil &stencil)
{
    constexpr std::size_t quick = 1'000'000;
    return stencil.coefficients.size() * stencil.count() <= quick;
}

QStringList names()
{
    QStringList names;
    for (const auto &example : data::stencilExamples())
        names << QString::fromStdString(example.name);
    return names << fromFile;
}

} // namespace

StencilInputs::StencilInputs(OptionRows &rows)
    : m_stencil(rows.addChoice("stencil", "Stencil", names(),
                               "An example that comes with the program, or a stencil.toml of "
                               "your own, which may be from anybody: no text of it gets into code"))
    , m_file(rows.addFile("stencil-file", "File",
                          "A stencil.toml: points, neighbours with their weights, source, sides; "
                          "docs/solvers/stencils.md has all keys",
                          OptionRows::Rank::usual, "Stencils (*.toml)"))
    , m_about(rows.addNote("about-stencil"))
    , m_weights(new QPlainTextEdit)
    , m_delay(new QTimer(this))
{
    m_stencil->setCurrentText("5-point");
    m_about->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_weights->setObjectName("weights");
    m_weights->setAccessibleName("Weights");
    m_weights->setToolTip(
        "The weights by the position of the neighbour: x to the right, y upwards");
    m_weights->setReadOnly(true);
    m_weights->setTabChangesFocus(true);
    m_weights->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_weights->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_weights->setSizePolicy(QSizePolicy::Expanding,
                             QSizePolicy::Expanding); // rows stay as they are
    m_weights->setMinimumHeight(m_weights->fontMetrics().lineSpacing() * linesShown);
    rows.addControl("Weights", m_weights);
    m_delay->setSingleShot(true);
    m_delay->setInterval(delayMilliseconds);
    connect(m_delay, &QTimer::timeout, this, &StencilInputs::ask);
    const auto change = [this, &rows] {
        rows.setMeaningful(m_file, m_stencil->currentText() == fromFile);
        m_size.clear(); // of another one
        m_precision.clear();
        m_delay->start();
    };
    connect(m_stencil, &QComboBox::currentTextChanged, this, change);
    connect(m_file, &QLineEdit::textChanged, this, change);
    rows.setMeaningful(m_file, false);
    ask();
}

std::function<data::StencilFile()> StencilInputs::reader() const
{
    const auto name = m_stencil->currentText();
    if (name == fromFile) {
        const auto path = typed(m_file).value_or("");
        return [path] {
            if (path.empty())
                throw Error("no file is named; choose a stencil.toml, or an example");
            return data::readStencil(path);
        };
    }
    return [name = name.toStdString()] {
        for (const auto &example : data::stencilExamples()) {
            if (example.name == name)
                return data::parseStencil(example.toml, example.name, {});
        }
        throw Error("there is no example of that name; choose another");
    };
}

QString StencilInputs::name() const
{
    const auto name = m_stencil->currentText();
    return name == fromFile ? QFileInfo(m_file->text().trimmed()).fileName() : name;
}

StencilInputs::Look StencilInputs::lookAt(const std::function<data::StencilFile()> &read)
{
    Look look;
    try {
        const auto file = read();
        const auto &stencil = file.stencil;
        const auto size = solvers::describeSize(stencil.points, stencil.dimension);
        look.size = QString::fromStdString(size);
        look.precision = QString::fromUtf8(solvers::nameOf(stencil.precision));
        look.about = QString::fromStdString(file.title.empty() ? "" : file.title + "\n")
                     + QString("%1 neighbours, radius %2, %3 points, %4")
                           .arg(stencil.neighbours.size())
                           .arg(radiusOf(stencil))
                           .arg(look.size, look.precision);
        look.weights = QString::fromStdString(weightsText(stencil));
        if (isQuicklyBounded(stencil)) {
            const auto warning = divergenceWarning(spectralBound(stencil, CpuDevice{1}));
            if (!warning.empty())
                look.about += "\nWarning: " + QString::fromStdString(warning);
        }
    } catch (const Error &error) {
        look.mistake = QString::fromStdString(error.what());
    } catch (const std::exception &) {
        look.mistake = "there is no memory left to read the stencil; choose a smaller one";
    }
    return look;
}

void StencilInputs::ask()
{
    m_worker.request({}, [this, read = reader()] {
        const auto look = lookAt(read);
        m_worker.deliver({}, [this, look] { show(look); });
    });
}

void StencilInputs::show(const Look &look)
{
    m_size = look.size;
    m_precision = look.precision;
    m_about->setText(look.about);
    m_about->setVisible(!look.about.isEmpty());
    m_weights->setPlainText(look.weights);
    emit looked(look.mistake);
}

} // namespace gridhelm::ui
