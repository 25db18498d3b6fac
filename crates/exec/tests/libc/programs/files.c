#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
int main(void) {
    FILE *f = fopen("missing.txt", "r");
    printf("%p %d\n", (void *)f, errno);
    f = fopen("made.txt", "w");
    fprintf(f, "line %d\n", 1);
    fputs("line 2\n", f);
    fputc('3', f);
    fwrite("abcdef", 2, 3, f);
    printf("%ld %d\n", ftell(f), fclose(f));
    f = fopen("made.txt", "r");
    char line[32];
    while (fgets(line, sizeof line, f)) printf("[%s]", line);
    printf("%d\n", feof(f));
    rewind(f);
    printf("%d %d\n", feof(f), fgetc(f));
    fseek(f, -3, SEEK_END);
    printf("%ld %c\n", ftell(f), getc(f));
    fseek(f, 2, SEEK_CUR);
    printf("%d\n", getc(f));
    fseek(f, 5, SEEK_SET);
    int n;
    printf("%d %d\n", fscanf(f, "%d", &n), n);
    printf("%d %d\n", fputc('x', f), ferror(f) != 0);
    fclose(f);
    f = fopen("made.txt", "a");
    fputs("+more", f);
    fclose(f);
    f = fopen("made.txt", "r+");
    fputs("LINE", f);
    fseek(f, 0, SEEK_END);
    printf("%ld\n", ftell(f));
    fseek(f, 0, SEEK_SET);
    fgets(line, sizeof line, f);
    printf("%s", line);
    fclose(f);
    int fd = open("made.txt", O_RDONLY);
    memset(line, 0, sizeof line);
    printf("%d %zd %s\n", fd >= 3, read(fd, line, 6), line);
    printf("%ld %zd\n", lseek(fd, 2, SEEK_SET), read(fd, line, 2));
    printf("%d %d\n", close(fd), close(fd));
    fd = open("other.bin", O_WRONLY | O_CREAT | O_TRUNC, 0600);
    printf("%zd\n", write(fd, "12345", 5));
    close(fd);
    printf("%d\n", rename("other.bin", "moved.bin"));
    printf("%d %d\n", access("moved.bin", F_OK), access("other.bin", F_OK));
    printf("%d %d %d\n", remove("made.txt"), remove("made.txt"), errno);
    printf("%d\n", unlink("moved.bin"));
    f = tmpfile();
    fputs("temp", f);
    rewind(f);
    printf("%s\n", fgets(line, 10, f));
    fclose(f);
    perror("message");
    return 0;
}
