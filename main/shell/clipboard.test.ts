import { beforeEach, describe, expect, it } from 'vitest'
import { DeadlineClock } from '../session/clock.ts'
import { accessToken } from '../session/secret.ts'
import { HandTime } from '../session/testing/hand-time.ts'
import { TokenClipboard } from './clipboard.ts'

const TOKEN = accessToken('eyJ.first')
const SECOND = accessToken('eyJ.second')

let time: HandTime
let content: string
let tokens: TokenClipboard
/** Which of the two was held, at each change. */
let changes: string[]

describe.each([
  ['at once', <T>(value: T) => value],
  ['with promises', async <T>(value: T) => value],
] as const)('on a clipboard that answers %s, a copied access token', (_, answer) => {
  beforeEach(() => {
    time = new HandTime()
    content = 'before'
    const clipboard = {
      readText: () => answer(content),
      writeText: (text: string) => {
        content = text
        return answer(undefined)
      },
      clear: () => {
        content = ''
      },
    }
    changes = []
    const held = () => `${tokens.holds(TOKEN)} ${tokens.holds(SECOND)}`
    tokens = new TokenClipboard(clipboard, new DeadlineClock(time), () => changes.push(held()))
  })

  it('is there for 60 seconds, and then no more', async () => {
    await tokens.copy(TOKEN)
    await time.passSettling(59_999)
    expect(content).toBe('eyJ.first')
    await time.passSettling(1)
    expect(content).toBe('')
  })

  it('leaves what the user has copied since', async () => {
    await tokens.copy(TOKEN)
    content = 'a poem'
    await time.passSettling(60_000)
    expect(content).toBe('a poem')
  })

  it('copied again, stays for 60 seconds from then', async () => {
    await tokens.copy(TOKEN)
    await time.passSettling(40_000)
    await tokens.copy(SECOND)
    await time.passSettling(59_999)
    expect(content).toBe('eyJ.second')
    await time.passSettling(1)
    expect(content).toBe('')
  })

  it('is known to be there, and that no more', async () => {
    await tokens.copy(TOKEN)
    await tokens.copy(SECOND)
    await time.passSettling(60_000)
    expect(changes).toEqual(['true false', 'false true', 'false false'])
    expect(tokens.holds(undefined)).toBe(false)
  })

  it('copied again at the very end, stays', async () => {
    await tokens.copy(TOKEN)
    const clearing = tokens.clear()
    await tokens.copy(SECOND)
    await clearing
    expect(content).toBe('eyJ.second')
  })

  it('is taken away when the app quits, and leaves no timer', async () => {
    await tokens.copy(TOKEN)
    await tokens.clear()
    expect(content).toBe('')
    expect(time.pending()).toBe(0)
  })

  it('that was never copied is not looked for', async () => {
    await tokens.clear()
    await time.passSettling(120_000)
    expect(content).toBe('before')
  })
})
