/* Replaces powershell.exe: prints its arguments as UTF-8, one per line, to standard output and to a file. */
#include <stdio.h>
#include <windows.h>

int wmain(int argc, wchar_t **argv) {
  FILE *record = fopen("C:\\recorded.txt", "a");
  for (int i = 1; i < argc; i++) {
    char text[8192];
    WideCharToMultiByte(CP_UTF8, 0, argv[i], -1, text, sizeof text, NULL, NULL);
    printf("[%s]\n", text);
    if (record) fprintf(record, "[%s]\n", text);
  }
  if (record) fclose(record);
  return 7;
}
