import type { Locator, Page } from 'playwright-core'
import type { CallName } from '../../contract/calls.ts'
import type { Failure, Outcome } from '../../contract/failures.ts'
import { GRANTS } from '../../contract/grants.ts'
import { connection, sessionsAt, viewOf } from '../../contract/testing.ts'
import type { AppView, ConnectionView, SessionView } from '../../contract/views.ts'
import { loadDiagnosticsTexts } from '../../text/diagnostics.ts'
import { loadTexts, type Texts } from '../../text/index.ts'

export type Spoken = Awaited<ReturnType<typeof spokenIn>>

export async function spokenIn(locale: string) {
  const texts = await loadTexts(locale)
  return { ...texts, diagnostics: await loadDiagnosticsTexts(texts) }
}

interface Use {
  /** The main process's answers to calls. A call without an answer stays pending. */
  readonly answers?: { readonly [N in CallName]?: Outcome<unknown> }
  readonly act?: (person: Person) => Promise<unknown>
  /** True if a name, an address or code in the view may have a word that is longer than a line. */
  readonly hasLongWords?: boolean
  /** True for a state that also has pictures in other languages, with large text and with forced colours. */
  readonly isFullyPictured?: boolean
}

export interface Fixture extends Use {
  readonly name: string
  readonly view: (texts: Spoken) => AppView
}

type Over = Partial<AppView>

interface Given extends Use {
  readonly view?: Over | ((texts: Spoken) => Over)
}

export const state = (name: string, session: SessionView, { view: over, ...use }: Given = {}): Fixture => ({
  name,
  view: (texts) => viewOf(session, typeof over === 'function' ? over(texts) : over),
  ...use,
})

export const SECOND = 1_000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR
/** The time in all pictures: a Tuesday, 14:10 in London. */
export const NOW = Date.UTC(2025, 10, 18, 14, 10)

const { active: usual, signedOut } = sessionsAt(NOW)
export const account = { ...usual.account, displayName: 'Ana Duarte' } as const
export const active = { ...usual, account } as const
export { signedOut }

export const both: ConnectionView = { ...connection, grants: [GRANTS.password, GRANTS.passwordRealm] }
export const failed = (failure: Failure): Outcome => ({ ok: false, failure })

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

  async hears(): Promise<void> {
    await this.page.getByRole('alert').first().waitFor()
  }

  async reads(words: string): Promise<void> {
    await this.page.getByText(words).first().waitFor()
  }

  async unfold(summary: string): Promise<void> {
    await this.page.locator('summary', { hasText: summary }).click()
  }

  async openMenu(): Promise<void> {
    await this.page.locator('.person > button').click()
  }

  async choose(item: string): Promise<void> {
    await this.openMenu()
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
