/** `npm run docs` writes usage and man page from this table; the build writes the completions. */

/**
 * @typedef {object} Option
 * @property {string} short For the completions.
 * @property {string} help For the usage.
 * @property {string} [value] The name of the option's value, in brackets if the value may be left out.
 * @property {readonly string[]} [choices] The possible values.
 *
 * @typedef {object} Command
 * @property {string} synopsis
 * @property {string} short For the completions.
 * @property {string} help For the usage.
 * @property {string | false} [windows] For the usage on Windows; false if Windows doesn't have the command.
 */

/** @type {Readonly<Record<string, Option>>} */
const OPTIONS = {
  '--min-validity': {
    value: 'SECONDS',
    short: 'minimum validity of the token in seconds',
    help: "the token must be valid for at least this long; if it isn't, token and header warn, and exec exits with 4",
  },
  '--best-effort': {
    short: 'run the command even if the token is valid for less',
    help: 'exec warns, too, and runs COMMAND anyway',
  },
  '--wait': {
    value: '[=DURATION]',
    short: 'wait until there is a token',
    help: 'waits until there is a token, even if Latchkey must be started first: seconds, or 30m, 2h, 3d; by default up to 7d',
  },
  '--connection': {
    value: 'NAME',
    short: 'name of the connection',
    help: 'the connection to use; by default the first one',
  },
  '--format': {
    value: 'FORMAT',
    choices: ['text', 'json', 'oauth', 'headers', 'kubernetes'],
    short: 'format of the output',
    help: 'the format that token prints: text, json, oauth, headers or kubernetes',
  },
  '--new-password': {
    short: 'make a new password',
    help: 'gateway makes a new password, and prints only that',
  },
  '--until': {
    value: 'TIME',
    short: 'time of day or duration for which the session should last',
    help: 'how long the session must last: until a time such as 07:00, or for 8h, 30m or 3600 seconds; status says whether it is expected to, and exec warns if not',
  },
  '--strict': {
    short: 'run the command only if the session is expected to last',
    help: 'exec runs COMMAND only if the session is expected to last until TIME',
  },
  '--all': { short: 'all connections', help: 'signs out of all connections' },
  '--config': {
    value: 'CLIENT',
    choices: ['claude', 'cursor', 'vscode'],
    short: 'print the configuration of an AI client',
    help: 'prints what to add to the configuration of claude, cursor or vscode',
  },
  '--json': { short: 'print JSON', help: 'prints the status as JSON' },
  '--log': { short: 'print the last lines of the log', help: "prints the log's path and last lines instead" },
  '--installed': { short: 'check the installed policy', help: 'checks what is installed here; the default' },
}

/** @type {Readonly<Record<string, Command>>} */
const COMMANDS = {
  token: {
    synopsis: '[--min-validity SECONDS] [--wait[=DURATION]] [--connection NAME] [--format FORMAT]',
    short: 'print the access token',
    help: 'prints the access token',
  },
  header: {
    synopsis: '[--min-validity SECONDS] [--wait[=DURATION]] [--connection NAME]',
    short: 'print the header with the token, for curl -H @-',
    help: 'prints the header with the token, for: curl -H @-',
    windows: 'prints the token as an Authorization header',
  },
  exec: {
    synopsis:
      '[--min-validity SECONDS [--best-effort]] [--wait[=DURATION]] [--until TIME [--strict]] [--connection NAME] [--] COMMAND [ARGUMENT...]',
    short: 'run a command with the token in its environment',
    help: 'runs COMMAND with the token in its environment, as ACCESS_TOKEN',
  },
  rejected: {
    synopsis: '[--connection NAME]',
    short: 'replace a rejected token, read from standard input',
    help: 'reads a rejected token from standard input, and prints the one to use instead',
  },
  status: {
    synopsis: '[--json] [--until TIME] [--connection NAME]',
    short: 'print the state of the session',
    help: 'prints the state of the session, or whether it is expected to last',
  },
  'sign-out': {
    synopsis: '[--connection NAME | --all]',
    short: 'end the session',
    help: 'ends the session, here and at the service',
  },
  socket: {
    synopsis: '',
    short: "print the path of the agent's socket",
    help: "prints the path of the agent's socket",
    windows: "prints the path of the file that names the agent's pipe",
  },
  mcp: {
    synopsis: '[--connection NAME] [--config CLIENT] [URL]',
    short: 'connect an AI client with an MCP server of the data service',
    help: 'is an MCP server for AI clients: adds the token to each request and forwards it to URL, by default the path mcp below the data address',
  },
  ssh: {
    synopsis: '[--connection NAME]... HOST [COMMAND [ARGUMENT...]]',
    short: 'run ssh and forward this agent to remote programs',
    help: 'runs ssh; until the session ends, programs on HOST can get tokens of the named connections',
    windows: false,
  },
  gateway: {
    synopsis: '[--new-password] [--connection NAME]',
    short: 'print the address for programs that take a username and password',
    help: "prints the gateway's address, username and state, for Excel and other programs that take a username and a password",
  },
  open: {
    synopsis: '',
    short: "show Latchkey's window",
    help: "shows Latchkey's window; starts Latchkey if it isn't running, and waits until it answers",
  },
  clients: {
    synopsis: '[python | r | node]',
    short: 'print the folder of the libraries for Python, R and Node, or the path of one',
    help: 'prints the folder of the libraries for Python, R and Node, or the path of one: pip\u00a0install\u00a0"$(latchkey\u00a0clients\u00a0python)"',
    windows: 'prints the folder of the libraries for Python, R and Node, or the path of one',
  },
  doctor: {
    synopsis: '[--log]',
    short: 'check this computer',
    help: 'checks this computer, and prints problems with advice',
  },
  policy: {
    synopsis: 'check [FILE | --installed]',
    short: 'say what a policy does, and what is wrong in it',
    help: 'says what a policy does, and what is wrong in it: a policy.json or .reg file, or what is installed on this computer',
  },
}

const WIDTH = 79
const NO_BREAK = '\u00a0'
export const names = Object.keys(COMMANDS)
const command = (/** @type {string} */ name) => /** @type {Command} */ (COMMANDS[name])
/** @type {(name: string) => readonly string[]} */
const optionsOf = (name) => command(name).synopsis.match(/--[a-z][a-z-]*/g) ?? []
const quoted = (/** @type {string} */ text) => (text.includes("'") ? `"${text}"` : `'${text}'`)
const capital = (/** @type {string} */ text) => text[0]?.toUpperCase() + text.slice(1)

/** Breaks a text into lines: the first line follows `first`, and the others are indented by its length. */
function wrapped(/** @type {string} */ first, /** @type {readonly string[]} */ words) {
  const indent = ' '.repeat(first.length)
  const lines = [first.trimEnd()]
  for (const word of words) {
    const last = lines.at(-1) ?? ''
    const isFirst = last.length < first.length
    const next = isFirst ? `${last.padEnd(first.length)}${word}` : `${last} ${word}`
    if (isFirst || next.length <= WIDTH) lines[lines.length - 1] = next
    else lines.push(indent + word)
  }
  return lines.map((line) => line.replaceAll(NO_BREAK, ' '))
}

/** True if the option's value is the next word, not attached with `=`. @param {string | undefined} value */
const isFollowed = (value) => value !== undefined && !value.startsWith('[')
/** @param {string} option @param {string | undefined} value */
const withValue = (option, value) => (isFollowed(value) ? `${option} ${value}` : `${option}${value ?? ''}`)

/** @param {string} synopsis */
const groups = (synopsis) => synopsis.match(/\[(?:[^[\]]|\[[^\]]*\])*\](?:\.\.\.)?|[^\s[\]]+/g) ?? []

/** @param {boolean} isWindows */
function usage(isWindows) {
  const shown = names.filter((name) => !isWindows || command(name).windows !== false)
  const lines = shown.flatMap((name, index) =>
    wrapped(`${index === 0 ? 'Usage:' : '      '} latchkey ${name} `, groups(command(name).synopsis)),
  )
  const helpOf = (/** @type {string} */ name) => (isWindows && command(name).windows) || command(name).help
  return [
    ...lines,
    '       latchkey --help | --version',
    '',
    'A valid access token from the Latchkey that runs on this desktop.',
    '',
    ...shown.flatMap((name) => wrapped(`  ${name.padEnd(10)}`, helpOf(name).split(' '))),
    '',
    ...Object.entries(OPTIONS).flatMap(([option, { value, help }]) =>
      wrapped(`  ${withValue(option, value).padEnd(24)}`, help.split(' ')),
    ),
  ]
}

/** Lines by file and mark. @type {Readonly<Record<string, Readonly<Record<string, () => readonly string[]>>>>} */
const GENERATED = {
  latchkey: {
    // In a here-document, `$` begins an expansion.
    usage: () => ['  cat <<END', ...usage(false).map((line) => line.replaceAll('$', '\\$')), 'END'],
    options: () => [
      'is_command() {',
      '  case $1 in',
      `    ${names.join(' | ')}) ;;`,
      '    *) return 1 ;;',
      '  esac',
      '}',
      '',
      '# takes COMMAND OPTION: true if the command has this option',
      'takes() {',
      '  case $1 in',
      ...names
        .filter((name) => optionsOf(name).length > 0)
        .map((name) => `    ${name}) case $2 in ${optionsOf(name).join(' | ')}) return 0 ;; esac ;;`),
      '  esac',
      '  return 1',
      '}',
    ],
  },
  'latchkey-windows.ps1': {
    usage: () => ["$Usage = @'", ...usage(true), "'@"],
    options: () => [
      '# Unlike @{}, this hash table distinguishes upper and lower case.',
      '$Options = New-Object System.Collections.Hashtable',
      ...names
        .filter((name) => command(name).windows !== false)
        .map((name) => `$Options['${name}'] = @(${optionsOf(name).map(quoted).join(', ')})`),
    ],
  },
  'latchkey.1': {
    synopsis: () => [...names.flatMap((name) => roff(name, command(name).synopsis)), ...roff('--help | --version', '')],
  },
  'completions/latchkey.bash': {
    options: () => [
      '# The words after each command, and after each option with a value.',
      '_latchkey_words() {',
      '  case $1 in',
      `    '') printf '%s\\n' ${names.join(' ')} ;;`,
      ...names.map((name) => `    ${name}) printf '%s\\n' ${[...optionsOf(name), '--help'].join(' ')} ;;`),
      ...Object.entries(OPTIONS).flatMap(([option, { value, choices }]) =>
        !isFollowed(value) ? [] : [`    ${option}) ${choices ? `printf '%s\\n' ${choices.join(' ')} ` : ''};;`],
      ),
      '    *) return 1 ;;',
      '  esac',
      '}',
    ],
  },
  'completions/_latchkey': {
    commands: () => names.map((name) => `    ${quoted(`${name}:${command(name).short}`)}`),
    options: () =>
      names
        .filter((name) => optionsOf(name).length > 0)
        .map(
          (name) =>
            `        ${name}) options+=(${optionsOf(name)
              .map((each) => zsh(each, name))
              .join(' ')}) ;;`,
        ),
  },
  'completions/latchkey.fish': {
    commands: () =>
      names.map(
        (name) => `complete -c latchkey -n __fish_use_subcommand -a ${name} -d ${quoted(capital(command(name).short))}`,
      ),
    options: () =>
      Object.entries(OPTIONS).map(([option, { value, choices, short }]) => {
        const those = names.filter((name) => optionsOf(name).includes(option)).join(' ')
        const condition = `'__fish_seen_subcommand_from ${those}; and not __latchkey_exec_command >/dev/null'`
        const offered = choices === undefined ? '' : ` -a '${choices.join(' ')}'`
        return `complete -c latchkey -n ${condition} ${isFollowed(value) ? '-x ' : ''}-l ${option.slice(2)}${offered} -d ${quoted(capital(short))}`
      }),
  },
}

/** @param {string} option @param {string} name */
function zsh(option, name) {
  const { value, choices, short } = /** @type {Option} */ (OPTIONS[option])
  if (value === undefined) return `'${option}[${short}]'`
  if (!isFollowed(value)) return `'${option}=-[${short}]:: '`
  const isRepeated = command(name).synopsis.includes(`${option} ${value}]...`)
  return `'${isRepeated ? '*' : ''}${option}=[${short}]:${value.toLowerCase()}:${choices ? `(${choices.join(' ')})` : ' '}'`
}

/** @param {string} name @param {string} synopsis */
function roff(name, synopsis) {
  const styled = (/** @type {string} */ text) =>
    text
      .replace(/\.\.\./g, '.\\|.\\|.')
      .replace(/[A-Z]{2,}/g, (word) => `\\fI${word.toLowerCase()}\\fR`)
      .replace(/-{1,2}[a-z-]*|\b(?:python|r|node)\b/g, (word) => `\\fB${word.replaceAll('-', '\\-')}\\fR`)
  const bold = name.startsWith('-') ? styled(name) : `\\fB${name}\\fR`
  return ['.SY latchkey', bold, ...groups(synopsis).map(styled), '.YS']
}

const isCompletion = (/** @type {string} */ file) => file.startsWith('completions/')
/** The files to which `npm run docs` writes. */
export const FILES = Object.keys(GENERATED).filter((file) => !isCompletion(file))
/** The files to which the build writes, in `out/` instead of `cli/`. */
export const COMPLETIONS = Object.keys(GENERATED).filter(isCompletion)

/** The file's text with the current content between its marks. @param {string} file @param {string} text */
export function withCommands(file, text) {
  return Object.entries(GENERATED[file] ?? {}).reduce((result, [mark, lines]) => {
    const pattern = new RegExp(`(begin: ${mark}\\b.*\\n)[^]*?(.*end: ${mark}\\b)`)
    if (!pattern.test(result)) throw new Error(`${file} has no place for: ${mark}.`)
    return result.replace(pattern, (_, before, after) => `${before}${lines().join('\n')}\n${after}`)
  }, text)
}
