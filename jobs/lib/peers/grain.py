"""The grain of jobs/compare-peers and its contact laws, in the constants that each program wants.

Granary's laws: src/contact/hertz_mindlin_huang2020.hpp and linear_spring_dashpot.hpp. A wall is of the same grain, so that every pair has the
same constants whatever a program does to mix them.
"""
import math

density = 2500.0
young = 5e6
poisson = 0.45
restitution = 0.5
friction = 0.5
stiffness = 1500.0          # N/m of a pair, linear law: two materials of 3000 N/m in series
stiffness_ratio = 2 / 7     # tangential over normal
gravity = 9.81
radius_min, radius_max = 2.4e-3, 2.6e-3

shear = young / (2 * (1 + poisson))
young_pair = young / (2 * (1 - poisson ** 2))      # E*
shear_pair = shear / (2 * (2 - poisson))           # G*
hertz = 4 / 3 * young_pair                         # F_n = hertz sqrt(R*) delta^1.5
mindlin = 8 * shear_pair                           # K_t = mindlin sqrt(R* delta)


def damping_ratio(e):
    return -math.log(e) / math.hypot(math.log(e), math.pi)


beta = damping_ratio(restitution)
alpha = 2 * math.sqrt(5 / 6) * beta
damping_n = alpha * math.sqrt(2 * young_pair)      # C_n = damping_n sqrt(m* sqrt(R* delta))
damping_t = alpha * math.sqrt(mindlin)             # C_t likewise


def tsuji_fit(e):
    """LAMMPS, damping tsuji: the damping number as a polynomial of the restitution, made for the mass of a ball instead of m*."""
    return 1.2728 - 4.2783 * e + 11.087 * e ** 2 - 22.348 * e ** 3 + 27.467 * e ** 4 - 18.022 * e ** 5 + 4.8218 * e ** 6


def tsuji_restitution():
    """The restitution that must be given to LAMMPS for the damper of Granary, C_n = sqrt(5) beta sqrt(m* k_n)."""
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if tsuji_fit(middle) > math.sqrt(5) * beta else (low, middle)
    return low


def mass(radius):
    return density * 4 / 3 * math.pi * radius ** 3


def contacts(balls, lower, upper, periodic):
    """Pairs that overlap, as (overlap, radius of one, of the other). Cells of one largest diameter."""
    edge = 2 * max(b[3] for b in balls)
    counts = [max(1, int((upper[k] - lower[k]) / edge)) for k in range(3)]
    sizes = [(upper[k] - lower[k]) / counts[k] for k in range(3)]
    cells = {}
    for n, b in enumerate(balls):
        cells.setdefault(tuple(int((b[k] - lower[k]) / sizes[k]) for k in range(3)), []).append(n)
    found = []
    around = [(i, j, k) for i in (-1, 0, 1) for j in (-1, 0, 1) for k in (-1, 0, 1)]
    for cell, members in cells.items():
        near = set()
        for step in around:
            other = [cell[k] + step[k] for k in range(3)]
            for k in (0, 1):
                if periodic:
                    other[k] %= counts[k]
            near.add(tuple(other))
        partners = [m for c in near for m in cells.get(c, ())]
        for n in members:
            a = balls[n]
            for m in partners:
                if m <= n:
                    continue
                b = balls[m]
                d = [a[k] - b[k] for k in range(3)]
                if periodic:
                    for k in (0, 1):
                        d[k] -= (upper[k] - lower[k]) * round(d[k] / (upper[k] - lower[k]))
                overlap = a[3] + b[3] - math.sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2])
                if overlap > 0:
                    found.append((overlap, a[3], b[3]))
    return found


class Dampers:
    """Constants of LAMMPS' dampers, C = gamma m* (linear) and gamma m* sqrt(R* delta) (gran/hertz/history), such that the mean damper over the
    contacts of a scene is that of Granary. The linear one is then right to the spread of m*, the other one differs where the overlap does."""

    def __init__(self, pairs):
        sum_n, sum_sm, sum_root_m, sum_m, sum_r = 0.0, 0.0, 0.0, 0.0, 0.0
        for overlap, ra, rb in pairs:
            m = mass(ra) * mass(rb) / (mass(ra) + mass(rb))
            sm = math.sqrt(ra * rb / (ra + rb) * overlap) * m
            sum_n += math.sqrt(sm)
            sum_sm += sm
            sum_root_m += math.sqrt(m)
            sum_m += m
            sum_r += overlap / (ra + rb) * 2
        self.hertz_n = damping_n * sum_n / sum_sm
        self.hertz_t = damping_t * sum_n / sum_sm
        self.linear_n = 2 * beta * math.sqrt(stiffness) * sum_root_m / sum_m
        self.linear_t = self.linear_n * math.sqrt(stiffness_ratio)
        self.mean_overlap = sum_r / len(pairs)
