#include "filling/size_distribution.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include "core/elementary.hpp"

namespace granary {
namespace {

using Type = SizeDistribution::Type;

double whole_power(double x, int n) {
    double product = 1;
    for (int k = 0; k < std::abs(n); ++k) product *= x;
    return n < 0 ? 1 / product : product;
}

double phi(double z) { return elementary::exp(-0.5 * z * z) / std::sqrt(2 * std::numbers::pi); }
// From a to b, without cancellation in the tails.
double normal_share(double a, double b) {
    const double root = std::numbers::sqrt2;
    return a > 0 ? 0.5 * (elementary::erfc(a / root) - elementary::erfc(b / root))
                 : 0.5 * (elementary::erfc(-b / root) - elementary::erfc(-a / root));
}

// The integral of r^k over the density within the cut, from its lower end up to r, times the share Z within the cut. By
// parts:
//   J_k = mean J_(k-1) + (k - 1) deviation^2 J_(k-2) - deviation (r^(k-1) phi(z) - a^(k-1) phi(z_a))
double normal_moment(const SizeDistribution& d, int k, double r) {
    const double a = d.smallest, za = (a - d.mean) / d.deviation, z = (r - d.mean) / d.deviation;
    double before = 0, now = normal_share(za, z);
    for (int n = 1; n <= k; ++n) {
        const double next = d.mean * now + (n - 1) * d.deviation * d.deviation * before -
                            d.deviation * (whole_power(r, n - 1) * phi(z) - whole_power(a, n - 1) * phi(za));
        before = now, now = next;
    }
    return now;
}

// The share u of the balls is below r: by Newton, kept between two ends that always hold it.
double normal_quantile(const SizeDistribution& d, double u) {
    double low = d.smallest, high = d.largest, r = low + u * (high - low);
    const double all = normal_moment(d, 0, high);
    for (int round = 0; round < 100 && high - low > 1e-16 * high; ++round) {
        const double off = normal_moment(d, 0, r) / all - u;
        (off > 0 ? high : low) = r;
        const double next = r - off * all * d.deviation / phi((r - d.mean) / d.deviation);
        const double step = next > low && next < high ? next : 0.5 * (low + high);
        if (std::abs(step - r) <= 1e-15 * high) return step;
        r = step;
    }
    return r;
}

// Of the balls between two sieves: integral of r^k r^-4 from a to b.
double class_moment(int k, double a, double b) {
    if (k == 3) return elementary::log(b / a);
    return (whole_power(b, k - 3) - whole_power(a, k - 3)) / (k - 3);
}
// Mass of a class over the logarithm of its width: its density by number is that times r^-4, but for a factor of all.
double class_weight(const SizeDistribution& d, std::size_t c) {
    return (d.share[c + 1] - d.share[c]) / elementary::log(d.size[c + 1] / d.size[c]);
}
double sieve_sum(const SizeDistribution& d, int k) {
    double sum = 0;
    for (std::size_t c = 0; c + 1 < d.size.size(); ++c)
        sum += class_weight(d, c) * class_moment(k, d.size[c], d.size[c + 1]);
    return sum;
}

}  // namespace

SizeDistribution SizeDistribution::uniform(double smallest, double largest) {
    SizeDistribution d;
    d.smallest = smallest, d.largest = largest;
    return d;
}

SizeDistribution SizeDistribution::normal(double mean, double deviation, double smallest, double largest) {
    SizeDistribution d = uniform(smallest, largest);
    d.type = Type::normal, d.mean = mean, d.deviation = deviation;
    return d;
}

SizeDistribution SizeDistribution::sieve(std::vector<double> radii, std::vector<double> passing) {
    SizeDistribution d = uniform(radii.front(), radii.back());
    d.type = Type::sieve, d.size = std::move(radii), d.share = std::move(passing);
    const double all = sieve_sum(d, 0);
    double sum = 0;
    for (std::size_t c = 0; c + 1 < d.size.size(); ++c)
        d.up_to.push_back((sum += class_weight(d, c) * class_moment(0, d.size[c], d.size[c + 1])) / all);
    return d;
}

SizeDistribution SizeDistribution::list(std::vector<double> radii, std::vector<double> shares) {
    SizeDistribution d;
    d.type = Type::list, d.size = std::move(radii), d.share = std::move(shares);
    d.smallest = *std::min_element(d.size.begin(), d.size.end());
    d.largest = *std::max_element(d.size.begin(), d.size.end());
    double all = 0, sum = 0;
    for (const double s : d.share) all += s;
    for (double& s : d.share) s /= all, d.up_to.push_back(sum += s);
    return d;
}

double SizeDistribution::radius(double u) const {
    if (type == Type::uniform) return smallest + (largest - smallest) * u;
    if (type == Type::normal) return std::clamp(normal_quantile(*this, u), smallest, largest);
    // The class that holds u; one without balls holds none.
    const auto at = std::upper_bound(up_to.begin(), up_to.end(), u);
    const std::size_t c = std::min<std::size_t>(static_cast<std::size_t>(at - up_to.begin()), up_to.size() - 1);
    if (type == Type::list) return size[c];
    const double below = c > 0 ? up_to[c - 1] : 0, within = std::clamp((u - below) / (up_to[c] - below), 0.0, 1.0);
    const double a = whole_power(size[c], -3), b = whole_power(size[c + 1], -3);
    return std::clamp(1 / elementary::cbrt(a - within * (a - b)), size[c], size[c + 1]);
}

double SizeDistribution::moment(int k) const {
    const double a = smallest, b = largest;
    switch (type) {
        case Type::uniform:
            if (k == 1) return 0.5 * (a + b);
            if (k == 2) return (a * a + a * b + b * b) / 3;
            return (a * a + b * b) * (a + b) / 4;
        case Type::normal: return normal_moment(*this, k, b) / normal_moment(*this, 0, b);
        case Type::sieve: return sieve_sum(*this, k) / sieve_sum(*this, 0);
        case Type::list: break;
    }
    double sum = 0;
    for (std::size_t c = 0; c < size.size(); ++c) sum += share[c] * whole_power(size[c], k);
    return sum;
}

double SizeDistribution::passing(double r) const {
    if (r < smallest) return 0;
    if (r >= largest) return 1;
    const double a = smallest, b = largest;
    switch (type) {
        case Type::uniform: return (whole_power(r, 4) - whole_power(a, 4)) / (whole_power(b, 4) - whole_power(a, 4));
        case Type::normal: return normal_moment(*this, 3, r) / normal_moment(*this, 3, b);
        case Type::sieve: {
            std::size_t c = 0;
            while (r >= size[c + 1]) ++c;
            return share[c] + class_weight(*this, c) * elementary::log(r / size[c]);
        }
        case Type::list: break;
    }
    double sum = 0;
    for (std::size_t c = 0; c < size.size(); ++c)
        if (size[c] <= r) sum += share[c] * whole_power(size[c], 3);
    return sum / moment(3);
}

double SizeDistribution::radius_by_mass(double u) const {
    double low = smallest, high = largest;
    for (int round = 0; round < 60; ++round) {
        const double middle = 0.5 * (low + high);
        (passing(middle) < u ? low : high) = middle;
    }
    return high;
}

std::string SizeDistribution::text() const {
    switch (type) {
        case Type::uniform: return smallest == largest ? "all equal" : "uniform by number";
        case Type::normal:
            return fmt::format("normal by number, mean {:.4g} m and deviation {:.4g} m before truncation", mean,
                               deviation);
        case Type::sieve: return fmt::format("a sieve curve of {} points, by mass", size.size());
        case Type::list: break;
    }
    return fmt::format("a list of {} radii, by number", size.size());
}

}  // namespace granary
