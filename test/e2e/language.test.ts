/** Window and tray have one language, which the main process chooses. */
import { expect, it } from 'vitest'
import { ANA } from '../../demo/users.ts'
import { loadTexts } from '../../text/index.ts'
import { openTestDesktop } from '../support/test-desktop.ts'

const SOON = { timeout: 10_000 }

it.each([
  ['the first of several languages', { LANG: 'de_DE.UTF-8', LANGUAGE: 'fr:de' }, 'fr', 'fr'],
  ['English if there are no words in the language', { LANG: 'it_IT.UTF-8', LANGUAGE: 'it' }, 'it', 'en'],
] as const)('%s', async (_, env, locale, language) => {
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

it('LC_TIME decides how the window formats times, but not the language of their words', async () => {
  const desk = await openTestDesktop()
  const app = await desk.start({ env: { LANG: 'de_DE.UTF-8', LANGUAGE: '', LC_TIME: 'en_US.UTF-8' } })
  const page = await app.window()
  const { signIn, buttons } = await loadTexts('de')
  await page.getByRole('heading', { name: signIn.heading }).waitFor()
  await page.getByRole('textbox').first().fill(ANA.username)
  await page.locator('input[type=password]').fill(ANA.password)
  await page.getByRole('button', { name: buttons.signIn, exact: true }).click()
  // During an outage, the window says until when tools have a token.
  const person = page.getByRole('button', { name: 'Ana Duarte' })
  await person.waitFor()
  await desk.service.pause()
  await person.click()
  await page.getByRole('menuitem', { name: buttons.refreshNow }).click()
  await expect.poll(() => page.locator('body').innerText(), SOON).toMatch(/\d:\d\d\s[AP]M/)
})
