@rem SECURITY: by its full path, or a powershell.exe in the current folder would run.
@rem If the script were named latchkey.ps1, PowerShell would run it instead of this file; most policies forbid that.
@"%SystemRoot%\System32\WindowsPowerShell\v1.0\powershell.exe" -NoLogo -NoProfile -NonInteractive -ExecutionPolicy Bypass -File "%~dp0latchkey-windows.ps1" %*
