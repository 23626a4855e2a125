// How sizes of balls are spread. All of them are cut: no ball is smaller than `smallest` or larger than `largest`, so
// the cubes are known before anything runs. A draw is the quantile of a random number: r = radius(rnd), one number a
// ball.
//
//   uniform  radii spread evenly by number, Lazarević (2002), eq. (1)
//   normal   the normal distribution of radii by number, what lies outside of the cut is drawn anew: density
//            phi((r - mean)/deviation)/(deviation Z) within the cut, Z the share of the whole that it holds
//   sieve    a grading curve: shares of MASS that pass the sieves. Between two sieves the curve is straight over the
//            logarithm of the size, as such curves are drawn and as Munjiza (2006), eq. (36) has it: equal shares of
//            mass to equal ratios. By number the density then falls as r^-4.
//   list     radii with their shares by number
#pragma once
#include <string>
#include <vector>

namespace granary {

enum class SizeType { uniform, normal, sieve, list };

struct SizeDistribution {
    using Type = SizeType;

    Type type = Type::uniform;
    double smallest = 0, largest = 0;  // m, radii
    double mean = 0, deviation = 0;    // m; normal: before the cut
    std::vector<double> size;          // m, radii; sieve: half of the sizes, ascending; list: each
    std::vector<double> share;         // sieve: mass passing, from 0 to 1; list: by number, of any sum
    std::vector<double> up_to;         // sieve, list: share by number of the balls up to the end of each class

    static SizeDistribution uniform(double smallest, double largest);
    static SizeDistribution normal(double mean, double deviation, double smallest, double largest);
    static SizeDistribution sieve(std::vector<double> radii, std::vector<double> passing);
    static SizeDistribution list(std::vector<double> radii, std::vector<double> shares);

    double radius(double u) const;          // of a share u by number, 0 <= u < 1
    double moment(int k) const;             // mean of r^k over all balls, k = 1, 2, 3; closed forms
    double passing(double r) const;         // share of the mass in balls up to the radius r
    double radius_by_mass(double u) const;  // below which the share u of the mass is
    std::string text() const;               // in words: "normal, mean ... m"
};

}  // namespace granary
