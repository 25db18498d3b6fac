/* A scheduler with three priorities: commands move processes between queues. */
#define LEVELS 3
#define MOST 4

struct queue {
    int process[MOST];
    int length;
};

static int next_process;
int finished;

static int put(struct queue *queue, int process) {
    if (queue->length == MOST)
        return 0;
    queue->process[queue->length++] = process;
    return 1;
}

static int take(struct queue *queue) {
    if (queue->length == 0)
        return 0;
    int process = queue->process[0];
    for (int i = 1; i < queue->length; i++)
        queue->process[i - 1] = queue->process[i];
    queue->length--;
    return process;
}

static int highest(struct queue queues[LEVELS]) {
    for (int level = LEVELS - 1; level >= 0; level--)
        if (queues[level].length > 0)
            return level;
    return -1;
}

/* Each command is a number: 0 to 2 a new process of that priority, 3 run, 4 demote what would run next. */
static int run(const int *commands, int count) {
    struct queue queues[LEVELS] = {{{0}, 0}, {{0}, 0}, {{0}, 0}};
    next_process = 1;
    finished = 0;
    for (int i = 0; i < count; i++) {
        int command = commands[i];
        if (command >= 0 && command < LEVELS) {
            put(&queues[command], next_process++);
        } else if (command == 3) {
            int level = highest(queues);
            if (level >= 0 && take(&queues[level]) != 0)
                finished++;
        } else if (command == 4) {
            int level = highest(queues);
            if (level > 0)
                put(&queues[level - 1], take(&queues[level]));
        }
    }
    return highest(queues);
}

int schedule(int first, int second, int third) {
    int commands[3] = {first, second, third};
    return run(commands, 3);
}

#ifdef SIZE
int commands[SIZE];

/* The same for so many commands. */
int schedule_of(void) {
    return run(commands, SIZE);
}
#endif
