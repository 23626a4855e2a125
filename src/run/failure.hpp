// The end of a program of many ranks when something went wrong: exactly one rank says why. An error that all ranks met
// alike is told by rank 0, and all end with the same code. One that only some ranks met would leave the others waiting:
// the lowest of those that met it tells it, and ends all.
#pragma once
#include <mpi.h>
#include <exception>
#include <string>

namespace granary {

// Once, before anything can fail. all: a communicator of its own, so that an error does not meet the messages of a run.
void watch_for_failures(MPI_Comm all);

// What the user is told about an error.
std::string failure_text(const std::exception& error);

// Says what went wrong on standard error, on one rank. Looks round for up to two seconds whether all ranks are here:
// true if so. Called again it only gives the same answer: whoever has work to do before the end, such as a report,
// tells first.
bool tell_failure(const std::string& text);

// Tells unless that is done, then ends all ranks, or gives back the exit code if all are here to end by themselves.
int end_after_failure(const std::exception& error);

}  // namespace granary
