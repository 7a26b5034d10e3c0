/* Prints the persistence of the credential that the first argument names (Windows: CREDENTIALW). */
#include <stdio.h>
#include <windows.h>
#include <wincred.h>

int wmain(int argc, wchar_t **argv) {
  CREDENTIALW *credential;
  if (argc < 2 || !CredReadW(argv[1], CRED_TYPE_GENERIC, 0, &credential)) return 1;
  printf("%lu\n", credential->Persist);
  CredFree(credential);
  return 0;
}
