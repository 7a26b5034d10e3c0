# Adds a folder to the PATH of a user or of the machine, or removes it. A second run changes nothing.
param(
  [Parameter(Mandatory)] [ValidateSet('Add', 'Remove')] [string] $Action,
  [Parameter(Mandatory)] [ValidateSet('User', 'Machine')] [string] $Scope,
  [Parameter(Mandatory)] [string] $Folder
)
Set-StrictMode -Version 3
$ErrorActionPreference = 'Stop'

if ($Scope -eq 'Machine') {
  $key = [Microsoft.Win32.Registry]::LocalMachine.OpenSubKey('SYSTEM\CurrentControlSet\Control\Session Manager\Environment', $true)
} else {
  $key = [Microsoft.Win32.Registry]::CurrentUser.OpenSubKey('Environment', $true)
}

# The value stays unexpanded: otherwise .NET would replace each %NAME% with its value, and the values would be saved.
$before = [string] $key.GetValue('Path', '', 'DoNotExpandEnvironmentNames')
$folders = @($before -split ';' | Where-Object { $_ -ne '' -and $_.TrimEnd('\') -ne $Folder.TrimEnd('\') })
if ($Action -eq 'Add') { $folders += $Folder }
$after = $folders -join ';'
if ($after -ne $before) {
  $key.SetValue('Path', $after, 'ExpandString')
  # Tells running programs of the change: .NET notifies all windows when it sets or clears a variable, and clearing one
  # that doesn't exist is harmless.
  [Environment]::SetEnvironmentVariable("latchkey-$PID", $null, $Scope)
}
$key.Close()
