/* Collision avoidance: advises a pilot to climb or to descend when another aircraft comes near.
 *
 * Ten small functions: how close the other one is, which way it moves, what it intends, and which manoeuvre leaves more
 * room. The advice must not contradict what the other aircraft was told.
 */

enum { ADVICE_NONE = 0, ADVICE_CLIMB = 1, ADVICE_DESCEND = 2 };
enum { INTENT_NONE = 0, INTENT_CLIMBS = 1, INTENT_DESCENDS = 2 };
enum { EQUIPPED = 1 };

struct Aircraft {
    int height;
    int climb_rate;
};

static struct Aircraft Own;
static struct Aircraft Other;
static int Layer;
static int Intent;
static int Distance;
static int Trusted;
static int Equipment;

/* 1: room that must be left between two aircraft, by layer of the air. */
static int required_room(void)
{
    if (Layer <= 0)
        return 400;
    if (Layer == 1)
        return 500;
    if (Layer == 2)
        return 640;
    return 740;
}

/* 2: how much room a climb leaves above the other aircraft. */
static int room_after_climb(void)
{
    return Own.height + 300 - Other.height;
}

/* 3: how much room a descent leaves below it. */
static int room_after_descent(void)
{
    return Other.height - (Own.height - 300);
}

/* 4 */
static int is_below(void)
{
    return Own.height < Other.height;
}

/* 5 */
static int is_above(void)
{
    return Other.height < Own.height;
}

/* 6 */
static int is_threat(void)
{
    if (!Trusted)
        return 0;
    if (Distance > 9000)
        return 0;
    if (Distance > 3000 && Layer > 2)
        return 0;
    if (Equipment == EQUIPPED && Intent == INTENT_NONE)
        return 0;
    return Own.climb_rate <= 600;
}

/* 7: whether climbing is at least as good as descending. */
static int prefers_climb(void)
{
    int bonus = 0;
    if (Other.climb_rate < -500)
        bonus = 200;
    return room_after_climb() + bonus > room_after_descent();
}

/* 8 */
static int climb_is_safe(void)
{
    if (prefers_climb())
        return !is_below() || room_after_descent() < required_room();
    return is_above() && room_after_climb() >= required_room();
}

/* 9 */
static int descent_is_safe(void)
{
    if (prefers_climb())
        return is_below() && room_after_descent() >= required_room();
    return !is_above() || room_after_climb() >= required_room();
}

/* 10: what to advise. */
int advise(int own_height, int own_rate, int other_height, int other_rate, int distance, int layer, int intent, int trusted,
           int equipment)
{
    int climb = 0;
    int descend = 0;

    Own.height = own_height;
    Own.climb_rate = own_rate;
    Other.height = other_height;
    Other.climb_rate = other_rate;
    Distance = distance;
    Layer = layer;
    Intent = intent;
    Trusted = trusted;
    Equipment = equipment;

    if (!is_threat())
        return ADVICE_NONE;

    if (Intent != INTENT_CLIMBS)
        climb = climb_is_safe() && is_below();
    if (Intent != INTENT_DESCENDS)
        descend = descent_is_safe() && is_above();

    if (climb && descend)
        return ADVICE_NONE;
    if (climb)
        return ADVICE_CLIMB;
    if (descend)
        return ADVICE_DESCEND;
    return ADVICE_NONE;
}
