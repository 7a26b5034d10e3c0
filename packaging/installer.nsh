; The folder of `latchkey` goes on the PATH, of this user or of this machine, as the app itself.
; Macros that electron-builder's own script calls: https://www.electron.build/nsis (Custom NSIS script).
;
; PowerShell does it, because a string of NSIS holds 8192 characters and a longer PATH would be cut off
; (https://nsis.sourceforge.io/Docs/Chapter4.html, "Variables": NSIS_MAX_STRLEN).

!macro changePath ACTION
  ${if} $installMode == "all"
    StrCpy $0 "Machine"
  ${else}
    StrCpy $0 "User"
  ${endIf}
  nsExec::ExecToLog '"$SYSDIR\WindowsPowerShell\v1.0\powershell.exe" -NoLogo -NoProfile -NonInteractive -ExecutionPolicy Bypass -File "$INSTDIR\resources\path.ps1" ${ACTION} $0 "$INSTDIR\resources\bin"'
  Pop $0
  ${if} $0 != "0"
    DetailPrint "The PATH is as it was: $0"
  ${endIf}
!macroend

!macro customInstall
  !insertmacro changePath Add
!macroend

!macro customUnInstall
  ; An update puts the same folder back.
  ${ifNot} ${isUpdated}
    !insertmacro changePath Remove
  ${endIf}
!macroend
