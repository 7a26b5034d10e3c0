import { type AppView, SETTING_FIELDS } from '../../preload/contract.ts'
import type { Texts } from '../../text/index.ts'
import { stateLine } from '../../text/state.ts'

/** What a person who helps has to know, beside the view. */
export interface Surroundings {
  /** Names and values, such as the versions of the system and of Electron. */
  readonly versions: Readonly<Record<string, string>>
  /** What the keychain was found to be; absent while that isn't known. */
  readonly keychain: { readonly kind: string; readonly cause?: string } | undefined
  /** Now: milliseconds since the epoch. */
  readonly now: number
}

/** A text to hand to a person who helps: what is set and by whom, and how everything is. It holds no secret. */
export function diagnostics(view: AppView, texts: Texts, { versions, keychain, now }: Surroundings): string {
  const settings = SETTING_FIELDS.map((field) => {
    const { value, source } = view.settings[field]
    // SECURITY: of a secret the view has no value, only who set it.
    return `${field}: ${source === undefined ? 'not set' : `${value ?? '[secret]'} (${source})`}`
  })
  const { agent, session } = view
  const failure = 'failure' in session ? session.failure : undefined
  // SECURITY: a server's own words may hold anything.
  const cause = failure === undefined ? [] : [JSON.stringify({ code: failure.code, ...failure.details })]
  const sections = {
    Latchkey: [new Date(now).toISOString(), ...Object.entries(versions).map(([name, value]) => `${name}: ${value}`)],
    Settings: [...settings, ...view.notices],
    Session: [stateLine(texts, view), ...cause],
    Keychain: [keychain === undefined ? 'not answered yet' : [keychain.kind, keychain.cause].join(' ').trim()],
    Agent: [
      `${agent.enabled ? 'on' : 'off'}${agent.source === undefined ? '' : ` (${agent.source})`}`,
      ...(agent.problem === undefined ? [] : [agent.problem]),
      ...agent.uses.map(({ name, count, lastAt }) => `${name}: ${count}, last ${new Date(lastAt).toISOString()}`),
    ],
  }
  return Object.entries(sections)
    .map(([name, lines]) => `${name}\n${lines.map((line) => `  ${line}\n`).join('')}`)
    .join('\n')
}
