/** The disk with the data folder fills up while the app runs. The keychain is elsewhere, and works. */
import { execFileSync } from 'node:child_process'
import { appendFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ANA } from '../../demo/users.ts'
import { type Desk, openDesk } from '../support/desk.ts'
import { storedToken } from '../support/entry.ts'
import { ordinaryUser } from '../support/ordinary-user.ts'
import { leaveOut } from '../support/systems.ts'

const CHUNK = Buffer.alloc(64 * 1024, 1)

/** Puts the data folder on a disk of its own. */
function onSmallDisk({ dataFolder }: Desk) {
  const { uid, gid } = ordinaryUser() ?? { uid: 0, gid: 0 }
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=64m,uid=${uid},gid=${gid},mode=0700`, 'tmpfs', dataFolder])
  onTestFinished(() => {
    execFileSync('umount', ['--lazy', dataFolder])
  })
  const filler = path.join(dataFolder, 'filler')
  return {
    fill() {
      for (const size of [CHUNK.length, 1]) {
        try {
          for (;;) appendFileSync(filler, CHUNK.subarray(0, size))
        } catch (error) {
          if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
        }
      }
    },
    free: () => rmSync(filler),
  }
}

const canMount = process.platform === 'linux' && process.getuid?.() === 0

describe('on a full disk', leaveOut(!canMount, 'only root on Linux can mount a small disk'), () => {
  it('signing out and in works at once, and a sign-out lasts after a restart', async () => {
    const desk = await openDesk()
    const disk = onSmallDisk(desk)
    const first = await desk.start()
    const window = await first.open()
    await window.signIn(ANA)
    await window.signedIn.waitFor()
    disk.fill()
    await window.signOut()
    await expect.poll(() => desk.count('logout')).toBe(1)
    await expect(storedToken(desk)).resolves.toBeUndefined()
    await window.signIn(ANA)
    await window.signedIn.waitFor()
    await window.signOut()
    await expect.poll(() => desk.count('logout')).toBe(2)
    await first.quit()
    disk.free()

    const second = await desk.start()
    await (await second.open()).username.waitFor()
    await expect.poll(() => desk.settings()).toMatchObject({ markers: {} })
    expect(desk.count('login')).toBe(2)
  })
})
