/** Window and tray use the same language, which the main process chooses. */
import { expect, it } from 'vitest'
import { loadTexts } from '../../text/index.ts'
import { openTestDesktop } from '../support/test-desktop.ts'

const SOON = { timeout: 10_000 }

it.each([
  ['the first language in LANGUAGE', { LANG: 'de_DE.UTF-8', LANGUAGE: 'fr:de' }, 'fr', 'fr'],
  ['English if the app has no texts in the user’s language', { LANG: 'it_IT.UTF-8', LANGUAGE: 'it' }, 'it', 'en'],
] as const)('window and tray use %s', async (_, env, locale, language) => {
  const desk = await openTestDesktop()
  const panel = await desk.startPanel()
  const { app, window } = await desk.start({ env })
  const page = await window()
  const texts = await loadTexts(locale)
  const shows = async () => ({
    locale: await app.evaluate((electron) => electron.app.getLocale()),
    language: await page.evaluate(() => document.documentElement.lang),
    heading: await page.getByRole('heading', { level: 1 }).textContent(),
    tray: (await panel.tooltip()).split('\n')[0],
  })
  const same = {
    locale,
    language,
    heading: texts.signIn.heading,
    tray: texts.tray.tooltip(texts.state.signedOut),
  }
  await expect.poll(shows, SOON).toEqual(same)

  // Changes Chromium's navigator.language, but not Electron's locale of the app.
  const tools = await page.context().newCDPSession(page)
  await tools.send('Emulation.setUserAgentOverride', { userAgent: 'Chromium', acceptLanguage: 'pt-BR' })
  await page.reload()
  await expect(page.evaluate(() => navigator.language)).resolves.toBe('pt-BR')
  await expect.poll(shows, SOON).toEqual(same)
})
