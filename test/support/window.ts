import type { ElectronApplication, Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { loadTexts, type Texts } from '../../text/index.ts'
import { visibleWindows } from './main-process.ts'

export const sentences = (): Promise<Texts> => loadTexts('en-GB', process.platform)

export interface Login {
  readonly username: string
  readonly password: string
}

export class LatchkeyWindow {
  readonly page: Page
  readonly serviceAddress: Locator
  readonly username: Locator
  readonly password: Locator
  readonly alert: Locator
  readonly signedIn: Locator

  constructor(page: Page) {
    this.page = page
    this.serviceAddress = page.getByLabel('Service address')
    this.username = page.getByLabel('Username', { exact: true })
    this.password = page.getByLabel('Password', { exact: true })
    this.alert = page.getByRole('alert')
    this.signedIn = page.getByRole('button', { name: /: menu$/ })
  }

  static async of(app: ElectronApplication): Promise<LatchkeyWindow> {
    const page = app.windows()[0] ?? (await app.waitForEvent('window'))
    await page.getByRole('heading').first().waitFor()
    // Until its page is painted, the window is hidden.
    await expect.poll(() => visibleWindows(app)).toBeGreaterThan(0)
    return new LatchkeyWindow(page)
  }

  button(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true })
  }

  async says(words: string): Promise<void> {
    await this.page.getByText(words).first().waitFor()
  }

  async connect(address: string): Promise<void> {
    await this.serviceAddress.fill(address)
    await this.button('Connect').click()
  }

  async choose(item: string): Promise<void> {
    await this.signedIn.click()
    await this.page.getByRole('menuitem', { name: item, exact: true }).click()
  }

  async openSettings(): Promise<void> {
    if (await this.signedIn.isVisible()) await this.choose('Settings')
    else await this.button('Settings').click()
    await this.page.getByRole('heading', { name: 'Settings' }).waitFor()
  }

  async openConnection(name: string): Promise<void> {
    await this.openSettings()
    await this.page.getByRole('button', { name }).first().click()
    await this.page.getByRole('heading', { level: 1, name }).waitFor()
  }

  /** Types the password key by key, as a person does, and submits the form. */
  async trySignIn({ username, password }: Login): Promise<void> {
    await this.username.fill(username)
    await this.password.focus()
    await this.page.keyboard.type(password)
    await this.button('Sign in').click()
  }

  async signIn(login: Login): Promise<void> {
    await this.trySignIn(login)
    await this.signedIn.waitFor()
  }

  async tryChangePassword(typed: { readonly current?: string; readonly next?: string }): Promise<void> {
    const { current = '', next = '' } = typed
    for (const [label, text] of [
      ['Current password', current],
      ['New password', next],
      ['Repeat new password', next],
    ] as const) {
      await this.page.getByLabel(label, { exact: true }).focus()
      await this.page.keyboard.type(text)
    }
    await this.button('Change password').click()
  }

  async signOut(): Promise<void> {
    const anyway = this.button('Sign out anyway')
    await this.choose('Sign out')
    // Latchkey first asks for confirmation if a tool has used the session recently.
    await anyway.or(this.username).first().waitFor()
    if (await anyway.isVisible()) await anyway.click()
    await this.username.waitFor()
  }

  async close(): Promise<void> {
    await this.page.close()
  }
}
