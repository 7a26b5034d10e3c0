import { describe, expect, it } from 'vitest'
import { settle } from '../../test/support/manual-time.ts'
import { HOUR, MINUTE, type ModelDesktop, SECOND, startedDesktop } from '../../test/support/session/model-desktop.ts'

const operations = ({ service }: ModelDesktop) => service.log.slice(1).map((line) => line.split(' ')[0])

async function signedOut(logout: Parameters<ModelDesktop['answer']>[0]['logout']): Promise<ModelDesktop> {
  const desktop = await startedDesktop('ana')
  desktop.answer({ logout })
  void desktop.session.signOut()
  await settle()
  return desktop
}

async function twoToRevoke(): Promise<ModelDesktop> {
  const desktop = await signedOut('unreachable')
  await desktop.signIn('ben')
  void desktop.session.signOut()
  await settle()
  expect(desktop.pending).toHaveLength(2)
  return desktop
}

describe('a revocation', () => {
  it('refreshes first if there is no access token, and stores the new refresh token before it is revoked', async () => {
    const desktop = await signedOut('unreachable')
    const [before] = desktop.pending
    desktop.answer({ logout: undefined })
    await desktop.restart()
    expect(operations(desktop)).toEqual(['logout', 'refresh', 'logout'])
    expect(desktop.pending).toEqual([desktop.service.pending[0]?.sent])
    expect(desktop.pending).not.toEqual([before])
  })

  it('is retried with a fresh access token if it is refused, and given up after three refusals', async () => {
    const desktop = await signedOut('refuse')
    expect(operations(desktop)).toEqual(['logout', 'refresh', 'logout'])
    expect(desktop.state).toMatchObject({ revocation: 'pending' })
    await desktop.pass(MINUTE)
    expect(desktop.summary).toBe('signedOut (refused), ana, nothing')
    expect(desktop.time.pending()).toBe(0)
    desktop.answer({})
    await desktop.signIn('ben')
    await desktop.session.signOut()
    expect(desktop.state).toMatchObject({ revocation: 'done' })
  })

  it('is given up as not possible if the issuer’s metadata stays missing', async () => {
    const desktop = await signedOut('noMetadata')
    expect(desktop.pending).toHaveLength(1)
    await desktop.pass(MINUTE)
    expect(desktop.summary).toBe('signedOut (notPossible), ana, nothing')
    expect(desktop.time.pending()).toBe(0)
  })

  it('is retried until it is done while the service can’t be reached, and at once on wake', async () => {
    for (const isWoken of [false, true]) {
      const desktop = await signedOut('unreachable')
      await desktop.pass(HOUR)
      expect(desktop.state).toMatchObject({ revocation: 'pending' })
      desktop.answer({})
      if (isWoken) desktop.session.wake()
      await desktop.pass(isWoken ? 0 : 10 * MINUTE)
      expect(desktop.summary).toBe('signedOut (done), nobody, nothing')
    }
  })

  it('respects Retry-After, even on wake', async () => {
    const desktop = await signedOut({ retryAfter: 600 })
    desktop.answer({})
    await desktop.pass(599 * SECOND)
    desktop.session.wake()
    await settle()
    expect(operations(desktop)).toEqual(['logout'])
    await desktop.pass(2 * SECOND)
    expect(desktop.summary).toMatch(/^signedOut .*, nobody, nothing$/)
  })

  it('waits during a sign-in, because a service may issue the same token again', async () => {
    const desktop = await signedOut('unreachable')
    desktop.answer({ login: undefined })
    await desktop.signIn('ben')
    await desktop.pass(20 * SECOND)
    expect(operations(desktop)).toEqual(['logout', 'login'])
    expect(desktop.pending).toHaveLength(1)
    desktop.session.signIn.cancel()
    await settle()
    expect(desktop.summary).toMatch(/^signedOut .*, nobody, nothing$/)
  })
})

describe('the list of revocations', () => {
  it('goes on with the next token if one fails, even if that is added during the work', async () => {
    const desktop = await signedOut(undefined)
    const [first] = desktop.pending
    await desktop.signIn('ben')
    void desktop.session.signOut()
    await settle()
    desktop.service.answering = ({ sent }) => (sent === first ? 'unreachable' : 'reply')
    await desktop.reply('unreachable')
    expect([desktop.summary, desktop.pending]).toEqual(['signedOut (pending), ana, revocations', [first]])
  })

  it('isn’t continued when the app stops, but the request under way is awaited', async () => {
    const desktop = await twoToRevoke()
    const before = operations(desktop).length
    desktop.answer({ logout: undefined })
    desktop.session.wake()
    await settle()
    const stopped = desktop.session.stop()
    await desktop.reply()
    await stopped
    expect(operations(desktop).slice(before)).toEqual(['logout'])
    expect(desktop.summary).toBe('signedOut (pending), ben, revocations')
    expect(desktop.time.pending()).toBe(0)
  })
})
