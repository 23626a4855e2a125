// Small tables that validation tests leave behind for the plots of tests/validation/README.md: with
// GRANARY_VALIDATION_DATA=<folder> in the environment they are written there, else nowhere. `jobs/validation contacts`
// does so and draws them.
#pragma once
#include <cstdlib>
#include <fstream>
#include <string>

namespace granary::test {

// <folder>/<name>.csv with these columns. Cells hold no commas.
class ValidationData {
  public:
    ValidationData(const std::string& name, const std::string& columns) {
        const char* folder = std::getenv("GRANARY_VALIDATION_DATA");
        if (folder == nullptr || *folder == '\0') return;
        file_.open(std::string(folder) + "/" + name + ".csv");
        file_.precision(9);
        file_ << columns << '\n';
    }
    template <class First, class... Rest> void row(const First& first, const Rest&... rest) {
        if (!file_.is_open()) return;
        file_ << first;
        ((file_ << ',' << rest), ...);
        file_ << '\n';
    }

  private:
    std::ofstream file_;
};

// Measured numbers beside those of a closed form; all such tables are put together.
class Compared : public ValidationData {
  public:
    explicit Compared(const std::string& topic)
        : ValidationData("compared-" + topic, "quantity,of,measured,expected") {}
};

}  // namespace granary::test
