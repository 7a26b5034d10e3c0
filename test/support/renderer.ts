import type { ElectronApplication, Page } from 'playwright-core'
import { type Evidence, evidence } from './leaks.ts'

/** All JavaScript values of the page, as Chromium's own tools save them. */
export async function heapOf(page: Page): Promise<Evidence> {
  const tools = await page.context().newCDPSession(page)
  const chunks: string[] = []
  tools.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => chunks.push(chunk))
  await tools.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false })
  await tools.detach()
  return evidence('the heap snapshot', chunks.join(''))
}

export async function storagesOf(page: Page): Promise<Evidence> {
  const stored = await page.evaluate(async () => ({
    document: document.documentElement.outerHTML,
    fields: [...document.querySelectorAll('input')].map((input) => input.value),
    history: JSON.stringify(history.state),
    local: { ...localStorage },
    session: { ...sessionStorage },
    cookies: document.cookie,
    databases: await indexedDB.databases().catch(() => []),
    caches: await caches.keys().catch(() => []),
  }))
  return evidence('the page’s storages', JSON.stringify(stored))
}

interface Recorded {
  readonly channel: string
  readonly args: string
}

/** Records every message and answer to any renderer from now on. */
export async function recordMessages(app: ElectronApplication): Promise<() => Promise<readonly Recorded[]>> {
  const recording = await app.evaluateHandle(({ ipcMain, webContents }) => {
    const recorded: Recorded[] = []
    const record = (channel: string, args: unknown) => recorded.push({ channel, args: JSON.stringify(args) ?? '' })
    const [contents] = webContents.getAllWebContents()
    if (contents === undefined) throw new Error('there is no window to record')

    // All messages go through a frame: `webContents.send` and `event.reply` use one.
    const frames = Object.getPrototypeOf(contents.mainFrame) as Record<string, (...args: unknown[]) => unknown>
    for (const name of ['send', 'postMessage']) {
      const plain = frames[name]
      if (plain === undefined) throw new Error(`WebFrameMain has no ${name}`)
      frames[name] = function (this: unknown, channel: unknown, ...args: unknown[]) {
        record(String(channel), args)
        return plain.call(this, channel, ...args)
      }
    }
    // Answers can be watched only in Electron's internal map of handlers.
    const { _invokeHandlers: handlers } = ipcMain as unknown as {
      _invokeHandlers: Map<string, (...args: unknown[]) => unknown>
    }
    for (const [channel, plain] of handlers) {
      handlers.set(channel, async (event, ...args) => {
        const answer = await plain(event, ...args)
        record(channel, answer)
        return answer
      })
    }
    return recorded
  })
  return () => recording.jsonValue()
}
