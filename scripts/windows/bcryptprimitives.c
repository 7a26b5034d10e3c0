/*
 * ProcessPrng, from which Rust programs take their random numbers on Windows. Wine 8 lacks it; Wine 9 has it.
 */
#include <windows.h>
#include <ntsecapi.h>

__declspec(dllexport) BOOL WINAPI ProcessPrng(BYTE *data, SIZE_T length) {
  return RtlGenRandom(data, (ULONG)length) ? TRUE : FALSE;
}
