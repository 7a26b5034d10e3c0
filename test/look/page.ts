/** The page that shows the pictures. */
import { FIXTURES, GROUPS } from './fixtures/index.ts'

/** One of each view and of what it says at length, for what is alike in all states. */
export const TELLING: ReadonlySet<string> = new Set([
  'first-run-refused',
  'keychain-locked',
  'sign-in-first',
  'sign-in-sso',
  'sign-in-rejected',
  'sign-in-untrusted',
  'signed-out-refused',
  'expired-not-renewed',
  'signed-in',
  'signed-in-many-tools',
  'signed-in-agent-problem',
  'signed-in-sso-once',
  'unreachable',
  'unreachable-untrusted',
  'ending',
  'change-password-weak',
  'change-password-unreachable',
  'settings',
  'settings-filled-in',
  'settings-leaving',
  'about',
  'check-up-troubled',
])

const INTRODUCTION = `# What the window looks like

Every view of the window in every state, light and dark. \`npm run look\` takes the pictures: the built window in the
real Electron, with a main process that shows what it is told. Each is as wide as the window opens (420 pixels) and as
tall as all of it needs, at least 560. A picture leads to the same at twice the scale. The font is the system's own:
here DejaVu Sans, which is wider than those of Windows and macOS.

The tests look at the same states: with axe-core, with the Tab key, in four languages, in the smallest window, with text
twice as large, with reduced movement and with forced colours. Ctrl (Cmd on macOS) with + and - makes everything larger,
up to twice, and smaller again; with 0 it is as it was.
`

const state = (name: string, about: string) => `${about}:

[![${about}](look/1x/${name}.png)](look/2x/${name}.png)
`

const others = (title: string, folder: string) =>
  [
    `## ${title}\n`,
    ...FIXTURES.filter(({ name }) => TELLING.has(name)).map(
      ({ name, about }) => `${about}:\n\n![${about}](look/${folder}/${name}.png)\n`,
    ),
  ].join('\n')

/** As Markdown. */
export const pictureBook = (): string =>
  [
    INTRODUCTION,
    ...GROUPS.flatMap(({ title, fixtures }) => [
      `## ${title}\n`,
      ...fixtures.map(({ name, about }) => state(name, about)),
    ]),
    others('In German, French and Spanish', 'languages'),
    others('With text twice as large', 'large-text'),
    others('With forced colours', 'forced-colours'),
  ].join('\n')
