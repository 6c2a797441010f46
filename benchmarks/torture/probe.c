/* A probe under a process (LD_PRELOAD): it numbers every change of a file below PROBE_FOLDER, in all
   processes that share PROBE_COUNTER, and does PROBE_ACT at change PROBE_AT: "kill" before it or, of
   a write, after half of its bytes; "term" (SIGTERM) the same; "change" (another program replaces
   PROBE_TARGET by PROBE_NEW); "full" (no space, from here on); "count" (nothing). */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
enum { NOTHING, HERE, FULL };

static int below(const char *path) {
    const char *folder = getenv("PROBE_FOLDER");
    size_t size = folder ? strlen(folder) : 0;
    return size && !strncmp(path, folder, size) && (path[size] == '/' || !path[size]);
}

static int path_below(int at, const char *path) {
    char whole[PATH_MAX], name[64];
    if (path[0] == '/') return below(path);
    if (at == AT_FDCWD) return getcwd(whole, sizeof whole) && below(whole);
    snprintf(name, sizeof name, "/proc/self/fd/%d", at);
    ssize_t size = readlink(name, whole, sizeof whole - 1);
    return size > 0 && (whole[size] = 0, below(whole));
}

static int file_below(int file) {
    return getenv("PROBE_FOLDER") && path_below(file, ".");
}

/* Number a change: HERE if the act is due, FULL if there is no space for it. */
static int numbered(void) {
    static volatile int *counter;
    if (!counter) {
        int file = REAL(open)(getenv("PROBE_COUNTER"), O_RDWR);
        counter = mmap(NULL, sizeof *counter, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        close(file);
    }
    int number = __sync_add_and_fetch(counter, 1), at = atoi(getenv("PROBE_AT"));
    if (!strcmp(getenv("PROBE_ACT"), "full")) return number >= at ? FULL : NOTHING;
    return number == at ? HERE : NOTHING;
}

static void act(void) {
    const char *what = getenv("PROBE_ACT");
    if (!strcmp(what, "kill")) kill(0, SIGKILL), pause();
    if (!strcmp(what, "term")) kill(getpid(), SIGTERM);
    if (!strcmp(what, "change")) REAL(rename)(getenv("PROBE_NEW"), getenv("PROBE_TARGET"));
}

/* Of a change that needs space if `grows`: -1 if it fails. */
static int met(int concerned, int grows) {
    int due = concerned ? numbered() : NOTHING;
    if (due == HERE) act();
    if (due == FULL && grows) return errno = ENOSPC, -1;
    return 0;
}

ssize_t write(int file, const void *bytes, size_t size) {
    int due = file_below(file) ? numbered() : NOTHING;
    if (due == NOTHING) return REAL(write)(file, bytes, size);
    if (due == FULL && size < 2) return errno = ENOSPC, -1;
    if (due == HERE && strcmp(getenv("PROBE_ACT"), "kill") && strcmp(getenv("PROBE_ACT"), "term")) {
        act();
        return REAL(write)(file, bytes, size);
    }
    ssize_t half = REAL(write)(file, bytes, size / 2);
    if (due == HERE) act();
    return half;
}

#define OPENING(name)                                                                    \
    int name(const char *path, int flags, ...) {                                         \
        va_list rest;                                                                    \
        va_start(rest, flags);                                                           \
        int mode = va_arg(rest, int);                                                    \
        va_end(rest);                                                                    \
        int changes = flags & (O_CREAT | O_TRUNC) && path_below(AT_FDCWD, path);         \
        return met(changes, 1) ? -1 : REAL(name)(path, flags, mode);                     \
    }
OPENING(open)
OPENING(open64)

#define OPENING_AT(name)                                                                 \
    int name(int at, const char *path, int flags, ...) {                                 \
        va_list rest;                                                                    \
        va_start(rest, flags);                                                           \
        int mode = va_arg(rest, int);                                                    \
        va_end(rest);                                                                    \
        int changes = flags & (O_CREAT | O_TRUNC) && path_below(at, path);               \
        return met(changes, 1) ? -1 : REAL(name)(at, path, flags, mode);                 \
    }
OPENING_AT(openat)
OPENING_AT(openat64)

int rename(const char *from, const char *to) {
    return met(path_below(AT_FDCWD, to), 0) ? -1 : REAL(rename)(from, to);
}
int unlink(const char *path) {
    return met(path_below(AT_FDCWD, path), 0) ? -1 : REAL(unlink)(path);
}
int unlinkat(int at, const char *path, int flags) {
    return met(path_below(at, path), 0) ? -1 : REAL(unlinkat)(at, path, flags);
}
int rmdir(const char *path) {
    return met(path_below(AT_FDCWD, path), 0) ? -1 : REAL(rmdir)(path);
}
int mkdir(const char *path, mode_t mode) {
    return met(path_below(AT_FDCWD, path), 1) ? -1 : REAL(mkdir)(path, mode);
}
int chmod(const char *path, mode_t mode) {
    return met(path_below(AT_FDCWD, path), 0) ? -1 : REAL(chmod)(path, mode);
}
int fsync(int file) {
    return met(file_below(file), 0) ? -1 : REAL(fsync)(file);
}
int ftruncate64(int file, off64_t size) {
    return met(file_below(file), 0) ? -1 : REAL(ftruncate64)(file, size);
}
