@rem SECURITY: the full path keeps cmd.exe from running a powershell.exe in the current folder.
@rem The script isn't called latchkey.ps1, because PowerShell would run that instead of this file, and its default policy on desktops forbids scripts.
@"%SystemRoot%\System32\WindowsPowerShell\v1.0\powershell.exe" -NoLogo -NoProfile -NonInteractive -ExecutionPolicy Bypass -File "%~dp0latchkey-windows.ps1" %*
