// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where pictures of a recording go: a series of PNG files, or a movie.
#pragma once

#include <QImage>
#include <QObject>
#include <QString>

#include <memory>

namespace gridhelm::ui {

/// Takes one picture after the other, and writes them elsewhere meanwhile. When it is destroyed
/// before it has ended, no half-written file remains; whole PNG files do.
class PictureSink : public QObject
{
    Q_OBJECT

public:
    /// The next one not before ready().
    virtual void add(const QImage &picture) = 0;
    /// There will be no more. Not before ready().
    virtual void finish() = 0;

    /// What is there of it.
    struct Remains
    {
        int pictures = 0; ///< that were written
        QString what;     ///< for the end of a sentence: "no movie was made"
    };
    /// As it stays if the sink goes now; waits for the picture that is being written.
    virtual Remains remains() = 0;

signals:
    void ready();
    /// A sentence, or empty: everything is written. Nothing comes after it.
    void ended(const QString &problem);
};

/// Whether makePictureSink() makes a movie of this path: .mp4, .mkv, .webm or .gif.
bool isMovie(const QString &path);
/// Whether there is an ffmpeg on this machine, which movies need.
bool canMakeMovies();

/// "folder/name.png": folder/name-0001.png and so on. "folder/name.mp4": a movie of so many
/// pictures a second, by ffmpeg. Throws gridhelm::Error, as a sentence, if it cannot begin.
std::unique_ptr<PictureSink> makePictureSink(const QString &path, double picturesPerSecond);

} // namespace gridhelm::ui
