/* A control panel: switches that have nothing to do with each other, and one display that shows two of them. */
int lamp, fan, pump, alarm, heater, door, display;

void panel(int light, int warmth, int water, int smoke, int cold, int key) {
    if (light > 3)
        lamp = 1;
    else
        lamp = 0;
    if (warmth > 25)
        fan = warmth > 30 ? 2 : 1;
    else
        fan = 0;
    if (water < 10)
        pump = 1;
    else
        pump = 0;
    if (smoke)
        alarm = 1;
    else
        alarm = 0;
    if (cold < 5)
        heater = 1;
    else
        heater = 0;
    if (key == 7)
        door = 1;
    else
        door = 0;
    display = 10 * alarm + door;
}

#ifdef SIZE
int sensors[SIZE], relays[SIZE];

/* The same for so many switches. */
void panel_of(void) {
    for (int i = 0; i < SIZE; i++)
        if (sensors[i] > 3)
            relays[i] = 1;
        else
            relays[i] = 0;
}
#endif
