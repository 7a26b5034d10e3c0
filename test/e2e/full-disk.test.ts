/** The disk with the data folder fills up while the app runs. The keychain is on another disk. */
import { execFileSync } from 'node:child_process'
import { appendFileSync, existsSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startDemoService } from '../../demo/service.ts'
import { ANA } from '../../demo/users.ts'
import { call, viewOf } from '../support/calls.ts'
import { answerDialogs } from '../support/dialogs.ts'
import { storedToken } from '../support/entry.ts'
import { ordinaryUser } from '../support/ordinary-user.ts'
import { leaveOut } from '../support/systems.ts'
import { openTestDesktop, type TestDesktop } from '../support/test-desktop.ts'
import type { LatchkeyWindow } from '../support/window.ts'

const BLOCK = 4096
const CHUNK = Buffer.alloc(64 * 1024, 1)

function onSmallDisk({ dataFolder }: TestDesktop) {
  const { uid, gid } = ordinaryUser() ?? { uid: 0, gid: 0 }
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=64m,uid=${uid},gid=${gid},mode=0700`, 'tmpfs', dataFolder])
  onTestFinished(() => {
    execFileSync('umount', ['--lazy', dataFolder])
  })
  const filler = path.join(dataFolder, 'filler')
  const log = path.join(dataFolder, 'logs/latchkey.log')
  return {
    fill() {
      for (const size of [CHUNK.length, 1]) {
        try {
          for (;;) appendFileSync(filler, CHUNK.subarray(0, size))
        } catch (error) {
          if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
        }
      }
      // The log could still grow within its last block, so this fills that block, too.
      if (existsSync(log)) appendFileSync(log, '\n'.repeat(BLOCK - (statSync(log).size % BLOCK)))
    },
    free: () => rmSync(filler),
  }
}

const canMount = process.platform === 'linux' && process.getuid?.() === 0

describe('on a full disk', leaveOut(!canMount, 'only root on Linux can mount a small disk'), () => {
  it('changes of the settings fail with an error, and the session can still be refreshed', async () => {
    const desk = await openTestDesktop()
    const disk = onSmallDisk(desk)
    const staging = await startDemoService()
    onTestFinished(() => staging.stop())
    const first = await desk.start({ baseUrl: null })
    await answerDialogs(first, 'confirm')
    const { page } = await signInAtFirstService(await first.open(), desk)
    const added = { name: 'staging', baseAddress: staging.address, tryAddress: false }
    await expect(call(page, 'addConnection', added)).resolves.toEqual({ ok: true })
    await expect(call(page, 'showConnection', { name: 'default' })).resolves.toEqual({ ok: true })
    const before = desk.settings()

    disk.fill()
    await expect(call(page, 'refreshNow')).resolves.toEqual({ ok: true })
    const changed = { currentPassword: ANA.password, password: 'quiet meadow train 42' }
    await expect(call(page, 'changePassword', changed)).resolves.toMatchObject({ ok: true })
    const refused = { ok: false, failure: { code: 'settingsUnwritable' } }
    await expect(call(page, 'setSwitch', { name: 'agent', enabled: false })).resolves.toMatchObject(refused)
    const other = { name: 'other', baseAddress: 'https://data.example.com', tryAddress: false }
    await expect(call(page, 'addConnection', other)).resolves.toMatchObject(refused)
    await expect(call(page, 'removeConnection', { name: 'staging' })).resolves.toMatchObject(refused)
    await expect(viewOf(page)).resolves.toMatchObject({
      session: { kind: 'active' },
      connections: [{ name: 'default' }, { name: 'staging' }],
    })
    expect(desk.settings()).toEqual(before)
    const token = await storedToken(desk)
    expect(desk.service.isRefreshTokenValid(token ?? '')).toBe(true)
    await first.quit()
    expect(first.printed().match(/can't write its log/g)).toHaveLength(1)
    expect(first.printed()).not.toContain('electron-log')

    disk.free()
    const second = await desk.start({ baseUrl: null })
    await (await second.open()).signedIn.waitFor()
  })
})

async function signInAtFirstService(window: LatchkeyWindow, desk: TestDesktop): Promise<LatchkeyWindow> {
  await window.connect(desk.service.address)
  await window.username.waitFor()
  await window.signIn(ANA)
  await expect.poll(() => storedToken(desk)).toBeDefined()
  return window
}
