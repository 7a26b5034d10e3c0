@rem The script's name differs from this one's: PowerShell would prefer it, and most desktops' policy refuse it.
@powershell.exe -NoLogo -NoProfile -NonInteractive -ExecutionPolicy Bypass -File "%~dp0latchkey-windows.ps1" %*
