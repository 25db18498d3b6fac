// What the C++ library has of `std::map`, `std::set` and `std::list` outside of its headers: red-black trees without their
// values, and links of lists. A tree hangs on a header: its parent is the root, its sides are the first and last node.
typedef struct node { int black; struct node *parent, *side[2]; } node;

#define NAME(name) __asm__(name) __attribute__((weak))

node *next(node *at) NAME("_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base");
const node *next_const(const node *at) NAME("_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base");
node *previous(node *at) NAME("_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base");
const node *previous_const(const node *at) NAME("_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base");
void insert(_Bool left, node *at, node *parent, node *header)
    NAME("_ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_");
node *take_out(node *at, node *header) NAME("_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_");

static node *step(node *at, int way) {
    if (at->side[way]) {
        at = at->side[way];
        while (at->side[!way]) at = at->side[!way];
        return at;
    }
    node *up = at->parent;
    while (at == up->side[way]) {
        at = up;
        up = up->parent;
    }
    // From the last node of a tree without other nodes the way up leads round the header.
    return at->side[way] == up ? at : up;
}

node *next(node *at) { return step(at, 1); }
const node *next_const(const node *at) { return step((node *)at, 1); }

node *previous(node *at) {
    // The header is behind the last node; it looks like a red root.
    if (!at->black && at->parent && at->parent->parent == at) return at->side[1];
    return step(at, 0);
}
const node *previous_const(const node *at) { return previous((node *)at); }

// Puts `with` where `at` hangs.
static void hang(node *at, node *with, node *header) {
    node *up = at->parent;
    if (up == header) header->parent = with;
    else up->side[at == up->side[1]] = with;
    if (with) with->parent = up;
}

static void rotate(node *at, int way, node *header) {
    node *up = at->side[!way];
    at->side[!way] = up->side[way];
    if (up->side[way]) up->side[way]->parent = at;
    hang(at, up, header);
    up->side[way] = at;
    at->parent = up;
}

void insert(_Bool left, node *at, node *parent, node *header) {
    at->black = 0;
    at->parent = parent;
    at->side[0] = at->side[1] = 0;
    if (parent == header) {
        header->parent = header->side[0] = header->side[1] = at;
    } else {
        parent->side[!left] = at;
        if (parent == header->side[!left]) header->side[!left] = at;
    }
    while (at != header->parent && !at->parent->black) {
        node *up = at->parent, *top = up->parent;
        int way = up == top->side[1];
        node *other = top->side[!way];
        if (other && !other->black) {
            up->black = other->black = 1;
            top->black = 0;
            at = top;
            continue;
        }
        if (at == up->side[!way]) {
            rotate(up, way, header);
            up = at;
        }
        up->black = 1;
        top->black = 0;
        rotate(top, !way, header);
        break;
    }
    header->parent->black = 1;
}

// The way below `up` on that side lacks a black node.
static void refill(node *up, int way, node *header) {
    while (up != header) {
        node *at = up->side[way];
        if (at && !at->black) {
            at->black = 1;
            return;
        }
        node *other = up->side[!way];
        if (!other->black) {
            other->black = 1;
            up->black = 0;
            rotate(up, way, header);
            other = up->side[!way];
        }
        node *near = other->side[way], *far = other->side[!way];
        if ((!near || near->black) && (!far || far->black)) {
            other->black = 0;
            at = up;
            up = up->parent;
            if (up == header) break;
            way = at == up->side[1];
            if (!at->black) {
                at->black = 1;
                return;
            }
            continue;
        }
        if (!far || far->black) {
            near->black = 1;
            other->black = 0;
            rotate(other, !way, header);
            other = near;
            far = other->side[!way];
        }
        other->black = up->black;
        up->black = 1;
        far->black = 1;
        rotate(up, way, header);
        return;
    }
    if (header->parent) header->parent->black = 1;
}

node *take_out(node *at, node *header) {
    for (int way = 0; way < 2; way++)
        if (at == header->side[way]) header->side[way] = at == header->parent && !at->side[!way] ? header : step(at, !way);
    if (at->side[0] && at->side[1]) {
        // The next node has no left side: it takes the place, and its own place is what is lost.
        node *heir = at->side[1];
        while (heir->side[0]) heir = heir->side[0];
        node *up = heir->parent;
        int black = heir->black, way = heir == up->side[1];
        hang(heir, heir->side[1], header);
        if (up == at) up = heir;
        hang(at, heir, header);
        heir->black = at->black;
        for (int side = 0; side < 2; side++) {
            heir->side[side] = at->side[side];
            if (heir->side[side]) heir->side[side]->parent = heir;
        }
        if (black) refill(up, way, header);
        return at;
    }
    node *below = at->side[0] ? at->side[0] : at->side[1], *up = at->parent;
    int way = up != header && at == up->side[1];
    hang(at, below, header);
    if (at->black) {
        if (up == header) {
            if (below) below->black = 1;
        } else {
            refill(up, way, header);
        }
    }
    return at;
}

typedef struct link { struct link *next, *before; } link;

void hook(link *at, link *behind) NAME("_ZNSt8__detail15_List_node_base7_M_hookEPS0_");
void unhook(link *at) NAME("_ZNSt8__detail15_List_node_base9_M_unhookEv");
void transfer(link *at, link *first, link *last) NAME("_ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_");
void reverse(link *at) NAME("_ZNSt8__detail15_List_node_base10_M_reverseEv");

void swap(link *a, link *b) NAME("_ZNSt8__detail15_List_node_base4swapERS0_S1_");

void hook(link *at, link *behind) {
    at->next = behind;
    at->before = behind->before;
    behind->before->next = at;
    behind->before = at;
}

void unhook(link *at) {
    at->before->next = at->next;
    at->next->before = at->before;
}

void transfer(link *at, link *first, link *last) {
    if (at == last) return;
    link *end = last->before;
    first->before->next = last;
    last->before = first->before;
    at->before->next = first;
    first->before = at->before;
    end->next = at;
    at->before = end;
}

void reverse(link *at) {
    link *here = at;
    do {
        link *next = here->next;
        here->next = here->before;
        here->before = next;
        here = next;
    } while (here != at);
}

// A list without items hangs on its own header.
static void settle(link *at, const link *from, const link *was) {
    at->next = from->next == was ? at : from->next;
    at->before = from->before == was ? at : from->before;
    at->next->before = at->before->next = at;
}

void swap(link *a, link *b) {
    link old = *a;
    settle(a, b, b);
    settle(b, &old, a);
}
