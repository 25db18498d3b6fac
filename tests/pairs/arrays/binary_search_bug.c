// Closed interval, but the loop ends too early: some keys are not found.
// different: find
//// old
static const int keys[8] = { 2, 3, 5, 7, 11, 13, 17, 19 };
int find(int key) {
    int low = 0, high = 7;
    while (low <= high) {
        int middle = low + (high - low) / 2;
        if (key < keys[middle]) high = middle - 1;
        else if (key > keys[middle]) low = middle + 1;
        else return middle;
    }
    return -1;
}
//// new
static const int keys[8] = { 2, 3, 5, 7, 11, 13, 17, 19 };
int find(int key) {
    int low = 0, high = 7;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (key < keys[middle]) high = middle - 1;
        else if (key > keys[middle]) low = middle + 1;
        else return middle;
    }
    return -1;
}
