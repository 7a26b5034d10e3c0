@rem SECURITY: by its full path, or a powershell.exe in the current folder would run.
@rem PowerShell would run a latchkey.ps1 instead of this file, and its default policy on desktops forbids scripts.
@"%SystemRoot%\System32\WindowsPowerShell\v1.0\powershell.exe" -NoLogo -NoProfile -NonInteractive -ExecutionPolicy Bypass -File "%~dp0latchkey-windows.ps1" %*
