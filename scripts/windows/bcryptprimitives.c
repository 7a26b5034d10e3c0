/* ProcessPrng: Rust programs on Windows take their random numbers from it, and Wine 8 lacks it. */
#include <windows.h>
#include <ntsecapi.h>

__declspec(dllexport) BOOL WINAPI ProcessPrng(BYTE *data, SIZE_T length) {
  return RtlGenRandom(data, (ULONG)length) ? TRUE : FALSE;
}
