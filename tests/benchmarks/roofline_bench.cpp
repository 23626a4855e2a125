// The roofs of the machine below which the pair kernel works (RESULTS.md, "The pair kernel and the roofs of the
// machine"), of one core: additions and multiplications, divisions and square roots of doubles in the registers that
// the kernel uses, and a = b + 3 c over arrays of several sizes. Rates are by CPU time.
#include <benchmark/benchmark.h>
#include "core/large_pages.hpp"
#include "core/quad_rows.hpp"

namespace granary {
namespace {

constexpr int wide = n_lanes<WideReal>, chains = 12;  // independent chains hide how long one operation takes

// Twelve chains of an operation, no two with the same numbers.
template <class F> void in_chains(benchmark::State& state, int flops, F&& operation) {
    WideReal a[chains];
    for (int k = 0; k < chains; ++k) {
        double numbers[wide];
        for (int lane = 0; lane < wide; ++lane) numbers[lane] = 1.5 + 0.01 * k + 0.001 * lane;
        benchmark::DoNotOptimize(numbers);
        a[k] = load_lanes<WideReal>(numbers);
    }
    constexpr int rounds = 1000;
    for ([[maybe_unused]] auto _ : state)
        for (int round = 0; round < rounds; ++round)
            for (int k = 0; k < chains; ++k) a[k] = operation(a[k]);
    for (int k = 1; k < chains; ++k) a[0] += a[k];
    benchmark::DoNotOptimize(a[0]);
    state.counters["flops"] = benchmark::Counter(static_cast<double>(flops) * wide * chains * rounds,
                                                 benchmark::Counter::kIsIterationInvariantRate);
}

void additions_and_multiplications(benchmark::State& state) {
    const WideReal one = broadcast<WideReal>(1.0), scale = broadcast<WideReal>(0.999);
    in_chains(state, 2, [&](WideReal a) { return a * scale + one; });
}
BENCHMARK(additions_and_multiplications);

void divisions(benchmark::State& state) {
    const WideReal three = broadcast<WideReal>(3.0);
    in_chains(state, 1, [&](WideReal a) { return three / a; });
}
BENCHMARK(divisions);

void square_roots(benchmark::State& state) {
    in_chains(state, 1, [&](WideReal a) { return root(a); });
}
BENCHMARK(square_roots);

// Bytes: of b, c and a, and of a once more, which is read before it is written.
void triad(benchmark::State& state) {
    const auto n = static_cast<std::size_t>(state.range(0)) * 1024 / sizeof(double);
    LargeVector<double> a(n, 1.0), b(n, 1.0), c(n, 1.0);
    double *const to = a.data(), *const first = b.data(), *const second = c.data();
    for ([[maybe_unused]] auto _ : state) {
        for (std::size_t k = 0; k < n; k += 4)
            store_loose4(to + k, load_loose4(first + k) + broadcast4(3.0) * load_loose4(second + k));
        benchmark::ClobberMemory();
    }
    state.counters["bytes"] =
        benchmark::Counter(32.0 * static_cast<double>(n), benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(triad)->ArgName("KiB")->Arg(8)->Arg(256)->Arg(4096)->Arg(131072);

}  // namespace
}  // namespace granary
