// A program of long ago: no prototypes, definitions with names first; one operator is wrong.
// different: alarm_level, main
//// old
alarm_level(height, speed)
int height, speed;
{
    if (height < 500 && speed > 20) return 2;
    if (height < 1000) return 1;
    return 0;
}
main(argc, argv)
int argc;
char *argv[];
{
    if (argc < 3) { printf("usage\n"); exit(1); }
    printf("%d\n", alarm_level(atoi(argv[1]), atoi(argv[2])));
    return 0;
}
//// new
alarm_level(height, speed)
int height, speed;
{
    if (height < 500 || speed > 20) return 2;
    if (height < 1000) return 1;
    return 0;
}
main(argc, argv)
int argc;
char *argv[];
{
    if (argc < 3) { printf("usage\n"); exit(1); }
    printf("%d\n", alarm_level(atoi(argv[1]), atoi(argv[2])));
    return 0;
}
