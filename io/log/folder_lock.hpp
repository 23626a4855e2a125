// The results folder of a run belongs to one process at a time. Whoever runs in it holds DIR/run.lock: a lock of the
// system on the open file, which ends with the process however that ends, and in the file who it is. A clean end
// removes the file; one that was ended by force leaves it behind, and the next process sees that nobody holds it any
// more.
//
// Between machines that share a disk the system's lock usually holds as well (NFS, Lustre with flock), but that cannot
// be known. So the holder also renews the time of the file every few seconds. A file left by another machine is watched
// for a while: if its time does not move, the holder is gone. Times are compared with each other only, so clocks may
// differ. A disk that knows no locks (ENOLCK, ENOSYS) is used with the content and the time of the file alone: this
// leaves a gap of some milliseconds in which two processes may begin at once.
#pragma once
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include "io/formats/text_file.hpp"

namespace granary {

inline constexpr const char* lock_file = "run.lock";

// Who holds a folder, as the lock file says.
struct LockHolder {
    std::string host;
    std::string system;  // boot and process space of the host: only within the same one pids can be looked up
    long pid = 0;
    std::string process_start;  // in ticks since boot; a pid alone may have been given away again
    std::string job;            // "Slurm job 77"; empty: none
    std::string command;        // "run silo.toml"
    std::string since;          // date and time, UTC
};

LockHolder this_process(std::string command);
std::string lock_text(const LockHolder& holder);
std::optional<LockHolder> lock_holder_in(const std::string& text);  // nothing if it is not a whole lock file

// Whether the process is there: nothing if that cannot be looked up from here.
std::optional<bool> is_running(const LockHolder& holder);

struct LockTimes {
    double heartbeat = 10;     // s between two renewals of the file's time
    double patience = 25;      // s for which the file of another machine is watched
    double long_gone = 3600;   // s after which it need not be watched
    bool system_locks = true;  // false: as on a disk without locks, for tests
};

class FolderLock {
  public:
    // Takes the lock of a folder that is there. Throws InputError if another process holds it (who, and what to do), or
    // if the file cannot be written. say: is told what takes time (watching a file) or was found (a lock left behind).
    FolderLock(const std::string& folder, const LockHolder& holder,
               const std::function<void(const std::string&)>& say = {}, const LockTimes& times = {});
    ~FolderLock();  // removes the file
    FolderLock(const FolderLock&) = delete;
    FolderLock& operator=(const FolderLock&) = delete;

    // Throws as above if another process holds the folder now, as far as the system's lock tells; changes nothing. For
    // an early answer only.
    static void check_free(const std::string& folder);

  private:
    void beat(double interval);

    std::string path_;
    OpenFile file_;
    std::mutex mutex_;
    std::condition_variable ends_;
    bool ended_ = false;
    std::thread heart_;
};

}  // namespace granary
