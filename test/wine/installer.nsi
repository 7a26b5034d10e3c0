; An installer with only packaging/installer.nsh, because electron-builder's installer needs plugins that must be
; downloaded. The test passes in the two functions of electron-builder that the macros call.
Unicode true
Target amd64-unicode
Name Latchkey
OutFile "${OUTPUT}"
InstallDir "C:\Latchkey"
RequestExecutionLevel user
SilentInstall silent
SilentUnInstall silent

!include LogicLib.nsh
!include FileFunc.nsh
!define UNINSTALL_FILENAME "Uninstall Latchkey.exe"
Var installMode

!macro _isUpdated _a _b _t _f
  ClearErrors
  ${GetParameters} $R9
  ${GetOptions} $R9 "--updated" $R9
  IfErrors `${_f}` `${_t}`
!macroend
!define isUpdated `"" isUpdated ""`

!include "${FUNCTIONS}"
!include "${MACROS}"

Section
  StrCpy $installMode "all"
  ClearErrors
  ${GetParameters} $R9
  ${GetOptions} $R9 "/currentuser" $R9
  ${ifNot} ${errors}
    StrCpy $installMode "CurrentUser"
  ${endIf}
  SetOutPath $INSTDIR
  File /r "${CONTENT}/*"
  WriteUninstaller "$INSTDIR\${UNINSTALL_FILENAME}"
  !insertmacro customInstall
SectionEnd

; electron-builder's own macros find the running app and end it.
!macro IS_POWERSHELL_AVAILABLE
!macroend
!macro _CHECK_APP_RUNNING
!macroend
!define BUILD_UNINSTALLER

Section Uninstall
  InitPluginsDir
  !insertmacro customCheckAppRunning
  StrCpy $installMode "all"
  !insertmacro customUnInstall
  !insertmacro customRemoveFiles
SectionEnd
