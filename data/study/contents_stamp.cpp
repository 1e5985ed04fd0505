// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/study/contents_stamp.h"

#include "data/study/study_file.h"

namespace gridhelm::data {

std::string contentsStamp(const Study &study)
{
    const auto &file = study.file();
    return file.guarded([&] {
        const ReadTransaction together(file);
        std::string stamp;
        auto planned = file.query("SELECT created, checksum FROM study WHERE id = 1");
        if (planned.step())
            stamp = planned.text(0) + " " + std::to_string(planned.integer(1));
        for (auto row = file.query("SELECT name, rows, checksum FROM sums "
                                   "WHERE name NOT IN ('responses', 'views') ORDER BY name");
             row.step();)
            stamp += " " + row.text(0) + " " + std::to_string(row.integer(1)) + " "
                     + std::to_string(row.integer(2));
        return stamp;
    });
}

} // namespace gridhelm::data
