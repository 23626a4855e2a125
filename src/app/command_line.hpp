// What the user typed after `granary`.
#pragma once
#include <string>
#include <vector>
#include "bench/bench_bed.hpp"
#include "bench/bench_bonds.hpp"
#include "bench/bench_checkpoint.hpp"
#include "bench/bench_clusters.hpp"
#include "bench/bench_detect.hpp"
#include "bench/bench_halo.hpp"
#include "bench/bench_picture.hpp"
#include "bench/bench_shapes.hpp"
#include "run/run.hpp"
#include "run/sweep.hpp"

namespace granary {

struct CommandLine {
    enum class Command {
        none,
        run,
        resume,
        check,
        keys,
        digest,
        report,
        sweep,
        bench_bed,
        bench_bonds,
        bench_detect,
        bench_halo,
        bench_clusters,
        bench_checkpoint,
        bench_picture,
        bench_shapes
    };
    Command command = Command::none;
    std::string text;                  // none: help or version, to be printed
    std::size_t threads = 1;           // run, resume, bench bed: of each rank
    RunOptions run;                    // run, resume, check
    std::string state;                 // digest: the file
    std::vector<std::string> folders;  // report: of the runs
    std::string out;                   // report: the page; empty: where it belongs
    SweepOptions sweep;                // sweep
    BenchBed bed;                      // bench bed
    BenchClusters clusters;            // bench clusters
    BenchBonds bonds;                  // bench bonds
    BenchDetect detect;                // bench detect
    BenchHalo halo;                    // bench halo
    BenchCheckpoint checkpoint;        // bench checkpoint
    BenchPicture picture;              // bench picture
    BenchShapes shapes;                // bench shapes
};

// What --threads says, which must be known before Kokkos starts; 1 if it is not there or no number.
int threads_asked(int argc, const char* const* argv);

// Throws InputError: what was not understood, and what would have been.
CommandLine read_command_line(int argc, const char* const* argv);

}  // namespace granary
