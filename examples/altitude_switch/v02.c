/* An altitude switch: turns a device on when an aircraft comes below a height.
 *
 * Three altimeters, one analog and two digital, give a height and say whether it can be trusted. The lowest height that
 * can be trusted counts. If none can be trusted for too long, the switch reports a failure. The pilot can inhibit the
 * switch and reset it.
 */

enum { THRESHOLD = 2000, HYSTERESIS = 200 };
enum { QUALITY_GOOD = 0, QUALITY_NONE = 1 };
enum { STATE_UNKNOWN = 0, STATE_ABOVE = 1, STATE_BELOW = 2 };
enum { MODE_NORMAL = 0, MODE_INHIBITED = 1, MODE_FAILED = 2 };
enum { DEVICE_OFF = 0, DEVICE_ON = 1, DEVICE_FAULTY = 2 };

/* What a step remembers for the next one. */
int State;
int Mode;
int InvalidSteps;
int Commanded;

/* What a step delivers. */
int DevicePower;
int FaultLamp;
int Watchdog;

/* One step. Returns the height that counted, -1 if none could be trusted. */
int step(int Analog, int AnalogValid, int First, int FirstQuality, int Second, int SecondQuality, int Inhibit, int Reset,
         int DeviceStatus)
{
    int height = -1;
    int below = 0;
    int trusted = 0;

    /* The lowest height that can be trusted. */
    if (AnalogValid) {
        trusted = trusted + 1;
        height = Analog;
    }
    if (FirstQuality == QUALITY_GOOD) {
        trusted = trusted + 1;
        if (height < 0 || First < height)
            height = First;
    }
    if (SecondQuality == QUALITY_GOOD) {
        trusted = trusted + 1;
        if (height < 0 || Second < height)
            height = Second;
    }

    /* Without any for too long, the switch has failed. */
    if (trusted == 0) {
        InvalidSteps = InvalidSteps + 1;
        if (InvalidSteps > 2)
            Mode = MODE_FAILED;
    } else {
        InvalidSteps = 0;
    }

    /* The pilot's buttons. */
    if (Reset) {
        Mode = MODE_NORMAL;
        State = STATE_UNKNOWN;
        Commanded = 0;
    } else if (Inhibit) {
        if (Mode == MODE_NORMAL)
            Mode = MODE_INHIBITED;
    } else {
        if (Mode == MODE_INHIBITED)
            Mode = MODE_NORMAL;
    }

    /* Where the aircraft is; on the way up it must be clearly above. */
    if (trusted > 0) {
        if (State == STATE_BELOW) {
            if (height > THRESHOLD + HYSTERESIS)
                State = STATE_ABOVE;
        } else {
            if (height <= THRESHOLD) {
                if (State == STATE_ABOVE)
                    below = 1;
                State = STATE_BELOW;
            } else {
                State = STATE_ABOVE;
            }
        }
    }

    /* The device is turned on once, when the aircraft comes below. */
    if (Mode == MODE_NORMAL) {
        if (below) {
            if (DeviceStatus == DEVICE_OFF) {
                DevicePower = 1;
                Commanded = 1;
            }
        } else if (Commanded) {
            if (DeviceStatus != DEVICE_ON)
                FaultLamp = 1;
            Commanded = 0;
        }
    }

    /* What the pilot and the watchdog see. */
    if (Mode == MODE_FAILED)
        FaultLamp = 1;
    else if (Reset)
        FaultLamp = 0;
    Watchdog = 1 - Watchdog;
    return height;
}
