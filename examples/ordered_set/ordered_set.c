/* An ordered set in an array: insert by shifting, find by halving. */
#define MOST 8

static int items[MOST];
static int length;

static int find(int item) {
    int low = 0, high = length;
    while (low < high) {
        int middle = (low + high) / 2;
        if (items[middle] < item)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int add(int item) {
    int at = find(item);
    if (at < length && items[at] == item)
        return 0;
    for (int i = length; i > at; i--)
        items[i] = items[i - 1];
    items[at] = item;
    length++;
    return 1;
}

int ordered_set(int a, int b, int c, int wanted) {
    length = 0;
    int added = add(a) + add(b) + add(c);
    int at = find(wanted);
    return at < length && items[at] == wanted ? added * 10 + at : -1;
}

#ifdef SIZE
int keys[SIZE];

/* The same for so many items. */
int ordered_set_of(int wanted) {
    length = 0;
    int added = 0;
    for (int i = 0; i < SIZE; i++)
        added += add(keys[i]);
    int at = find(wanted);
    return at < length && items[at] == wanted ? added * 10 + at : -1;
}
#endif
