export const enTools = {
  heading: 'Use in your tools',
  yours: 'Your tools',
  another: 'Use in another tool',
  tiles: { python: 'notebook or script', r: 'httr2', shell: 'curl and friends', gateway: 'address and password' },
  choice: 'Tool',
  other: 'Other',
  install: 'Install once, in a terminal',
  installInNotebook: 'Or install in a notebook',
  inVenv: (python: string): string => `Then run your scripts with ${python}.`,
  use: 'Use in your code',
  /** A comment next to the path in the code. */
  replace: 'replace the path with the one of your data',
  inTerminal: 'Run in a terminal',
  inTerminalWithPath: 'Run in a terminal, with the path of your data',
  start: 'Start a program with a token',
  startHint:
    'Your program finds the access token in the environment variable ACCESS_TOKEN. This token isn’t renewed while the program runs.',
  ai: 'AI clients',
  aiHint:
    'Prints what to add to .mcp.json for Claude Code; with cursor, to ~/.cursor/mcp.json; with vscode, to .vscode/mcp.json. The AI client then reaches your data platform’s MCP server, and never sees your token.',
  /** The instructions for programs that take an address, a username and a password. `by`: who uses the port. */
  gateway: {
    name: 'Excel, BI',
    label: 'Gateway for Excel and BI',
    lead: 'Excel, Power BI, Tableau and others take an address, a username and a password. The gateway, on this computer only, gives them your data; they never see your token.',
    signedOut: 'These programs get data again when you sign in.',
    address: 'Address',
    copyPassword: 'Copy password',
    newPassword: 'New password',
    passwordCopied: 'Copied. Paste it within five minutes.',
    passwordHint: 'Latchkey doesn’t keep the password. If you lose it, make a new one.',
    replace: {
      title: 'Make a new password?',
      body: 'Programs with the old one get no data until you enter the new one there.',
      keep: 'Keep the old one',
      confirm: 'Make and copy',
    },
    steps: [
      'In your program, get data from the web or OData: enter the address, followed by the path of your data.',
      'When it asks how to sign in, choose Basic, and enter the username and the password.',
      'Refresh as usual: that works whenever you’re signed in to Latchkey.',
    ],
    portTaken: (port: number, by: string | undefined) => ({
      title: `Port ${port} is taken`,
      body:
        by === undefined
          ? 'Another program is using it. Close it, or choose another port.'
          : `${by} is using it. Close it, or choose another port.`,
    }),
    failed: (port: number, cause: string) => ({
      title: 'The gateway can’t start',
      body: `Port ${port} can’t be used (${cause}). Choose another port.`,
    }),
    otherPort: 'Choose another port',
  },
  copy: 'Copy',
  copied: 'Copied.',
  notCopied: 'Couldn’t copy. Select the text and copy it.',
}
