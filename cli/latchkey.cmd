@rem SECURITY: by its full path, or a powershell.exe in the current folder would run.
@rem The script's name differs from this one's: PowerShell would prefer it, and most desktops' policy refuse it.
@"%SystemRoot%\System32\WindowsPowerShell\v1.0\powershell.exe" -NoLogo -NoProfile -NonInteractive -ExecutionPolicy Bypass -File "%~dp0latchkey-windows.ps1" %*
