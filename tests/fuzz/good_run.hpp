// A small run that has something of everything that a checkpoint keeps, for the targets that edit what it saves.
#pragma once
#include <boost/mpi/communicator.hpp>
#include <string>
#include "plan/plan.hpp"
#include "core/errors.hpp"

namespace granary::fuzz {

struct GoodRun {
    boost::mpi::communicator comm;
    Case c;
    CasePlaces places;
    Plan plan;
    std::string checkpoint;  // bytes of its file
    std::string state;  // the same without most of what only a checkpoint has, of which each entry takes HDF5 some time
    GoodRun();
};
const GoodRun& good_run();

template <class Work> void refused_or_taken(Work&& work) {
    try {
        work();
    } catch (const InputError&) {
    } catch (const RunError&) {}
}

}  // namespace granary::fuzz
