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

; What electron-builder's uninstaller.nsh does, less one file: policy.json is the administrator's, not the installer's.
!macro customRemoveFiles
  ${if} ${isUpdated}
    CreateDirectory "$PLUGINSDIR\old-install"
    Push ""
    Call un.atomicRMDir
    Pop $R0
    ${if} $R0 != 0
      DetailPrint "File is busy, aborting: $R0"
      Push ""
      Call un.restoreFiles
      Pop $R0
      Abort `Can't rename "$INSTDIR" to "$PLUGINSDIR\old-install".`
    ${endIf}
    ${if} ${FileExists} "$PLUGINSDIR\old-install\policy.json"
      CreateDirectory $INSTDIR
      Rename "$PLUGINSDIR\old-install\policy.json" "$INSTDIR\policy.json"
    ${endIf}
  ${endIf}
  ; A folder that somebody stands in can't be removed.
  SetOutPath $TEMP
  FindFirst $R0 $R1 "$INSTDIR\*.*"
  ${doUntil} $R1 == ""
    ${if} $R1 != "."
    ${andIf} $R1 != ".."
    ${andIf} $R1 != "policy.json"
      ${if} ${FileExists} "$INSTDIR\$R1\*.*"
        RMDir /r "$INSTDIR\$R1"
      ${else}
        Delete "$INSTDIR\$R1"
      ${endIf}
    ${endIf}
    FindNext $R0 $R1
  ${loop}
  FindClose $R0
  ; Only where nothing is left in it.
  RMDir $INSTDIR
!macroend
