// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/record/picture_sink.h"

#include "core/support/error.h"
#include "core/support/output_file.h"
#include "ui/window/window_files.h"

#include <QDir>
#include <QFileInfo>
#include <QProcess>
#include <QStandardPaths>
#include <QStringList>
#include <QTemporaryDir>
#include <QThreadPool>

#include <algorithm>
#include <array>
#include <atomic>
#include <exception>

namespace gridhelm::ui {
namespace {

constexpr std::array movieExtensions{"mp4", "mkv", "webm", "gif"};
constexpr double mostInGif = 50; ///< pictures a second: its clock ticks a hundred times

QString extensionOf(const QString &path)
{
    return QFileInfo(path).suffix().toLower();
}

/// What ffmpeg makes of `pictures` ("picture-%04d.png").
QStringList encodingOf(const QString &extension, const QStringList &pictures)
{
    if (extension == "gif") // whose 256 colours come from all pictures: they are read twice
        return pictures + pictures
               + QStringList{"-filter_complex",
                             "[0:v]palettegen=stats_mode=full[colours];"
                             "[1:v][colours]paletteuse=dither=sierra2_4a:diff_mode=rectangle",
                             "-f", "gif"};
    // Most players want even sizes and this kind of colours.
    return pictures + QStringList{"-vf",      "pad=ceil(iw/2)*2:ceil(ih/2)*2",
                                  "-pix_fmt", "yuv420p",
                                  "-f",       extension == "mkv" ? "matroska" : extension};
}

QString ffmpegPath()
{
    return QStandardPaths::findExecutable("ffmpeg");
}

class PngSeries : public PictureSink
{
public:
    explicit PngSeries(const QString &path)
        : m_path(path)
    {
        requireWritable(numbered(1).toStdString());
        m_writer.setMaxThreadCount(1);
    }

    ~PngSeries() override { m_writer.waitForDone(); }

    void add(const QImage &picture) override
    {
        m_writer.start([this, path = numbered(++m_count), picture = picture.copy()] {
            QString problem;
            try {
                savePicture(picture, path);
                ++m_written;
            } catch (const std::exception &error) {
                problem = QString::fromStdString(error.what());
            }
            QMetaObject::invokeMethod(
                this,
                [this, problem] {
                    if (problem.isEmpty())
                        emit ready();
                    else
                        emit ended(problem);
                },
                Qt::QueuedConnection);
        });
    }

    void finish() override { emit ended({}); }

    Remains remains() override
    {
        m_writer.waitForDone();
        const int count = m_written;
        if (count == 0)
            return {0, "no picture was written"};
        const auto folder = QDir::toNativeSeparators(QFileInfo(m_path).absolutePath());
        return {count, count == 1
                           ? QString("1 picture is in %1: %2").arg(folder, nameOf(1))
                           : QString("%1 pictures are in %2: %3 to %4")
                                 .arg(QString::number(count), folder, nameOf(1), nameOf(count))};
    }

private:
    QString nameOf(int number) const
    {
        return QString("%1-%2.png")
            .arg(QFileInfo(m_path).completeBaseName())
            .arg(number, 4, 10, QChar('0'));
    }
    QString numbered(int number) const { return QFileInfo(m_path).dir().filePath(nameOf(number)); }

    QString m_path;
    int m_count = 0;
    std::atomic<int> m_written = 0;
    QThreadPool m_writer;
};

/// A series in a folder of its own, of which ffmpeg makes the movie when it is whole.
class Movie : public PictureSink
{
public:
    Movie(const QString &path, double picturesPerSecond)
        : m_file(path.toStdString())
        , m_rate(picturesPerSecond)
        , m_pictures(m_folder.filePath("picture.png"))
    {
        if (!m_folder.isValid())
            throw Error(("no folder can be made for the movie's pictures (" + m_folder.errorString()
                         + "); set TMPDIR to one that may be written to")
                            .toStdString());
        connect(&m_pictures, &PictureSink::ready, this, &PictureSink::ready);
        connect(&m_pictures, &PictureSink::ended, this, &PictureSink::ended);
        connect(&m_ffmpeg, &QProcess::finished, this, &Movie::finished);
        connect(&m_ffmpeg, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
            if (error == QProcess::FailedToStart)
                emit ended("ffmpeg does not start: " + m_ffmpeg.errorString());
        });
    }

    ~Movie() override
    {
        m_ffmpeg.disconnect(this);
        m_ffmpeg.kill();
        m_ffmpeg.waitForFinished(1000);
    }

    void add(const QImage &picture) override
    {
        if (m_size.isEmpty())
            m_size = picture.size();
        // Later ones may have another size: the window's.
        m_pictures.add(picture.size() == m_size ? picture
                                                : picture.scaled(m_size, Qt::IgnoreAspectRatio,
                                                                 Qt::SmoothTransformation));
    }

    void finish() override
    {
        const QStringList pictures{"-framerate", QString::number(m_rate), "-i",
                                   m_folder.filePath("picture-%04d.png")};
        m_ffmpeg.setProcessChannelMode(QProcess::MergedChannels);
        m_ffmpeg.setStandardInputFile(QProcess::nullDevice());
        m_ffmpeg.start(
            ffmpegPath(),
            QStringList{"-nostdin", "-hide_banner", "-loglevel", "error", "-y"}
                + encodingOf(extensionOf(QString::fromStdString(m_file.path().string())), pictures)
                + QStringList{QString::fromStdString(m_file.temporaryPath().string())});
    }

    Remains remains() override
    {
        const int pictures = m_pictures.remains().pictures;
        if (!m_isMade)
            return {pictures, "no movie was made"};
        const auto path = QString::fromStdString(m_file.path().string());
        return {pictures, QString("the movie of %1 pictures is in %2")
                              .arg(pictures)
                              .arg(QDir::toNativeSeparators(path))};
    }

private:
    void finished(int code, QProcess::ExitStatus status)
    {
        const auto says = QString::fromLocal8Bit(m_ffmpeg.readAll()).trimmed().right(300);
        if (status != QProcess::NormalExit || code != 0) {
            emit ended("ffmpeg has failed: "
                       + (says.isEmpty() ? QString("it does not say why") : says));
            return;
        }
        try {
            m_file.commit();
            m_isMade = true;
            emit ended({});
        } catch (const std::exception &problem) {
            emit ended(QString::fromStdString(problem.what()));
        }
    }

    OutputFile m_file;
    double m_rate;
    QSize m_size;
    QTemporaryDir m_folder;
    PngSeries m_pictures;
    QProcess m_ffmpeg;
    bool m_isMade = false;
};

} // namespace

bool isMovie(const QString &path)
{
    const auto extension = extensionOf(path);
    return std::ranges::any_of(movieExtensions, [&](const char *of) { return extension == of; });
}

bool canMakeMovies()
{
    return !ffmpegPath().isEmpty();
}

std::unique_ptr<PictureSink> makePictureSink(const QString &path, double picturesPerSecond)
{
    if (extensionOf(path) == "png")
        return std::make_unique<PngSeries>(path);
    if (!isMovie(path))
        throw Error((path
                     + " says no format by its ending; give .png for a series of pictures, .mp4, "
                       ".mkv, .webm or .gif for a movie")
                        .toStdString());
    if (extensionOf(path) == "gif" && picturesPerSecond > mostInGif)
        throw Error("a .gif shows at most 50 pictures a second; choose fewer, or .mp4");
    if (!canMakeMovies())
        throw Error("movies need ffmpeg, which is not installed; install it, or record a series of "
                    "pictures (.png)");
    return std::make_unique<Movie>(path, picturesPerSecond);
}

} // namespace gridhelm::ui
