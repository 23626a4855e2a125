#include "decomposition/together.hpp"
#include <gtest/gtest.h>
#include <boost/mpi/communicator.hpp>
#include <filesystem>
#include <functional>
#include <new>
#include <stdexcept>
#include <vector>

using namespace granary;

namespace {

struct Thrown {
    const char* name;
    ErrorKind kind;
    std::function<void()> by;
};

const std::vector<Thrown>& kinds() {
    static const std::vector<Thrown> all{
        {"input", ErrorKind::input, [] { throw InputError("a file is missing"); }},
        {"run", ErrorKind::run, [] { throw RunError("a ball is lost"); }},
        {"memory", ErrorKind::memory, [] { throw std::bad_alloc(); }},
        {"memory with a text", ErrorKind::memory, [] { throw OutOfMemory("no room for 8 balls"); }},
        {"internal", ErrorKind::internal, [] { throw std::logic_error("no such wall"); }},
        {"index", ErrorKind::internal, [] { static_cast<void>(std::vector<int>().at(1)); }},
        {"folder", ErrorKind::input, [] { std::filesystem::create_directory("/no/such/folder"); }},
    };
    return all;
}

// What together() throws here when some ranks throw.
std::optional<Failure> thrown(const boost::mpi::communicator& world, const std::function<void()>& work) {
    try {
        together(world, work);
    } catch (const Error& e) {
        return Failure{e.kind(), e.what()};
    }
    return {};
}

std::string text_of(const std::function<void()>& work) {
    try {
        work();
    } catch (const std::exception& e) {
        return e.what();
    }
    return {};
}

}  // namespace

TEST(Together, RethrowsTheKindOfTheLowestRankOnAll) {
    const boost::mpi::communicator world;
    EXPECT_FALSE(thrown(world, [] {}));
    for (const Thrown& t : kinds())
        for (int who = 0; who < world.size(); ++who) {
            SCOPED_TRACE(t.name);
            // Ranks above throw something else, which nobody hears of.
            const std::optional<Failure> got = thrown(world, [&] {
                if (world.rank() == who) t.by();
                if (world.rank() > who) throw RunError("of a higher rank");
            });
            ASSERT_TRUE(got);
            EXPECT_EQ(got->kind, t.kind);
            const std::string at = who > 0 ? " (on rank " + std::to_string(who) + ")" : "";
            EXPECT_EQ(got->text, text_of(t.by) + at);
        }
}

TEST(Together, ThrowsTheTypeThatIsCaughtElsewhere) {
    const boost::mpi::communicator world;
    const int last = world.size() - 1;
    const auto at_last = [&](const std::function<void()>& work) {
        return [&world, last, work] {
            if (world.rank() == last) work();
        };
    };
    EXPECT_THROW(together(world, at_last([] { throw InputError("a"); })), InputError);
    EXPECT_THROW(together(world, at_last([] { throw RunError("a"); })), RunError);
    EXPECT_THROW(together(world, at_last([] { throw std::bad_alloc(); })), OutOfMemory);
    EXPECT_THROW(together(world, at_last([] { throw std::logic_error("a"); })), InternalError);
}

TEST(Together, ThrowsTheFirstTextOfOneKind) {
    const boost::mpi::communicator world;
    EXPECT_NO_THROW(throw_first(world, ErrorKind::run, ""));
    const int last = world.size() - 1;
    for (const ErrorKind kind : {ErrorKind::input, ErrorKind::run, ErrorKind::memory, ErrorKind::internal}) {
        try {
            throw_first(world, kind, world.rank() == last ? "last" : "");
            ADD_FAILURE();
        } catch (const Error& e) {
            EXPECT_EQ(e.kind(), kind);
            EXPECT_STREQ(e.what(), "last");
        }
    }
}
