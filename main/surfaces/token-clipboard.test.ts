import { expect, test, vi } from 'vitest'
import { ManualTime } from '../../test/support/manual-time.ts'
import { DeadlineClock } from '../base/clock.ts'
import { createTokenClipboard } from './token-clipboard.ts'

const common = { env: {}, clock: new DeadlineClock(new ManualTime()) }

class ClipboardItem {
  constructor(readonly formats: Record<string, string | Blob>) {}
}

test.each<[NodeJS.Platform, string[]]>([
  ['linux', ['x-kde-passwordManagerHint']],
  [
    'win32',
    ['ExcludeClipboardContentFromMonitorProcessing', 'CanIncludeInClipboardHistory', 'CanUploadToCloudClipboard'],
  ],
  ['darwin', ['org.nspasteboard.ConcealedType', 'org.nspasteboard.TransientType']],
])('SECURITY: a copied token tells clipboard managers on %s not to keep it', async (platform, names) => {
  const written: ClipboardItem[] = []
  const selection = { readText: async () => '', clear: vi.fn() }
  const clipboard = {
    write: async (items: ClipboardItem[]) => void written.push(...items),
    readText: async () => '',
    clear: () => {},
    selection,
  }
  await createTokenClipboard({ ...common, platform, clipboard: clipboard as never, ClipboardItem }).writeText('eyJ.a')
  expect(written).toHaveLength(1)
  expect(written[0]?.formats['text/plain']).toBe('eyJ.a')
  expect(Object.keys(written[0]?.formats ?? {}).slice(1)).toEqual(
    names.map((name) => `electron application/osclipboard;format="${name}"`),
  )
  expect(selection.clear).toHaveBeenCalledTimes(platform === 'linux' ? 1 : 0)
})

test('SECURITY: on Linux, the primary selection keeps no copied token, not even with Electron before version 45', async () => {
  const texts: Record<string, string> = {}
  const clipboard = {
    readText: (type = 'clipboard') => texts[type] ?? '',
    // Like Chromium, this also writes the text to the primary selection (ui/base/clipboard/clipboard_ozone.cc).
    writeText: (text: string) => void Object.assign(texts, { clipboard: text, selection: text }),
    clear: (type = 'clipboard') => void delete texts[type],
  }
  const tokens = createTokenClipboard({ ...common, platform: 'linux', clipboard, ClipboardItem: undefined })
  await tokens.writeText('eyJ.first')
  expect(texts).toEqual({ clipboard: 'eyJ.first' })
  await expect(tokens.readText()).resolves.toBe('eyJ.first')
  await expect(tokens.selection?.readText()).resolves.toBe('')
  tokens.clear()
  expect(texts).toEqual({})
})
