#include "io/log/folder_lock.hpp"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>
#include <array>
#include <cerrno>
#include <chrono>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <map>
#include <sstream>
#include "core/errors.hpp"
#include "io/formats/amounts.hpp"

namespace granary {

namespace {

constexpr int most_attempts = 20;  // at a file that is removed again and again between opening and locking

std::string first_line_of(const std::string& path) {
    try {
        const std::string text = read_text_file(path);
        return text.substr(0, text.find('\n'));
    } catch (const InputError&) {
        return {};
    }
}

std::string variable(const char* name) {
    const char* const value = std::getenv(name);
    return value != nullptr ? value : "";
}

std::string job_of_this_process() {
    if (const std::string array = variable("SLURM_ARRAY_JOB_ID"); !array.empty())
        return fmt::format("Slurm job {}_{}", array, variable("SLURM_ARRAY_TASK_ID"));
    for (const auto& [name, scheduler] :
         {std::pair{"SLURM_JOB_ID", "Slurm"}, {"PBS_JOBID", "PBS"}, {"LSB_JOBID", "LSF"}})
        if (const std::string id = variable(name); !id.empty()) return fmt::format("{} job {}", scheduler, id);
    return {};
}

std::string this_system() {
    std::array<char, 64> space{};
    const ssize_t n = ::readlink("/proc/self/ns/pid", space.data(), space.size() - 1);
    return first_line_of("/proc/sys/kernel/random/boot_id") + (n > 0 ? std::string(" ") + space.data() : "");
}

// State and start of a process; empty: there is none. Fields 3 and 22 of /proc/<pid>/stat; the name before them may
// hold anything.
struct ProcessState {
    std::string state, start;
};
ProcessState process_state(long pid) {
    const std::string line = first_line_of(fmt::format("/proc/{}/stat", pid));
    const std::size_t name_end = line.rfind(')');
    if (name_end == std::string::npos) return {};
    std::istringstream words(line.substr(name_end + 1));
    ProcessState found;
    std::string word;
    for (int field = 3; field <= 22 && words >> word; ++field) {
        if (field == 3) found.state = word;
        if (field == 22) found.start = word;
    }
    return found;
}

enum class Locked { yes, by_another, unknown };

// Locks of the open file, not of the process: they do not end when some library opens and closes the file.
Locked ask_for_lock(int fd, int command) {
    struct flock whole {};
    whole.l_type = F_WRLCK, whole.l_whence = SEEK_SET;
    if (::fcntl(fd, command, &whole) == 0)
        return command != F_OFD_GETLK || whole.l_type == F_UNLCK ? Locked::yes : Locked::by_another;
    return errno == EACCES || errno == EAGAIN ? Locked::by_another : Locked::unknown;
}

bool is_still_at(int fd, const std::string& path) {
    struct stat mine {
    }, there{};
    return ::fstat(fd, &mine) == 0 && ::stat(path.c_str(), &there) == 0 && mine.st_ino == there.st_ino &&
           mine.st_dev == there.st_dev;
}

// When the file was last renewed. Opened each time: so NFS asks the server anew.
std::optional<timespec> renewed_at(const std::string& path) {
    const OpenFile file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    struct stat s {};
    if (!file || ::fstat(file.fd(), &s) != 0) return std::nullopt;
    return s.st_mtim;
}

double age_of(const timespec& t) {
    timespec now{};
    ::clock_gettime(CLOCK_REALTIME, &now);
    return static_cast<double>(now.tv_sec - t.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec - t.tv_nsec);
}

std::string ago(double seconds) {
    const double s = std::max(0.0, seconds);
    return s < 120    ? fmt::format("{:.0f} s ago", s)
           : s < 7200 ? fmt::format("{:.0f} min ago", s / 60)
                      : fmt::format("{:.0f} h ago", s / 3600);
}

std::string described(const LockHolder& h) {
    std::string text = fmt::format("`granary {}`, pid {} on {}", h.command, h.pid, h.host);
    if (!h.job.empty()) text += ", " + h.job;
    return text + ", since " + h.since;
}

[[noreturn]] void refuse(const std::string& folder, const std::string& path, const std::optional<LockHolder>& holder) {
    std::string text =
        fmt::format("{} is in use by {}. Wait until it ends, stop it, or choose another folder with --out", folder,
                    holder ? described(*holder) : "another run that is just starting");
    if (holder && !is_running(*holder)) {
        const std::optional<timespec> last = renewed_at(path);
        text += fmt::format(
            ". It runs on another machine. Its last sign of life was {}. If it is certainly gone, remove {}",
            last ? ago(age_of(*last)) : "at an unknown time", path);
    }
    throw InputError(text);
}

// Whether whoever left the file on another machine renews it.
bool shows_life(const std::string& path, const LockHolder& holder, const LockTimes& times,
                const std::function<void(const std::string&)>& say) {
    const std::optional<timespec> first = renewed_at(path);
    if (!first || age_of(*first) > times.long_gone) return false;
    if (say)
        say(fmt::format("{} was left by {}: waiting up to {:.0f} s to see whether that run is still alive\n", path,
                        described(holder), times.patience));
    const auto begin = std::chrono::steady_clock::now();
    while (std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() < times.patience) {
        std::this_thread::sleep_for(std::chrono::duration<double>(std::min(0.5, 0.1 * times.patience)));
        const std::optional<timespec> now = renewed_at(path);
        if (!now) return false;  // its end
        if (now->tv_sec != first->tv_sec || now->tv_nsec != first->tv_nsec) return true;
    }
    return false;
}

std::optional<LockHolder> holder_at(const std::string& path) {
    try {
        return lock_holder_in(read_text_file(path));
    } catch (const InputError&) {
        return std::nullopt;
    }
}

}  // namespace

LockHolder this_process(std::string command) {
    std::array<char, HOST_NAME_MAX + 1> host{};
    ::gethostname(host.data(), host.size() - 1);
    LockHolder h;
    h.host = host.data(), h.system = this_system(), h.pid = ::getpid();
    h.process_start = process_state(h.pid).start, h.job = job_of_this_process(), h.command = printable(command);
    h.since = fmt::format("{:%Y-%m-%d %H:%M:%S} UTC", fmt::gmtime(std::time(nullptr)));
    return h;
}

std::string lock_text(const LockHolder& h) {
    return fmt::format("host {}\npid {}\njob {}\ncommand {}\nsince {}\nprocess_start {}\nsystem {}\n", h.host, h.pid,
                       h.job, h.command, h.since, h.process_start, h.system);
}

std::optional<LockHolder> lock_holder_in(const std::string& text) {
    std::map<std::string, std::string> values;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
        if (const std::size_t space = line.find(' '); space != std::string::npos)
            values[line.substr(0, space)] = line.substr(space + 1);
    if (!values.contains("system") || !text.ends_with('\n')) return std::nullopt;
    char* end = nullptr;
    LockHolder h{values["host"],          values["system"], std::strtol(values["pid"].c_str(), &end, 10),
                 values["process_start"], values["job"],    values["command"],
                 values["since"]};
    if (h.pid <= 0 || *end != '\0') return std::nullopt;
    return h;
}

std::optional<bool> is_running(const LockHolder& holder) {
    const LockHolder me = this_process("");
    if (holder.host != me.host || holder.system != me.system) return std::nullopt;
    const ProcessState there = process_state(holder.pid);
    return !there.start.empty() && there.start == holder.process_start && there.state != "Z" && there.state != "X";
}

FolderLock::FolderLock(const std::string& folder, const LockHolder& holder,
                       const std::function<void(const std::string&)>& say, const LockTimes& times)
    : path_(folder + "/" + lock_file) {
    for (int attempt = 0; !file_; ++attempt) {
        OpenFile file(::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
        if (!file || attempt == most_attempts)
            throw InputError(fmt::format("cannot write results into {}: {}: {}; choose another folder with --out",
                                         folder, lock_file, std::strerror(errno)));
        const Locked locked = times.system_locks ? ask_for_lock(file.fd(), F_OFD_SETLK) : Locked::unknown;
        if (!is_still_at(file.fd(), path_)) continue;  // its holder has removed it meanwhile
        const std::optional<LockHolder> before = holder_at(path_);
        if (locked == Locked::by_another) refuse(folder, path_, before);
        if (before) {
            const std::optional<bool> running = is_running(*before);
            if (running ? *running : shows_life(path_, *before, times, say)) refuse(folder, path_, before);
            if (!is_still_at(file.fd(), path_)) continue;
            if (say) say(fmt::format("the lock of {} is taken over: that process is gone\n", described(*before)));
        }
        const std::string text = lock_text(holder);
        if (::ftruncate(file.fd(), 0) != 0 || !write_all(file.fd(), text))
            throw InputError(fmt::format("cannot write results into {}: {}: {}; choose another folder with --out",
                                         folder, lock_file, std::strerror(errno)));
        if (locked == Locked::unknown && read_text_file(path_) != text) refuse(folder, path_, holder_at(path_));
        file_ = std::move(file);
    }
    // The thread that renews the file hears no signals: they are for the run.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    heart_ = std::thread([this, interval = times.heartbeat] { beat(interval); });
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

FolderLock::~FolderLock() {
    {
        const std::lock_guard guard(mutex_);
        ended_ = true;
    }
    ends_.notify_all();
    heart_.join();
    if (is_still_at(file_.fd(), path_)) ::unlink(path_.c_str());
}

void FolderLock::beat(double interval) {
    std::unique_lock guard(mutex_);
    while (!ends_.wait_for(guard, std::chrono::duration<double>(interval), [this] { return ended_; }))
        ::futimens(file_.fd(), nullptr);
}

void FolderLock::check_free(const std::string& folder) {
    const std::string path = folder + "/" + lock_file;
    const OpenFile file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (file && ask_for_lock(file.fd(), F_OFD_GETLK) == Locked::by_another) refuse(folder, path, holder_at(path));
}

}  // namespace granary
