// A number as the unrounded sum of two doubles, hi + lo with |lo| at most half a unit in the last place of hi: about
// 106 bits. The error of a rounded sum or product is itself a double, so nothing is lost:
//   Dekker (1971), A floating-point technique for extending the available precision, Numer. Math. 18, 224-242;
//   Knuth (1997), The Art of Computer Programming 2, 4.2.2, theorem B (the sum).
// Only + - * /, each rounded once: the same bits on any CPU. (A fused multiply-add would be shorter; not every CPU has
// it.)
#pragma once

namespace granary {

struct DoublePair {
    double hi = 0, lo = 0;
};

inline DoublePair exact_sum(double a, double b) {
    const double sum = a + b, of_b = sum - a;
    return {sum, (a - (sum - of_b)) + (b - of_b)};
}

// Where |a| >= |b|, or a is 0.
inline DoublePair exact_sum_ordered(double a, double b) {
    const double sum = a + b;
    return {sum, b - (sum - a)};
}

// Below 2^996; what falls below 2^-1022 on the way is lost.
inline DoublePair exact_product(double a, double b) {
    constexpr double splitter = 134217729;  // 2^27 + 1: the upper 26 bits, and a rest of 26 with a sign
    const double wide_a = splitter * a, wide_b = splitter * b;
    const double a1 = wide_a - (wide_a - a), a2 = a - a1, b1 = wide_b - (wide_b - b), b2 = b - b1;
    const double product = a * b;
    return {product, ((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2};
}

// Relative errors of a few 2^-104.
inline DoublePair operator+(DoublePair a, DoublePair b) {
    const DoublePair s = exact_sum(a.hi, b.hi);
    return exact_sum_ordered(s.hi, s.lo + (a.lo + b.lo));  // the parts of one sign, or a far larger than b
}
inline DoublePair operator*(DoublePair a, DoublePair b) {
    const DoublePair p = exact_product(a.hi, b.hi);
    return exact_sum_ordered(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}
inline DoublePair operator/(DoublePair a, DoublePair b) {
    const double q = a.hi / b.hi;
    const DoublePair p = exact_product(q, b.hi);
    return exact_sum_ordered(q, (((a.hi - p.hi) - p.lo) + a.lo - q * b.lo) / b.hi);
}

}  // namespace granary
