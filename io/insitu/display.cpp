#include "io/insitu/display.hpp"

#include <dlfcn.h>
#include <mpi.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <boost/mpi/collectives.hpp>
#include <boost/serialization/string.hpp>
#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace granary {
namespace {

constexpr int longest_wait = 30'000;  // ms for the server to say its number, or for other ranks; a busy machine is slow

// The number that the server writes when it is ready, up to the end of the line.
std::string number_from(int fd) {
    std::string text;
    char c = 0;
    pollfd ready{fd, POLLIN, 0};
    while (text.size() < 16 && ::poll(&ready, 1, longest_wait) > 0 && ::read(fd, &c, 1) == 1) {
        if (c == '\n') return text;
        text += c;
    }
    return "";
}

}  // namespace

std::string try_display(const std::string& name) {
    // By hand: the program itself has nothing to do with X.
    void* x11 = ::dlopen("libX11.so.6", RTLD_NOW | RTLD_LOCAL);
    if (x11 == nullptr) return "libX11.so.6 is not installed";
    const auto open = reinterpret_cast<void* (*)(const char*)>(::dlsym(x11, "XOpenDisplay"));
    const auto query = reinterpret_cast<int (*)(void*, const char*, int*, int*, int*)>(::dlsym(x11, "XQueryExtension"));
    const auto close = reinterpret_cast<int (*)(void*)>(::dlsym(x11, "XCloseDisplay"));
    std::string problem;
    void* display = open != nullptr ? open(name.c_str()) : nullptr;
    int a = 0, b = 0, c = 0;
    if (display == nullptr) problem = "the display " + name + " cannot be opened";
    else if (query(display, "GLX", &a, &b, &c) == 0) problem = "the display " + name + " does not support GLX";
    if (display != nullptr) close(display);
    return problem;  // the library stays: it does not like to be unloaded
}

std::string Display::open(const boost::mpi::communicator& comm) {
    MPI_Comm shared;
    MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, comm.rank(), MPI_INFO_NULL, &shared);
    const boost::mpi::communicator machine(shared, boost::mpi::comm_take_ownership);
    cpu_set_t cores;
    CPU_ZERO(&cores);
    if (::sched_getaffinity(0, sizeof cores, &cores) == 0) threads_ = std::max(1, CPU_COUNT(&cores) / machine.size());

    const char* variable = std::getenv("DISPLAY");
    const std::string given = variable != nullptr ? variable : "";
    std::string problem = given.empty() ? "DISPLAY is not set" : try_display(given);
    int lacking = 0;
    const int mine = problem.empty() ? 0 : 1;
    MPI_Allreduce(&mine, &lacking, 1, MPI_INT, MPI_MAX, machine);
    if (lacking == 0) return "";
    machine_ = machine;
    // One for all of this machine. Whoever cannot use it, as on a machine that is shared out in parts, brings one of
    // their own.
    std::string name;
    if (machine.rank() == 0) {
        problem = start_own();
        if (problem.empty()) name = std::getenv("DISPLAY");
        else if (!given.empty()) problem = try_display(given) + ", and " + problem;
    }
    boost::mpi::broadcast(machine, name, 0);
    if (machine.rank() == 0) return problem;
    if (!name.empty() && try_display(name).empty()) {
        ::setenv("DISPLAY", name.c_str(), 1);
        return "";
    }
    return start_own();
}

std::string Display::start_own() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return std::string("no pipe: ") + std::strerror(errno);
    const std::string number = std::to_string(ends[1]);
    const pid_t parent = ::getpid();
    server_ = ::fork();
    if (server_ == 0) {
        // Between fork and exec only what is safe there. The server dies with this rank, however that ends, and does
        // not hear Ctrl-C.
        ::prctl(PR_SET_PDEATHSIG, SIGTERM);
        if (::getppid() != parent) ::_exit(1);
        ::setpgid(0, 0);
        ::fcntl(ends[1], F_SETFD, 0);
        const int nowhere = ::open("/dev/null", O_RDWR);
        ::dup2(nowhere, 0), ::dup2(nowhere, 1), ::dup2(nowhere, 2);
        // -noreset: else it starts anew when its last client leaves, and the next one may come too early.
        ::execlp("Xvfb", "Xvfb", "-displayfd", number.c_str(), "-screen", "0", "1280x1024x24", "-nolisten", "tcp",
                 "-noreset", static_cast<char*>(nullptr));
        ::_exit(127);
    }
    ::close(ends[1]);
    const std::string screen = server_ > 0 ? number_from(ends[0]) : "";
    ::close(ends[0]);
    if (screen.empty()) return "Xvfb, the virtual display, does not start (Debian: apt-get install xvfb)";
    const std::string name = ":" + screen;
    ::setenv("DISPLAY", name.c_str(), 1);
    return try_display(name);
}

// A program whose screen is taken away is ended. So the server goes when all have let go of it; but a rank that leaves
// in trouble does not wait for ever.
void Display::wait_for_others() const {
    MPI_Request all = MPI_REQUEST_NULL;
    MPI_Ibarrier(*machine_, &all);
    for (int k = 0, here = 0; k < longest_wait; k += 10) {
        MPI_Test(&all, &here, MPI_STATUS_IGNORE);
        if (here != 0) return;
        ::usleep(10'000);
    }
}

Display::~Display() {
    if (machine_) wait_for_others();
    if (server_ <= 0) return;
    ::kill(server_, SIGTERM);
    ::waitpid(server_, nullptr, 0);
}

}  // namespace granary
