/* Preloaded into a console: counts the file operations below given folders, in all its threads and
 * processes, and fails the n-th of a kind. HOSTDECK_FAULT: `open EMFILE 12`, `write ENOSPC 3+` (from then on).
 * HOSTDECK_FAULT_UNDER: folders, by colons. HOSTDECK_FAULT_LOG: gets a line for each counted call.
 * HOSTDECK_FAULT_COUNTS: a file that the processes share their counts in. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum kind { OPEN, WRITE, FSYNC, RENAME, MKDIR, KINDS };
static const char *const names[KINDS] = {"open", "write", "fsync", "rename", "mkdir"};
static const struct { const char *name; int code; } codes[] = {
  {"EMFILE", EMFILE}, {"ENOSPC", ENOSPC}, {"EIO", EIO}};

static _Atomic long own[KINDS];
static _Atomic long *counts = own;
static const char *under = "";
static int log_fd = -1, failing = -1, code, lasting;
static long at;

__attribute__((constructor)) static void begin(void) {
  char call[16] = "", error[16] = "", number[16] = "";
  const char *fault = getenv("HOSTDECK_FAULT"), *log = getenv("HOSTDECK_FAULT_LOG");
  const char *shared = getenv("HOSTDECK_FAULT_COUNTS");
  if (getenv("HOSTDECK_FAULT_UNDER")) under = getenv("HOSTDECK_FAULT_UNDER");
  if (log) log_fd = syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  if (shared) {
    int fd = syscall(SYS_openat, AT_FDCWD, shared, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd >= 0 && ftruncate(fd, sizeof own) == 0) {
      void *map = mmap(NULL, sizeof own, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
      if (map != MAP_FAILED) counts = map;
    }
    if (fd >= 0) close(fd);
  }
  if (!fault || sscanf(fault, "%15s %15s %15s", call, error, number) != 3) return;
  for (int kind = 0; kind < KINDS; kind += 1) if (!strcmp(names[kind], call)) failing = kind;
  for (size_t i = 0; i < sizeof codes / sizeof *codes; i += 1)
    if (!strcmp(codes[i].name, error)) code = codes[i].code;
  at = atol(number);
  lasting = strchr(number, '+') != NULL;
}

static int is_under(const char *file) {
  for (const char *folder = under; *folder;) {
    size_t length = strcspn(folder, ":");
    if (length && !strncmp(file, folder, length) && (file[length] == '/' || !file[length])) return 1;
    folder += length + (folder[length] == ':');
  }
  return 0;
}

/* Whether this call fails, with errno set. */
static int fails(enum kind kind, const char *file) {
  if (!file || !is_under(file)) return 0;
  long count = ++counts[kind];
  int hit = (int)kind == failing && (count == at || (lasting && count > at));
  if (log_fd >= 0) {
    char line[4400];
    int length = snprintf(line, sizeof line, "%s %ld %d%s %s\n", names[kind], count, (int)getpid(),
                          hit ? " FAILS" : "", file);
    if (length > 0) syscall(SYS_write, log_fd, line, (size_t)length);
  }
  if (hit) errno = code;
  return hit;
}

static int fails_on(enum kind kind, int fd) {
  char link[40], file[4200];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, file, sizeof file - 1);
  if (length < 0) return 0;
  file[length] = 0;
  return fails(kind, file);
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

#define OPENS(name)                                         \
  int name(const char *file, int flags, ...) {              \
    va_list rest;                                           \
    va_start(rest, flags);                                  \
    mode_t mode = va_arg(rest, mode_t);                     \
    va_end(rest);                                           \
    return fails(OPEN, file) ? -1 : NEXT(name)(file, flags, mode); \
  }
OPENS(open)
OPENS(open64)
int mkdir(const char *file, mode_t mode) { return fails(MKDIR, file) ? -1 : NEXT(mkdir)(file, mode); }
int rename(const char *from, const char *to) { return fails(RENAME, to) ? -1 : NEXT(rename)(from, to); }
int fsync(int fd) { return fails_on(FSYNC, fd) ? -1 : NEXT(fsync)(fd); }
int fdatasync(int fd) { return fails_on(FSYNC, fd) ? -1 : NEXT(fdatasync)(fd); }
ssize_t write(int fd, const void *bytes, size_t size) {
  return fails_on(WRITE, fd) ? -1 : NEXT(write)(fd, bytes, size);
}
ssize_t pwrite(int fd, const void *bytes, size_t size, off_t at_byte) {
  return fails_on(WRITE, fd) ? -1 : NEXT(pwrite)(fd, bytes, size, at_byte);
}
ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t at_byte) {
  return fails_on(WRITE, fd) ? -1 : NEXT(pwrite64)(fd, bytes, size, at_byte);
}
ssize_t writev(int fd, const struct iovec *parts, int many) {
  return fails_on(WRITE, fd) ? -1 : NEXT(writev)(fd, parts, many);
}
ssize_t pwritev64(int fd, const struct iovec *parts, int many, off64_t at_byte) {
  return fails_on(WRITE, fd) ? -1 : NEXT(pwritev64)(fd, parts, many, at_byte);
}
