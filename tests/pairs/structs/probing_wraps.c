// Looking for a key in a small table no longer goes on at its beginning.
// different: find
//// old
struct entry { unsigned key; int value; };
int find(const struct entry table[4], unsigned key) {
    for (unsigned i = 0; i < 4; i++) {
        const struct entry *entry = &table[(key + i) % 4];
        if (entry->key == 0) return -1;
        if (entry->key == key) return entry->value;
    }
    return -1;
}
//// new
struct entry { unsigned key; int value; };
int find(const struct entry table[4], unsigned key) {
    for (unsigned i = key % 4; i < 4; i++) {
        const struct entry *entry = &table[i];
        if (entry->key == 0) return -1;
        if (entry->key == key) return entry->value;
    }
    return -1;
}
