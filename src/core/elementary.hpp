// The elementary functions, for everything that the state of a run depends on. The C library takes other ways on CPUs
// with fused multiply-add, and the compiler folds calls by rules of its own, so that sin(1) need not have the same bits
// on two machines. These are built of + - * / and sqrt, which IEEE 754 rounds in one way only, and of exact steps
// (floor, ldexp, bits of the exponent): one result on any CPU, with any compiler and optimization (-ffp-contract=off).
// tests/structure/no_libm.sh finds calls of the C library's.
//
// Leading terms are computed in pairs of doubles (double_pair.hpp), series are those of Taylor or Euler. Largest errors
// found, in units of the last place of the result (0.5: rounded as well as can be), over the whole range of the
// arguments (tests/core/elementary_test.cpp):
//   log log1p log2 log10 cbrt hypot atan2    0.51
//   sin cos exp expm1 pow                    0.6 (1.1 where the result is below 2^-1022)
//   tan acos acosh                           2.2
//   erfc                                     3.2
// Special values (zeros, infinities, not a number, arguments outside the domain) are those of the C standard, annex F.
// errno and flags are not.
#pragma once

namespace granary::elementary {

struct SinCos {
    double sin = 0, cos = 1;
};

SinCos sin_cos(double x);
double sin(double x);
double cos(double x);
double tan(double x);
double acos(double x);
double atan2(double y, double x);

double exp(double x);
double expm1(double x);  // e^x - 1
double log(double x);
double log1p(double x);  // log(1 + x)
double log2(double x);   // exact at powers of 2
double log10(double x);  // exact at powers of 10
double pow(double x, double y);
double cbrt(double x);
double acosh(double x);
double erfc(double x);
double hypot(double x, double y);

}  // namespace granary::elementary
