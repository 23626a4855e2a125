// The main of every test program: GoogleTest on one rank or many, with MPI and Kokkos running.
//   - Rank 0 prints. What fails on another rank is printed at once on stderr (it survives a hang that follows) and
//     becomes a failure of the same test on rank 0, so the summary and the XML report name it.
//   - An exception that leaves a test ends all ranks: the others may already wait for this one. On one rank alone
//     GoogleTest's own handling stays: the test has failed, the next one runs.
//   - The exit code is the largest over all ranks; 77, which ctest reports as skipped, if all that was to run was
//   skipped.
//     --gtest_list_tests needs no MPI.
// A test must not ASSERT_* on some ranks only before a collective call; that hangs until the timeout of ctest.
#include <gtest/gtest.h>
#include <Kokkos_Core.hpp>
#include <boost/mpi/collectives.hpp>
#include <boost/mpi/communicator.hpp>
#include <boost/mpi/environment.hpp>
#include <boost/serialization/string.hpp>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

namespace {

namespace mpi = boost::mpi;

class GatherFailures : public testing::EmptyTestEventListener {
  public:
    explicit GatherFailures(const mpi::communicator& world) : world_(world, mpi::comm_duplicate) {}

    void OnTestPartResult(const testing::TestPartResult& part) override {
        if (world_.rank() == 0 || !part.failed()) return;
        std::ostringstream text;
        text << "[rank " << world_.rank() << "] " << (part.file_name() ? part.file_name() : "unknown file") << ":"
             << part.line_number() << ": " << part.message() << "\n";
        std::cerr << text.str() << std::flush;
        failures_ += text.str();
    }

    // Comes before the printer's OnTestEnd, since GoogleTest calls the end events in reverse order of the listeners.
    void OnTestEnd(const testing::TestInfo&) override {
        std::vector<std::string> of_rank;
        mpi::gather(world_, failures_, of_rank, 0);
        failures_.clear();
        for (const std::string& text : of_rank)
            if (!text.empty()) ADD_FAILURE() << text;
    }

  private:
    mpi::communicator world_;  // its own: a test that left early must not meet the others' messages
    std::string failures_;     // of this rank since the last test's end
};

int run_all_tests() {
    const int result = RUN_ALL_TESTS();
    const testing::UnitTest& all = *testing::UnitTest::GetInstance();
    return result == 0 && all.skipped_test_count() > 0 && all.successful_test_count() == 0 ? 77 : result;
}

int run_on_all_ranks(const mpi::communicator& world) {
    testing::TestEventListeners& listeners = testing::UnitTest::GetInstance()->listeners();
    if (world.size() == 1) return run_all_tests();
    if (world.rank() > 0) {
        delete listeners.Release(listeners.default_result_printer());
        delete listeners.Release(listeners.default_xml_generator());
    }
    GatherFailures gather(world);
    listeners.Append(&gather);
    GTEST_FLAG_SET(catch_exceptions, false);
    const int result = run_all_tests();
    listeners.Release(&gather);
    return mpi::all_reduce(world, result, mpi::maximum<int>());
}

// A handler of terminate instead of a catch in main: unwinding would run destructors, and one that calls MPI (a file,
// a communicator) would wait for the other ranks for ever.
[[noreturn]] void end_all_ranks() {
    const testing::TestInfo* test = testing::UnitTest::GetInstance()->current_test_info();
    std::string what = "terminate was called";
    if (const std::exception_ptr exception = std::current_exception()) {
        try {
            std::rethrow_exception(exception);
        } catch (const std::exception& e) {
            what = std::string("uncaught exception: ") + e.what();
        } catch (...) {
            what = "uncaught exception that is no std::exception";
        }
    }
    std::cerr << "[rank " << mpi::communicator().rank() << "] in "
              << (test ? std::string(test->test_suite_name()) + "." + test->name() : "the test program") << ": " << what
              << std::endl;
    mpi::environment::abort(1);
    std::abort();  // where MPI_Abort returns
}

}  // namespace

int main(int argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    if (GTEST_FLAG_GET(list_tests)) return RUN_ALL_TESTS();

    mpi::environment environment(argc, argv);
    std::set_terminate(end_all_ranks);
    Kokkos::ScopeGuard kokkos(argc, argv);
    return run_on_all_ranks(mpi::communicator());
}
