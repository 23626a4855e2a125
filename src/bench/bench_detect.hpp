// The detectors side by side on the experiments of the papers: contact detection alone, without forces and motion.
//   Munjiza, Rougier & John (2006), section 6 (examples I to IV) and section 7 (figure 32)
//   Lazarević, Dvornik & Fresl (2002), figure 5 and the size of Delta
// Every experiment checks what it can know beforehand, such as the number of touching pairs, and fails if that is
// wrong.
#pragma once
#include <boost/mpi/communicator.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace granary {

struct BenchDetect {
    std::string experiment = "all";
    std::vector<std::string> detectors;  // empty: those that the experiment is about
    std::uint64_t largest = 5'000'211;   // no system with more bodies
    std::uint64_t smallest = 0;          // munjiza-1, mmr-sizes: no system with fewer
    std::uint64_t repeats = 3;           // interleaved
    double ratio = 32;                   // mmr-sizes: largest to smallest diameter
    std::string csv, json;               // files; without either, CSV goes to standard output
};

// Names that --experiment and --detectors know.
std::vector<std::string> detect_experiment_names();
std::vector<std::string> detect_detector_names();

// On one rank. Tells its progress on standard error and gives back what belongs on standard output.
std::string bench_detect(const boost::mpi::communicator& comm, const BenchDetect& options);

}  // namespace granary
