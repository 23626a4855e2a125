// A good case with one piece of it replaced, and the exact words it is answered with.
#pragma once
#include <gtest/gtest.h>
#include <string>
#include <vector>
#include "io/case/case.hpp"

namespace granary::test {

struct BadCase {
    const char* what;
    const char* piece;  // of the good case, found once or at its first place
    const char* replacement;
    const char* message;  // all of it
};

inline std::string problems_of(const std::string& text, const std::vector<std::string>& sets = {}) {
    try {
        read_case(text, "case.toml", sets);
    } catch (const CaseError& e) {
        return e.what();
    }
    return "no problem";
}

inline std::string spoilt(std::string good_case, const BadCase& bad) {
    const std::size_t at = good_case.find(bad.piece);
    EXPECT_NE(at, std::string::npos) << bad.piece;
    return good_case.replace(at, std::string(bad.piece).size(), bad.replacement);
}

}  // namespace granary::test
