/* A disk that fails on demand: loaded before the C library (LD_PRELOAD), it lets reads, writes or syncs of files below
 * HERMES_FAIL_UNDER fail as the file HERMES_FAIL_BY says: "KINDS ERRNO EVERY", such as "ws 5 3" for every third write or
 * sync failing with EIO. No such file: no failure. Only for tests/durability/test_disks.py. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

static atomic_int calls;

static int fails(int fd, char kind) {
    const char *by = getenv("HERMES_FAIL_BY"), *under = getenv("HERMES_FAIL_UNDER");
    char rule[64] = {0}, kinds[8] = {0}, link[64], path[4096];
    int number = 0, every = 1;
    if (!by || !under) return 0;
    long rules = syscall(SYS_openat, AT_FDCWD, by, O_RDONLY);
    if (rules < 0) return 0;
    long got = syscall(SYS_read, rules, rule, sizeof rule - 1);
    syscall(SYS_close, rules);
    if (got <= 0 || sscanf(rule, "%7s %d %d", kinds, &number, &every) != 3 || !strchr(kinds, kind)) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length <= 0) return 0;
    path[length] = 0;
    if (strncmp(path, under, strlen(under)) != 0) return 0;
    if (atomic_fetch_add(&calls, 1) % every != every - 1) return 0;
    errno = number;
    return 1;
}

#define REAL(name) ((typeof(&name))dlsym(RTLD_NEXT, #name))

ssize_t write(int fd, const void *data, size_t n) { return fails(fd, 'w') ? -1 : REAL(write)(fd, data, n); }
ssize_t pwrite(int fd, const void *data, size_t n, off_t at) { return fails(fd, 'w') ? -1 : REAL(pwrite)(fd, data, n, at); }
ssize_t pwrite64(int fd, const void *data, size_t n, off64_t at) { return fails(fd, 'w') ? -1 : REAL(pwrite64)(fd, data, n, at); }
int ftruncate(int fd, off_t n) { return fails(fd, 'w') ? -1 : REAL(ftruncate)(fd, n); }
int ftruncate64(int fd, off64_t n) { return fails(fd, 'w') ? -1 : REAL(ftruncate64)(fd, n); }
int fsync(int fd) { return fails(fd, 's') ? -1 : REAL(fsync)(fd); }
int fdatasync(int fd) { return fails(fd, 's') ? -1 : REAL(fdatasync)(fd); }
ssize_t read(int fd, void *data, size_t n) { return fails(fd, 'r') ? -1 : REAL(read)(fd, data, n); }
ssize_t pread(int fd, void *data, size_t n, off_t at) { return fails(fd, 'r') ? -1 : REAL(pread)(fd, data, n, at); }
ssize_t pread64(int fd, void *data, size_t n, off64_t at) { return fails(fd, 'r') ? -1 : REAL(pread64)(fd, data, n, at); }
