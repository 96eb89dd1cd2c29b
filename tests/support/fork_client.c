/* Stand on the PATH as `mind`: what fork_client.py does, in a tenth of the time that it needs to
 * start. It is built where there is a compiler; elsewhere that one stands in its place.
 */

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* How many words of the command line stand before what was asked. */
static const char OWN_WORDS = 1;
static const int FORWARDED[] = {SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1};
static int parent;

static void pass_on(int number)
{
    char byte = (char)number;
    send(parent, &byte, 1, MSG_NOSIGNAL);
}

/* Connect to the socket that lies beside this program. */
static int reach(void)
{
    struct sockaddr_un door = {.sun_family = AF_UNIX};
    ssize_t length = readlink("/proc/self/exe", door.sun_path, sizeof door.sun_path - 1);
    char *name = length < 0 ? NULL : strrchr(door.sun_path, '/');
    if (name == NULL || name + sizeof "/door" > door.sun_path + sizeof door.sun_path)
        return -1;
    strcpy(name, "/door");
    parent = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    return connect(parent, (struct sockaddr *)&door, sizeof door);
}

/* Hand over the three streams. */
static ssize_t hand_over(void)
{
    char words = OWN_WORDS;
    int streams[] = {0, 1, 2};
    union {
        char room[CMSG_SPACE(sizeof streams)];
        struct cmsghdr aligned;
    } control = {{0}};
    struct iovec said = {&words, 1};
    struct msghdr message = {
        .msg_iov = &said, .msg_iovlen = 1,
        .msg_control = control.room, .msg_controllen = sizeof control.room,
    };
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof streams);
    memcpy(CMSG_DATA(header), streams, sizeof streams);
    return sendmsg(parent, &message, MSG_NOSIGNAL);
}

int main(void)
{
    if (reach() < 0)
        return 1;
    for (size_t at = 0; at < sizeof FORWARDED / sizeof *FORWARDED; at++) {
        struct sigaction action = {.sa_handler = pass_on, .sa_flags = SA_RESTART}, before;
        sigaction(FORWARDED[at], NULL, &before);
        if (before.sa_handler != SIG_IGN)
            sigaction(FORWARDED[at], &action, NULL);
    }
    if (hand_over() < 0)
        return 1;
    char told[17] = {0};
    int status = recv(parent, told, sizeof told - 1, 0) > 0 ? atoi(told) : 1;
    if (status < 0) {
        signal(-status, SIG_DFL);
        kill(getpid(), -status);
    }
    _exit(status);
}
