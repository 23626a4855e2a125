#include "filling/cluster_copies.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include "core/elementary.hpp"
#include "core/random.hpp"
#include "shapes/quaternion.hpp"

namespace granary {
namespace {

constexpr double ln_2 = 0.693147180559945309417;

// ln x = e ln 2 + 2 artanh((m - 1)/(m + 1)) for x = m 2^e, m between 1/sqrt(2) and sqrt(2).
double natural_log(double x) {
    int e = 0;
    double m = std::frexp(x, &e);
    if (m < 0.70710678118654752) m *= 2, --e;
    const double s = (m - 1) / (m + 1), square = s * s;
    double sum = 0;
    for (int k = 25; k >= 1; k -= 2) sum = sum * square + 1.0 / k;
    return e * ln_2 + 2 * s * sum;
}

// e^y = 2^k e^r, |r| at most half of ln 2.
double exponential(double y) {
    const double k = std::floor(y / ln_2 + 0.5), r = y - k * ln_2;
    double sum = 1;
    for (int n = 17; n >= 1; --n) sum = 1 + sum * r / n;
    return std::ldexp(sum, static_cast<int>(std::clamp(k, -1000.0, 1000.0)));
}

double scale_of(const ClusterTemplate& shape, const NewBody& grain) { return grain.radius / shape.outer_radius; }

// Seen from the element `of`.
void entries_of(const ClusterTemplate& shape, const NewBody& grain, std::uint32_t of, std::uint32_t partner,
                const BondMaking& making, ContactHistory::Entry (&to)[2]) {
    const Id mine = grain.id + of, other = grain.id + partner;
    const Vec3d apart = scale_of(shape, grain) * (shape.elements[of].centre - shape.elements[partner].centre);
    to[0] = {{PartnerClass::body, other, 0, HistoryKind::bond}, {apart.x, apart.y, apart.z}};
    to[1] = {{PartnerClass::body, other, 0, HistoryKind::bond_nature},
             {static_cast<double>(shape.bond_type), strength_factor(mine, other, shape.weibull_modulus, making.seed),
              making.time}};
}

}  // namespace

void turn_at_random(NewBody& grain, std::uint64_t seed) {
    double* q = grain.orientation;
    for (std::uint32_t trial = 0; trial < 10000; ++trial) {  // three in ten are in the ball
        const RandomKey key{seed, Purpose::cluster_turn, 0, grain.id, trial};
        double square = 0;
        for (std::uint32_t k = 0; k < 4; ++k) q[k] = 2 * uniform(key, k) - 1, square += q[k] * q[k];
        if (square > 1 || square < 1e-4) continue;
        const double length = std::sqrt(square);
        for (int k = 0; k < 4; ++k) q[k] /= length;
        return;
    }
    throw std::logic_error("no orientation was drawn");
}

void turn_at_random_about(int axis, NewBody& grain, std::uint64_t seed) {
    const double half = std::numbers::pi * uniform({seed, Purpose::cluster_turn, 0, grain.id, 0}, 0);
    double* q = grain.orientation;
    q[0] = elementary::cos(half), q[1] = q[2] = q[3] = 0;
    q[1 + axis] = elementary::sin(half);
}

NewBody element_of(const ClusterTemplate& shape, const NewBody& grain, std::uint32_t k) {
    const ClusterTemplate::Element& e = shape.elements[k];
    const double scale = scale_of(shape, grain);
    const double* q = grain.orientation;
    const Vec3d arm = rotate(Quaterniond{q[0], q[1], q[2], q[3]}, scale * e.centre);
    NewBody b = grain;
    b.id = grain.id + k, b.cluster = grain.id, b.shape = 0;
    b.position = grain.position + arm;
    b.velocity = grain.velocity + cross(grain.spin, arm);
    b.radius = scale * e.radius;
    b.mass = grain.mass * (4.0 / 3.0 * std::numbers::pi * e.radius * e.radius * e.radius / shape.solid_volume);
    b.inertia = 0.4 * b.mass * b.radius * b.radius;
    return b;
}

void add_bonds_of(const ClusterTemplate& shape, const NewBody& grain, std::uint32_t k, const BondMaking& making,
                  std::vector<ContactHistory::Entry>& to) {
    ContactHistory::Entry entries[2];
    for (const ClusterTemplate::Partner& p : shape.partners_of(k)) {
        entries_of(shape, grain, k, p.element, making, entries);
        to.insert(to.end(), std::begin(entries), std::end(entries));
    }
}

void add_records_of(const ClusterTemplate& shape, const NewBody& grain, std::uint32_t bond, const BondMaking& making,
                    std::vector<ContactRecord>& to) {
    const ClusterTemplate::Bond& b = shape.bonds[bond];
    ContactHistory::Entry entries[2];
    entries_of(shape, grain, b.a, b.b, making, entries);
    for (const ContactHistory::Entry& e : entries)
        to.push_back({grain.id + b.a, e.partner, {e.xi[0], e.xi[1], e.xi[2]}});
}

double strength_factor(Id one, Id other, double modulus, std::uint64_t seed) {
    if (!(modulus > 0)) return 1;
    const auto [low, high] = std::minmax(one, other);
    const RandomKey key{seed, Purpose::bond_strength, 0, low, static_cast<std::uint32_t>(high - low)};
    const double u = std::min(uniform(key, 0) + 0x1p-54, 1 - 0x1p-53);  // neither 0 nor 1
    return exponential(natural_log(-natural_log(u)) / modulus);
}

}  // namespace granary
