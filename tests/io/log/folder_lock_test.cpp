#include "io/log/folder_lock.hpp"
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include "core/errors.hpp"
#include "support/message_of.hpp"
#include "support/scratch_folder.hpp"

namespace granary {
namespace {

using test::ScratchFolder;

const LockTimes quick{.heartbeat = 0.05, .patience = 0.4, .long_gone = 3600};

std::string refusal(const std::string& folder, const LockTimes& times = quick) {
    return test::message_of<InputError>([&] { FolderLock(folder, this_process("run b.toml"), {}, times); });
}

void leave(const std::string& folder, const LockHolder& holder) {
    std::ofstream(folder + "/" + lock_file) << lock_text(holder);
}
bool is_there(const std::string& folder) { return ::access((folder + "/" + lock_file).c_str(), F_OK) == 0; }

LockHolder of_another_machine() {
    LockHolder h = this_process("run far.toml");
    h.host = "elsewhere", h.system = "another", h.job = "Slurm job 77";
    return h;
}

// What the lock said on its way.
struct Said {
    std::string text;
    std::function<void(const std::string&)> to() {
        return [this](const std::string& more) { text += more; };
    }
};

TEST(FolderLock, IsReadableAndReadBack) {
    LockHolder h = this_process("run my case.toml");
    h.job = "PBS job 5.host";
    const std::optional<LockHolder> again = lock_holder_in(lock_text(h));
    ASSERT_TRUE(again);
    EXPECT_EQ(again->host, h.host);
    EXPECT_EQ(again->pid, ::getpid());
    EXPECT_EQ(again->command, "run my case.toml");
    EXPECT_EQ(again->job, h.job);
    EXPECT_EQ(again->process_start, h.process_start);
    EXPECT_EQ(again->system, h.system);
    EXPECT_FALSE(lock_holder_in(""));
    EXPECT_FALSE(lock_holder_in("host a\npid 12\n"));           // torn
    EXPECT_FALSE(lock_holder_in("host a\npid x\nsystem b\n"));  // no number
    EXPECT_EQ(is_running(h), std::optional(true));
    h.process_start += "0";  // the pid was given away again
    EXPECT_EQ(is_running(h), std::optional(false));
    EXPECT_EQ(is_running(of_another_machine()), std::nullopt);
}

TEST(FolderLock, RefusesASecondOneAndSaysWhoHoldsIt) {
    const ScratchFolder scratch;
    const std::string folder = scratch / "";
    ::setenv("SLURM_JOB_ID", "4711", 1);
    {
        const FolderLock first(folder, this_process("run a.toml"), {}, quick);
        ::unsetenv("SLURM_JOB_ID");
        const std::string text = refusal(folder);
        for (const std::string& part :
             {std::string("is in use by `granary run a.toml`"), "pid " + std::to_string(::getpid()),
              std::string("Slurm job 4711"), std::string("--out")})
            EXPECT_NE(text.find(part), std::string::npos) << text;
        EXPECT_EQ(text.find("remove"), std::string::npos) << text;  // it is certain that it runs
        EXPECT_EQ(test::message_of<InputError>([&] { FolderLock::check_free(folder); }), text);
        EXPECT_TRUE(is_there(folder));
    }
    EXPECT_FALSE(is_there(folder));
    FolderLock::check_free(folder);
    const FolderLock again(folder, this_process("run b.toml"), {}, quick);
}

TEST(FolderLock, OfAProcessThatWasKilledIsTakenOver) {
    const ScratchFolder scratch;
    const std::string folder = scratch / "";
    int ready[2];
    ASSERT_EQ(::pipe(ready), 0);
    const pid_t child = ::fork();
    if (child == 0) {
        const FolderLock held(folder, this_process("run a.toml"), {}, quick);
        if (::write(ready[1], "x", 1) == 1) ::pause();
        ::_exit(1);
    }
    char c = 0;
    ASSERT_EQ(::read(ready[0], &c, 1), 1);
    EXPECT_NE(refusal(folder).find("pid " + std::to_string(child)), std::string::npos);
    ::kill(child, SIGKILL);
    siginfo_t info{};
    ::waitid(P_PID, static_cast<id_t>(child), &info,
             WEXITED | WNOWAIT);  // dead, but not yet taken off the list of processes
    EXPECT_TRUE(is_there(folder));
    Said said;
    { const FolderLock next(folder, this_process("run b.toml"), said.to(), quick); }
    EXPECT_NE(said.text.find("is taken over: that process is gone"), std::string::npos) << said.text;
    EXPECT_NE(said.text.find("pid " + std::to_string(child)), std::string::npos) << said.text;
    EXPECT_FALSE(is_there(folder));
    ::waitpid(child, nullptr, 0);
    ::close(ready[0]), ::close(ready[1]);
}

TEST(FolderLock, OfAnotherMachineIsWatched) {
    const ScratchFolder scratch;
    const std::string folder = scratch / "";
    leave(folder, of_another_machine());
    Said said;
    { const FolderLock next(folder, this_process("run b.toml"), said.to(), quick); }
    EXPECT_NE(said.text.find("was left by `granary run far.toml`"), std::string::npos) << said.text;
    EXPECT_NE(said.text.find("is taken over"), std::string::npos) << said.text;

    // One that gives signs of life.
    leave(folder, of_another_machine());
    std::atomic<bool> ended = false;
    std::thread far([&] {
        while (!ended) {
            ::utimensat(AT_FDCWD, (folder + "/" + lock_file).c_str(), nullptr, 0);
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
        }
    });
    const std::string text = refusal(folder, {.heartbeat = 0.05, .patience = 20, .long_gone = 3600});
    ended = true;
    far.join();
    for (const char* part : {"on elsewhere, Slurm job 77", "Its last sign of life was 0 s ago",
                             "If it is certainly gone, remove", "run.lock"})
        EXPECT_NE(text.find(part), std::string::npos) << text;

    // One that has given none for days is not waited for.
    leave(folder, of_another_machine());
    const timespec then[2] = {{1'000'000'000, 0}, {1'000'000'000, 0}};
    ASSERT_EQ(::utimensat(AT_FDCWD, (folder + "/" + lock_file).c_str(), then, 0), 0);
    Said brief;
    { const FolderLock next(folder, this_process("run b.toml"), brief.to(), {.patience = 1000}); }
    EXPECT_EQ(brief.text.find("watched"), std::string::npos) << brief.text;
}

TEST(FolderLock, BeatsWhileItIsHeld) {
    const ScratchFolder scratch;
    const std::string folder = scratch / "";
    const FolderLock held(folder, this_process("run a.toml"), {}, quick);
    struct stat first {
    }, later{};
    ASSERT_EQ(::stat((folder + "/" + lock_file).c_str(), &first), 0);
    for (int k = 0; k < 200 && (k == 0 || (later.st_mtim.tv_sec == first.st_mtim.tv_sec &&
                                           later.st_mtim.tv_nsec == first.st_mtim.tv_nsec));
         ++k) {
        std::this_thread::sleep_for(std::chrono::milliseconds(25));
        ASSERT_EQ(::stat((folder + "/" + lock_file).c_str(), &later), 0);
    }
    EXPECT_TRUE(later.st_mtim.tv_sec != first.st_mtim.tv_sec || later.st_mtim.tv_nsec != first.st_mtim.tv_nsec);
}

TEST(FolderLock, WorksWithoutLocksOfTheSystem) {
    const ScratchFolder scratch;
    const std::string folder = scratch / "";
    LockTimes without = quick;
    without.system_locks = false;
    {
        const FolderLock first(folder, this_process("run a.toml"), {}, without);
        EXPECT_NE(refusal(folder, without).find("is in use by `granary run a.toml`"), std::string::npos);
    }
    EXPECT_FALSE(is_there(folder));
    LockHolder dead = this_process("run a.toml");
    dead.process_start = "1";
    leave(folder, dead);
    const FolderLock next(folder, this_process("run b.toml"), {}, without);
    EXPECT_NE(refusal(folder, without).find("is in use by `granary run b.toml`"), std::string::npos);
}

TEST(FolderLock, TakesATornFile) {
    const ScratchFolder scratch;
    const std::string folder = scratch / "";
    std::ofstream(folder + "/" + lock_file) << "host no";
    { const FolderLock next(folder, this_process("run b.toml"), {}, quick); }
    EXPECT_FALSE(is_there(folder));
    EXPECT_NE(refusal(folder + "/missing").find("cannot write results into"), std::string::npos);
}

}  // namespace
}  // namespace granary
