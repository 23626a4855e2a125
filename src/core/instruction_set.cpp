#include "core/instruction_set.hpp"

namespace granary {

const char* instruction_set() {
#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512CD__) && defined(__AVX512DQ__) && \
    defined(__AVX512VL__)
    return "x86-64-v4";
#elif defined(__AVX2__) && defined(__BMI2__) && defined(__FMA__) && defined(__LZCNT__) && defined(__MOVBE__)
    return "x86-64-v3";
#elif defined(__SSE4_2__) && defined(__POPCNT__)
    return "x86-64-v2";
#elif defined(__x86_64__)
    return "x86-64";
#else
    return "";
#endif
}

}  // namespace granary
