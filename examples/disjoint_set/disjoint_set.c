/* Disjoint sets of four elements, with unknown indices into their table. */
static int parent[4];

static int root_of(int element) {
    for (int i = 0; i < 4 && parent[element] != element; i++)
        element = parent[element];
    return element;
}

static void join(int a, int b) {
    int x = root_of(a), y = root_of(b);
    if (x < y)
        parent[y] = x;
    else
        parent[x] = y;
}

int disjoint_set(unsigned a, unsigned b, unsigned c, unsigned d) {
    for (int i = 0; i < 4; i++)
        parent[i] = i;
    join(a & 3, b & 3);
    join(c & 3, d & 3);
    int sets = 0;
    for (int i = 0; i < 4; i++)
        if (parent[i] == i)
            sets++;
    return sets;
}

#ifdef SIZE
unsigned pairs[SIZE][2];

/* The same for so many pairs. */
int disjoint_set_of(void) {
    for (int i = 0; i < 4; i++)
        parent[i] = i;
    for (int i = 0; i < SIZE; i++)
        join(pairs[i][0] & 3, pairs[i][1] & 3);
    int sets = 0;
    for (int i = 0; i < 4; i++)
        if (parent[i] == i)
            sets++;
    return sets;
}
#endif
