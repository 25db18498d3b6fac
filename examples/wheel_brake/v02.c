/* A wheel brake system: one step of its control loop.
 *
 * The pilot's pedal and the automatic brake ask for pressure. The normal circuit delivers it as long as it is healthy;
 * otherwise the alternate circuit takes over, and last the accumulator. A skidding wheel is released at once.
 */

enum { PEDAL_NONE = 0, PEDAL_LIGHT = 1, PEDAL_MEDIUM = 2, PEDAL_FIRM = 3, PEDAL_FULL = 4 };
enum { CIRCUIT_NORMAL = 0, CIRCUIT_ALTERNATE = 1, CIRCUIT_EMERGENCY = 2 };
enum { HISTORY = 4, PARKING_PRESSURE = 35 };

/* What a step remembers for the next one. */
int Circuit;          /* circuit in use */
int LowSteps;         /* steps in a row in which the normal circuit delivered too little */
int SkidSteps;        /* steps in a row in which the wheel skidded */
int Armed;            /* whether the automatic brake is armed */
int Wear;             /* how much the brake was used, in pressure times steps */
int Heat;             /* what the brake took up and did not yet give away */
int History[HISTORY]; /* pressures of the last steps, the latest one first */

/* What a step delivers. */
int NormalPressure;
int AlternatePressure;
int AccumulatorValve;
int PilotLamp;
int Meter;

/* What a step is given. */
struct Input {
    int PedalPosition;    /* PEDAL_NONE to PEDAL_FULL */
    int AutoBrake;        /* whether the automatic brake is switched on */
    int WheelSpeed;       /* revolutions per minute */
    int VehicleSpeed;     /* the same for a wheel that rolls freely */
    int SupplyPressure;   /* what the pump of the normal circuit delivers */
    int ParkingLever;     /* whether the parking brake is set */
};

/* Pressure that the pedal asks for. */
static int pedal_command(int position)
{
    int command;
    if (position == PEDAL_NONE)
        command = 0;
    else if (position == PEDAL_LIGHT)
        command = 10;
    else if (position == PEDAL_MEDIUM)
        command = 25;
    else if (position == PEDAL_FIRM)
        command = 45;
    else
        command = 60;
    return command;
}

/* Pressure that the automatic brake asks for. */
static int auto_command(int switched_on, int vehicle_speed)
{
    int command = 0;
    if (switched_on) {
        if (Armed) {
            if (vehicle_speed > 40)
                command = 30;
            else
                command = 15;
        }
    } else {
        Armed = 0;
    }
    return command;
}

/* Whether the wheel turns much slower than the vehicle moves. */
static int skids(int wheel_speed, int vehicle_speed)
{
    int slip = vehicle_speed - wheel_speed;
    if (vehicle_speed < 10)
        return 0;
    if (slip > 20)
        return 1;
    return 0;
}

/* Chooses the circuit for this step. */
static void choose_circuit(int supply)
{
    int low = 0;
    if (Circuit == CIRCUIT_NORMAL) {
        if (supply < 40)
            low = 1;
        if (low)
            LowSteps = LowSteps + 1;
        else
            LowSteps = 0;
        if (LowSteps > 2) {
            Circuit = CIRCUIT_ALTERNATE;
            LowSteps = 0;
        }
    } else if (Circuit == CIRCUIT_ALTERNATE) {
        if (supply < 10)
            Circuit = CIRCUIT_EMERGENCY;
    }
}

/* Half of what came in, and what was there before, less what the air takes. */
static int next_heat(int before, int pressure, int speed)
{
    int gained = pressure * (speed & 127) / 2;
    int lost = before / 8;
    return before + gained - lost;
}

/* Remembers the pressure of this step. */
static void record(int pressure)
{
    History[3] = History[2];
    History[2] = History[1];
    History[1] = History[0];
    History[0] = pressure;
    Wear = Wear + pressure;
}

/* The parking brake is hydraulic, too, but knows neither skidding nor circuits. */
static int park(void)
{
    NormalPressure = PARKING_PRESSURE;
    AlternatePressure = 0;
    AccumulatorValve = 1;
    Armed = 0;
    SkidSteps = 0;
    PilotLamp = 0;
    Meter = 1;
    record(0);
    return PARKING_PRESSURE;
}

/* One step of the control loop; returns the pressure at the wheel. */
int update(int PedalPosition, int AutoBrake, int WheelSpeed, int VehicleSpeed, int SupplyPressure, int ParkingLever)
{
    struct Input in;
    int from_pedal;
    int from_auto;
    int command;
    int skid;
    int pressure;

    in.PedalPosition = PedalPosition;
    in.AutoBrake = AutoBrake;
    in.WheelSpeed = WheelSpeed;
    in.VehicleSpeed = VehicleSpeed;
    in.SupplyPressure = SupplyPressure;
    in.ParkingLever = ParkingLever;

    /* A parked vehicle stands still. */
    if (in.VehicleSpeed == 0 && in.ParkingLever)
        return park();

    /* What is asked for: the pilot's wish counts if it is the stronger one. */
    from_pedal = pedal_command(in.PedalPosition);
    from_auto = auto_command(in.AutoBrake, in.VehicleSpeed);
    command = from_auto;
    if (from_pedal > from_auto)
        command = from_pedal;

    /* A wheel that skids gets no pressure, unless it has done so for long: then the sensor is broken. */
    skid = skids(in.WheelSpeed, in.VehicleSpeed);
    if (skid) {
        SkidSteps = SkidSteps + 1;
        if (SkidSteps <= 5)
            command = 0;
        else
            command = command / 2;
    } else {
        SkidSteps = 0;
    }

    choose_circuit(in.SupplyPressure);

    /* What the circuits deliver. */
    NormalPressure = 0;
    AlternatePressure = 0;
    AccumulatorValve = 0;
    pressure = command;
    if (Circuit == CIRCUIT_NORMAL) {
        if (pressure > in.SupplyPressure)
            pressure = in.SupplyPressure;
        NormalPressure = pressure;
    } else if (Circuit == CIRCUIT_ALTERNATE) {
        if (pressure > 40)
            pressure = 40;
        AlternatePressure = pressure;
    } else {
        if (pressure > 0)
            AccumulatorValve = 1;
        pressure = 20 * AccumulatorValve;
        AlternatePressure = pressure;
    }

    /* What the pilot sees. */
    if (Circuit == CIRCUIT_NORMAL)
        PilotLamp = 0;
    else
        PilotLamp = Circuit;
    if (pressure == 0)
        Meter = 0;
    else if (pressure < 30)
        Meter = 1;
    else
        Meter = 2;

    Heat = next_heat(Heat, pressure, in.VehicleSpeed);
    record(pressure);
    return pressure;
}
