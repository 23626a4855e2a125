// What a program holds on its heap, from outside: built as a shared library and put before the C library by LD_PRELOAD,
// it adds up the blocks that are in use. When the program `granary` ends, the largest sum so far goes to the file that
// GRANARY_HEAP names, in bytes. Room that was asked for and never touched counts too: it does not depend on pages, so
// the same run gives the same number.
#include <errno.h>
#include <malloc.h>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void __libc_free(void*);
}

namespace {

std::atomic<long> in_use{0}, most{0};

void* taken(void* block) {
    if (block == nullptr) return block;
    const long size = static_cast<long>(malloc_usable_size(block)), now = in_use += size;
    for (long before = most; now > before && !most.compare_exchange_weak(before, now);) {}
    return block;
}
void given_back(void* block) {
    if (block != nullptr) in_use -= static_cast<long>(malloc_usable_size(block));
}

struct AtEnd {
    ~AtEnd() {
        const char* file = std::getenv("GRANARY_HEAP");
        if (file == nullptr || std::strcmp(program_invocation_short_name, "granary") != 0) return;
        const long bytes = most;
        if (std::FILE* out = std::fopen(file, "w")) {
            std::fprintf(out, "%ld\n", bytes);
            std::fclose(out);
        }
    }
} at_end;

}  // namespace

extern "C" {

void* malloc(std::size_t n) { return taken(__libc_malloc(n)); }
void* calloc(std::size_t n, std::size_t size) { return taken(__libc_calloc(n, size)); }
void* realloc(void* block, std::size_t n) {
    given_back(block);
    void* const larger = __libc_realloc(block, n);
    if (larger == nullptr && n > 0) taken(block);
    return taken(larger);
}
void* memalign(std::size_t alignment, std::size_t n) { return taken(__libc_memalign(alignment, n)); }
void* aligned_alloc(std::size_t alignment, std::size_t n) { return memalign(alignment, n); }
int posix_memalign(void** block, std::size_t alignment, std::size_t n) {
    *block = memalign(alignment, n);
    return *block == nullptr ? ENOMEM : 0;
}
void free(void* block) {
    given_back(block);
    __libc_free(block);
}
}
