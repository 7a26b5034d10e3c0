/* Stands in for powershell.exe: prints its arguments as UTF-8, one a line, and to a file. If the
   file C:\hang exists, the program doesn't end. */
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
  fflush(stdout);
  if (GetFileAttributesW(L"C:\\hang") != INVALID_FILE_ATTRIBUTES && argc > 2 && !wcscmp(argv[argc - 1], L"--all")) Sleep(60000);
  return 7;
}
