/** A view to show: a state of the app, then a person's actions in the window. */
import type { Locator, Page } from 'playwright-core'
import type { CallName, CallResult } from '../../contract/calls.ts'
import { type Failure, OK, type Outcome } from '../../contract/failures.ts'
import { GRANTS } from '../../contract/grants.ts'
import { SETTING_FIELDS, type SettingsView } from '../../contract/settings.ts'
import { switchesOf } from '../../contract/testing.ts'
import type { AppView, ConnectionView, SessionView } from '../../contract/views.ts'
import { loadDiagnosticsTexts } from '../../text/diagnostics.ts'
import type { DiagnosticsTexts } from '../../text/en/diagnostics.ts'
import { loadTexts, type Texts } from '../../text/index.ts'

/** The texts of the window and the main process, in one language. */
export type Spoken = Texts & { readonly diagnostics: DiagnosticsTexts }

export async function spokenIn(locale: string): Promise<Spoken> {
  const texts = await loadTexts(locale)
  return { ...texts, diagnostics: await loadDiagnosticsTexts(texts) }
}

export interface Fixture {
  readonly name: string
  /** What the view shows, in a few words. */
  readonly about: string
  /** What the main process sends. Some of its texts are in the user's language. */
  readonly view: (texts: Spoken) => AppView
  /** The main process's answers to calls. A call without an answer stays pending. */
  readonly answers?: { readonly [N in CallName]?: Outcome<CallResult<N>> | Outcome | 'bug' }
  readonly act?: (person: Person) => Promise<void>
  /** True if a name, an address or code in the view may have a word that is longer than a line. */
  readonly hasLongWords?: boolean
}

export interface Group {
  readonly title: string
  readonly fixtures: readonly Fixture[]
}

export const SECOND = 1_000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR
/** The time in all pictures: a Tuesday, 14:10 in London. */
export const NOW = Date.UTC(2025, 10, 18, 14, 10)

export const account = { username: 'ana', displayName: 'Ana Duarte', grant: GRANTS.password } as const
const token = { receivedAt: NOW - 19 * MINUTE, expiresAt: NOW + 41 * MINUTE, refreshesAt: NOW + 29 * MINUTE }
export const active = { kind: 'active', account, token, refresh: 'idle', kept: 'keychain' } as const

export { OK as ok }
export const failed = (failure: Failure): Outcome => ({ ok: false, failure })

export const connection: ConnectionView = {
  baseAddress: 'https://data.example.com',
  host: 'data.example.com',
  source: 'user',
  grants: [GRANTS.password],
}
export const both: ConnectionView = { ...connection, grants: [GRANTS.password, GRANTS.passwordRealm] }

/** Settings in which only the service's address is set. */
export const settings: SettingsView = {
  ...(Object.fromEntries(SETTING_FIELDS.map((field) => [field, {}])) as SettingsView),
  baseAddress: { value: 'https://data.example.com', source: 'user' },
}

export const viewOf = (session: SessionView, over: Partial<AppView> = {}): AppView => ({
  version: '0.1.0',
  notices: [],
  connections: [
    {
      name: 'default',
      isOwn: false,
      session,
      ...(session.kind === 'notConfigured' ? {} : { connection: over.connection ?? connection }),
    },
  ],
  mayAddConnections: true,
  shown: 'default',
  session,
  settings: session.kind === 'notConfigured' ? { ...settings, baseAddress: {} } : settings,
  agent: { uses: [] },
  needs: [],
  gateway: { kind: 'off' },
  switches: switchesOf({ startAtLogin: { enabled: true } }),
  offersStartAtLogin: false,
  ...(session.kind === 'notConfigured' ? {} : { connection }),
  ...over,
})

/** A person who uses the window, in one language. */
export class Person {
  readonly page: Page
  readonly texts: Texts

  constructor(page: Page, texts: Texts) {
    this.page = page
    this.texts = texts
  }

  button(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true })
  }

  async press(name: string): Promise<void> {
    await this.button(name).click()
  }

  async fill(label: string, value: string): Promise<void> {
    await this.page.getByLabel(label, { exact: true }).and(this.page.locator('input')).fill(value)
  }

  /** Waits for a message with the role `alert`. */
  async hears(): Promise<void> {
    await this.page.getByRole('alert').first().waitFor()
  }

  async reads(words: string): Promise<void> {
    await this.page.getByText(words).first().waitFor()
  }

  async unfold(summary: string): Promise<void> {
    await this.page.locator('summary', { hasText: summary }).click()
  }

  /** Chooses an item of the menu that a click on the person's name opens. */
  async choose(item: string): Promise<void> {
    await this.page.locator('.person > button').click()
    await this.page.getByRole('menuitem', { name: item, exact: true }).click()
  }

  async openSettings(): Promise<void> {
    if (await this.page.locator('.person').isVisible()) await this.choose(this.texts.buttons.settings)
    else await this.press(this.texts.buttons.settings)
    await this.page.getByRole('heading', { level: 1, name: this.texts.settings.heading }).waitFor()
  }

  async openConnection(name: string): Promise<void> {
    await this.openSettings()
    await this.page.locator('.row', { hasText: name }).first().click()
    await this.page.getByLabel(this.texts.settings.labels.baseAddress).waitFor()
  }
}
