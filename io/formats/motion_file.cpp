#include "io/formats/motion_file.hpp"
#include <fmt/format.h>
#include <fstream>
#include "core/errors.hpp"
#include "core/number_words.hpp"

namespace granary {

MotionTable read_motion_table(const std::string& path, int columns) {
    std::ifstream file(path);
    if (!file) throw InputError(path + ": the motion table cannot be read");
    MotionTable table;
    std::string line;
    for (int number = 1; std::getline(file, line); ++number) {
        std::vector<double> row;
        for (const std::string_view word : words_of(line, "#")) {
            const std::optional<double> x = number_in(word);
            if (!x) throw InputError(fmt::format("{}:{}: \"{}\" is not a number", path, number, word));
            row.push_back(*x);
        }
        if (row.empty()) continue;
        if (row.size() != static_cast<std::size_t>(columns))
            throw InputError(fmt::format("{}:{}: {} numbers (expected {}: {})", path, number, row.size(), columns,
                                         columns == 2 ? "time, angle" : "time, x, y, z"));
        table.times.push_back(row[0]);
        table.values.push_back(columns == 2 ? Vec3d{row[1], 0, 0} : Vec3d{row[1], row[2], row[3]});
    }
    if (const std::string problem = problem_of(table); !problem.empty()) throw InputError(path + ": " + problem);
    return table;
}

}  // namespace granary
