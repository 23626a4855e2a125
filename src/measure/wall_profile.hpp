// The load of the grain on one wall by bins (wall_bins.hpp), looked at again and again: mean, peak and envelope over
// time. One look is a vector of sums over contacts; the looks of a span of time are plain vectors, which can be saved.
//   normal   pressure, positive towards the wall
//   shear    drag along the wall, positive towards lower bins: grain that hangs on a silo's wall
//   cross    drag across, positive towards higher sectors
#pragma once
#include <span>
#include <vector>
#include "measure/upright_bin.hpp"
#include "measure/wall_bins.hpp"
#include "walls/wall_contacts.hpp"

namespace granary {

inline constexpr std::size_t n_profile_sums = 3;  // normal, shear, cross force of a bin, N

void add_contact(std::span<double> sums, const WallBins& bins, const WallSample& contact);

struct ProfileLooks {
    double looks = 0;
    std::vector<double> sum, least, most;  // Pa, as the sums: n_profile_sums for each bin

    void clear();
    void add(std::span<const double> sums, const WallBins& bins);  // of one look
    double mean(std::size_t k) const { return looks > 0 ? sum[k] / looks : 0.0; }
};

// The mass of the grain in an upright bin by height, and what follows from it.
class BulkColumn {
  public:
    static constexpr std::size_t slices = 400;
    explicit BulkColumn(const UprightBin& bin) : bin_(bin) {}

    // The slice of a ball's centre, or `slices` if it is not in the bin.
    std::size_t slice(const Vec3d& x) const;
    double height() const { return bin_.height(); }
    double area() const { return bin_.area(); }

    // Density between the heights below which 10 and 70 % of the mass lie, and the height of a level surface, above the
    // bottom.
    struct Fill {
        double density = 0, surface = 0;  // kg/m^3, m
    };
    Fill fill(std::span<const double> mass) const;  // of each slice, kg

    // Mass above a height over the bottom, kg; slices count by their share.
    double mass_above(std::span<const double> mass, double height) const;

  private:
    UprightBin bin_;
};

}  // namespace granary
