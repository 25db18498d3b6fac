/* Packet filter: lets packets through or drops them, one after the other.
 *
 * Every packet is counted and its header checked; then each protocol has its own rules. A packet comes from the outside,
 * from the inside, or from the guest network. The rules remember a little: connections that began, questions that wait
 * for an answer, how many messages were answered.
 */

enum { OUTSIDE = 0, INSIDE = 1, GUEST = 2 };
enum { DROP = 0, PASS = 1, REJECT = 2 };
enum { ICMP = 1, TCP = 6, UDP = 17, TUNNEL = 50 };
enum { SYN = 2, RESET = 4, FINISH = 1, ACK = 16 };
enum { ECHO_REPLY = 0, UNREACHABLE = 3, REDIRECT = 5, ECHO = 8, EXPIRED = 11 };

static int Small, Medium, Large;
static int From_inside, From_guests;
static int Malformed, Late;
static int Opening, Connected;
static int Asked_names, Asked_times;
static int Echoes;
static int Tunnels;

/* Counts a packet by its length and by where it comes from. */
static void count(int port, int length)
{
    if (length < 128)
        Small++;
    else if (length < 1024)
        Medium++;
    else
        Large++;
    if (port == INSIDE)
        From_inside++;
    else if (port == GUEST)
        From_guests++;
}

/* Whether the header makes sense, whatever the protocol. */
static int is_sound(int length, int hops, int fragment)
{
    if (length < 20 || length > 1500) {
        Malformed++;
        return 0;
    }
    if (hops < 1) {
        Late++;
        return 0;
    }
    if (fragment > 0 && fragment * 8 + length > 65535) {
        Malformed++;
        return 0;
    }
    return 1;
}

/* Connections are begun from the inside, or to a service that is open. */
static int filter_tcp(int port, int service, int flags)
{
    if (flags & RESET) {
        if (Connected > 0)
            Connected--;
        return PASS;
    }
    if ((flags & SYN) && !(flags & ACK)) {
        if (port == INSIDE) {
            Opening++;
            return PASS;
        }
        if (service == 80 || service == 443) {
            if (Opening > 64)
                return DROP;
            Opening++;
            return PASS;
        }
        return port == GUEST ? REJECT : DROP;
    }
    if (flags & ACK) {
        if (Opening > 0) {
            Opening--;
            Connected++;
            return PASS;
        }
        if (flags & FINISH) {
            if (Connected > 0)
                Connected--;
            return PASS;
        }
        return Connected > 0 ? PASS : REJECT;
    }
    return DROP;
}

/* Answers pass if somebody asked. */
static int filter_udp(int port, int from, int service)
{
    if (port == INSIDE) {
        if (service == 53)
            Asked_names++;
        else if (service == 123)
            Asked_times++;
        return PASS;
    }
    if (port == OUTSIDE) {
        if (from == 53 && Asked_names > 0) {
            Asked_names--;
            return PASS;
        }
        if (from == 123 && Asked_times > 0) {
            Asked_times--;
            return PASS;
        }
        return service == 1194 ? PASS : DROP;
    }
    if (service == 53 || service == 67)
        return PASS;
    return REJECT;
}

/* Errors pass, echoes pass as long as there are not too many. */
static int filter_icmp(int port, int kind, int length)
{
    if (kind == REDIRECT)
        return DROP;
    if (kind == UNREACHABLE || kind == EXPIRED)
        return PASS;
    if (kind == ECHO) {
        if (port == INSIDE)
            return PASS;
        if (length > 512)
            return DROP;
        if (Echoes >= 100)
            return DROP;
        Echoes++;
        return PASS;
    }
    if (kind == ECHO_REPLY) {
        if (Echoes > 0)
            Echoes--;
        return PASS;
    }
    return DROP;
}

static int filter_tunnel(int port, int key)
{
    if (port == GUEST)
        return REJECT;
    if (key <= 0)
        return DROP;
    if (port == INSIDE) {
        Tunnels++;
        return PASS;
    }
    return Tunnels > 0 ? PASS : DROP;
}

int filter(int port, int length, int hops, int fragment, int protocol, int from, int service, int flags)
{
    count(port, length);
    if (!is_sound(length, hops, fragment))
        return DROP;
    switch (protocol) {
    case TCP:
        return filter_tcp(port, service, flags);
    case UDP:
        return filter_udp(port, from, service);
    case ICMP:
        return filter_icmp(port, from, length);
    case TUNNEL:
        return filter_tunnel(port, from);
    default:
        return port == INSIDE ? PASS : DROP;
    }
}
