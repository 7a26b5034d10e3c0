import { spawn } from 'node:child_process'
import { expect, it, onTestFinished } from 'vitest'
import { ANA } from '../../demo/users.ts'
import { readSelection, type Selection } from '../../main/surfaces/x11-selection.ts'
import { askAgent, SERVES } from '../support/ask-agent.ts'
import { call } from '../support/calls.ts'
import { recordMessages } from '../support/renderer.ts'
import { openSignedIn } from '../support/test-desktop.ts'

/** Electron's own clipboard would block the app for 18 seconds, which is longer than this timeout. */
const SOON = { timeout: 10_000 }

const textOf = (selection: Selection) => readSelection(selection, process.env, AbortSignal.timeout(10_000))

async function copyElsewhere(selection: Selection, text: string) {
  const args = ['-in', '-quiet', '-selection', selection.toLowerCase()]
  const program = spawn('xclip', args, { stdio: ['pipe', 'ignore', 'ignore'] })
  onTestFinished(() => void program.kill('SIGKILL'))
  program.stdin.end(text)
  await expect.poll(() => textOf(selection)).toBe(text)
  return program
}

it.skipIf(process.platform !== 'linux')(
  'SECURITY: a sign-out removes a copied token, and the agent answers while a program that owns the clipboard hangs',
  async () => {
    const { desk, app, window } = await openSignedIn()
    const messages = await recordMessages(app.app)
    await call(window.page, 'copyToken')
    const copied = await textOf('CLIPBOARD')
    expect(desk.service.issuedSecrets()).toContain(copied)
    expect(JSON.stringify(await messages())).not.toContain(copied)
    await expect(textOf('PRIMARY')).resolves.toBe('')
    await window.signOut()
    await expect.poll(() => textOf('CLIPBOARD')).toBe('')

    await window.signIn(ANA)
    await call(window.page, 'copyToken')
    const programs = [await copyElsewhere('CLIPBOARD', 'a poem'), await copyElsewhere('PRIMARY', 'a song')]
    for (const program of programs) program.kill('SIGSTOP')
    await window.signOut()
    await expect.poll(() => askAgent(desk), SOON).toMatch(SERVES)
    await app.quit()
  },
)
