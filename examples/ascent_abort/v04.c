/* An ascent abort executive: decides during the ascent of a spacecraft whether to abort, and how.
 *
 * Every step compares what sensors say with the flight rules. A rule that is broken asks for an abort of some urgency.
 * Which abort modes are possible follows from the phase of the flight; the best one of them is chosen.
 */

enum { PHASE_PAD = 0, PHASE_FIRST_STAGE = 1, PHASE_SECOND_STAGE = 2, PHASE_ORBIT = 3 };
enum { NO_ABORT = 0, PAD_ABORT = 1, TOWER_ABORT = 2, ENGINE_ABORT = 3, RETURN_ABORT = 4, ORBIT_ABORT = 5 };
enum { NO_RULE = 0 };

/* What a step remembers for the next one. */
int Selected;         /* abort mode that was chosen; it is never taken back */
int Phase;

/* What a step delivers. */
int BrokenRules;      /* how many */
int FirstRule;        /* the first one that was broken, NO_RULE if none */
int Urgent;           /* whether the crew must leave at once */
int TowerArmed;

/* What a step is given. */
struct Flight {
    int altitude;
    int speed;
    int attitude_error;
    int turn_rate;
    int chamber_pressure;
    int cabin_pressure;
    int propellant;
    int structure_load;
    int engine_heat;
    int guidance_gap;
    int crew_wish;
};

static int Rule;

static void broken(int urgent)
{
    BrokenRules = BrokenRules + 1;
    if (FirstRule == NO_RULE)
        FirstRule = Rule;
    if (urgent)
        Urgent = 1;
}

/* Compares the flight with the rules, one by one. */
static void check_rules(const struct Flight *flight)
{
    Rule = 1;
    if (flight->attitude_error > 12)
        broken(Phase == PHASE_FIRST_STAGE);

    Rule = 2;
    if (flight->turn_rate > 20)
        broken(1);

    Rule = 3;
    if (Phase == PHASE_FIRST_STAGE || Phase == PHASE_SECOND_STAGE) {
        if (flight->chamber_pressure < 70)
            broken(0);
        else if (flight->chamber_pressure > 130)
            broken(1);
    }

    Rule = 4;
    if (flight->cabin_pressure < 50)
        broken(0);

    Rule = 5;
    if (Phase == PHASE_SECOND_STAGE && flight->propellant < 5)
        broken(0);

    Rule = 6;
    if (Phase == PHASE_FIRST_STAGE && flight->altitude < 100 && flight->speed > 500)
        broken(1);

    Rule = 7;
    if (flight->structure_load > 35)
        broken(1);
    else if (flight->structure_load > 30)
        broken(0);

    Rule = 8;
    if (Phase != PHASE_PAD && flight->engine_heat > 900)
        broken(0);

    Rule = 9;
    if (flight->guidance_gap > 4)
        broken(0);
}

/* Whether an abort mode is possible now. */
static int possible(int mode, const struct Flight *flight)
{
    if (mode == PAD_ABORT)
        return Phase == PHASE_PAD;
    if (mode == TOWER_ABORT)
        return Phase == PHASE_FIRST_STAGE && flight->altitude < 300;
    if (mode == ENGINE_ABORT)
        return Phase == PHASE_SECOND_STAGE && flight->propellant >= 5;
    if (mode == RETURN_ABORT)
        return flight->speed < 6000;
    return 1;
}

/* The best abort mode that is possible. */
static int choose(const struct Flight *flight)
{
    if (possible(PAD_ABORT, flight))
        return PAD_ABORT;
    if (possible(TOWER_ABORT, flight))
        return TOWER_ABORT;
    if (possible(ENGINE_ABORT, flight) && !Urgent)
        return ENGINE_ABORT;
    if (possible(RETURN_ABORT, flight))
        return RETURN_ABORT;
    return ORBIT_ABORT;
}

/* One step. Returns the abort mode in effect. */
int step(int altitude, int speed, int attitude_error, int turn_rate, int chamber_pressure, int cabin_pressure,
         int propellant, int structure_load, int engine_heat, int guidance_gap, int crew_wish)
{
    struct Flight flight;
    int wanted = 0;

    flight.altitude = altitude;
    flight.speed = speed;
    flight.attitude_error = attitude_error;
    flight.turn_rate = turn_rate;
    flight.chamber_pressure = chamber_pressure;
    flight.cabin_pressure = cabin_pressure;
    flight.propellant = propellant;
    flight.structure_load = structure_load;
    flight.engine_heat = engine_heat;
    flight.guidance_gap = guidance_gap;
    flight.crew_wish = crew_wish;

    BrokenRules = 0;
    FirstRule = NO_RULE;
    Urgent = 0;

    /* Where the flight is. */
    if (Phase == PHASE_PAD) {
        if (flight.altitude > 0)
            Phase = PHASE_FIRST_STAGE;
    } else if (Phase == PHASE_FIRST_STAGE) {
        if (flight.altitude > 600)
            Phase = PHASE_SECOND_STAGE;
    } else if (Phase == PHASE_SECOND_STAGE) {
        if (flight.speed > 7800)
            Phase = PHASE_ORBIT;
    }

    if (Phase != PHASE_ORBIT)
        check_rules(&flight);

    /* One broken rule is watched, unless it is urgent; two are enough. The crew may ask for it any time. */
    if (BrokenRules > 1)
        wanted = 1;
    else if (BrokenRules == 1 && Urgent)
        wanted = 1;
    if (flight.crew_wish && BrokenRules > 0)
        wanted = 1;

    if (wanted && Selected == NO_ABORT)
        Selected = choose(&flight);

    if (Phase == PHASE_PAD || Phase == PHASE_FIRST_STAGE)
        TowerArmed = 1;
    else
        TowerArmed = 0;

    return Selected;
}
