; Adds the folder of `latchkey` to the PATH: this user's, or the machine's if the app is installed for all users.
; electron-builder's own script calls these macros: https://www.electron.build/nsis (Custom NSIS script).
; PowerShell changes the PATH, because NSIS would cut it off after 8192 characters (NSIS_MAX_STRLEN).

!macro changePath ACTION
  ${if} $installMode == "all"
    StrCpy $0 "Machine"
  ${else}
    StrCpy $0 "User"
  ${endIf}
  nsExec::ExecToLog '"$SYSDIR\WindowsPowerShell\v1.0\powershell.exe" -NoLogo -NoProfile -NonInteractive -ExecutionPolicy Bypass -File "$INSTDIR\resources\path.ps1" ${ACTION} $0 "$INSTDIR\resources\bin"'
  Pop $0
  ${if} $0 != "0"
    DetailPrint "The PATH could not be changed: $0"
  ${endIf}
!macroend

!macro customInstall
  !insertmacro changePath Add
!macroend

!macro customUnInstall
  ; During an update, the folder stays on the PATH.
  ${ifNot} ${isUpdated}
    !insertmacro changePath Remove
  ${endIf}
!macroend

; Runs before the app is ended. The uninstaller first signs this user out, while the app can still revoke the refresh
; tokens at the service. An update keeps the sessions.
!macro customCheckAppRunning
  !ifdef BUILD_UNINSTALLER
    ${ifNot} ${isUpdated}
      ; This process may outlive the timeout, and Windows can't remove a folder while it is a process's current one.
      SetOutPath $TEMP
      nsExec::Exec /TIMEOUT=10000 '"$SYSDIR\WindowsPowerShell\v1.0\powershell.exe" -NoLogo -NoProfile -NonInteractive -ExecutionPolicy Bypass -File "$INSTDIR\resources\bin\latchkey-windows.ps1" sign-out --all'
      Pop $0
    ${endIf}
  !endif
  !insertmacro IS_POWERSHELL_AVAILABLE
  !insertmacro _CHECK_APP_RUNNING
!macroend

; Does what electron-builder's uninstaller.nsh does, but keeps the administrator's policy.json.
!macro customRemoveFiles
  ${if} ${isUpdated}
    CreateDirectory "$PLUGINSDIR\old-install"
    Push ""
    Call un.atomicRMDir
    Pop $R0
    ${if} $R0 != 0
      DetailPrint "A file is in use. Stopping: $R0"
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
  ; Windows can't remove a folder while it is a process's current one.
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
  ; Without /r, RMDir removes the folder only if it is empty.
  RMDir $INSTDIR
!macroend
