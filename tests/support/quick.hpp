// Under the sanitizers in CI (GRANARY_QUICK): tests that go the same ways many times go them fewer times.
#pragma once
#include <cstdlib>

namespace granary::test {

inline bool quick() { return std::getenv("GRANARY_QUICK") != nullptr; }

}  // namespace granary::test
