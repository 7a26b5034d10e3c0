import { onEnd, stopAll } from './run/process.mjs'
import { duration, main, SetUpError, say } from './run/say.mjs'
import { ensurePackages } from './setup/packages.mjs'
import { add, NOTHING, sentence } from './test/count.mjs'
import { whyNoWindows, windowsTests, wineTests } from './windows/check.mjs'
import { stopWine } from './windows/wine.mjs'

/**
 * `npm run test:windows`: uses Node for Windows to run every test that needs no Electron. On Linux it uses Wine, and
 * also runs the tests that open Latchkey's files with Wine's own programs. With folders as arguments, it runs only the
 * tests in these folders.
 */
await main(async () => {
  const began = performance.now()
  onEnd(
    () =>
      void stopAll()
        .then(stopWine)
        .finally(() => process.exit(130)),
  )
  await ensurePackages()
  const reason = process.platform === 'win32' ? undefined : await whyNoWindows()
  if (reason !== undefined) throw new SetUpError(reason)
  const folders = process.argv.slice(2)
  const isWhole = process.platform !== 'win32' && folders.length === 0
  const count = add(await windowsTests(folders), isWhole ? await wineTests() : NOTHING)
  process.once('exit', () => say(`${sentence(count)}, in ${duration(performance.now() - began)}`))
  return count.failed === 0 ? 0 : 1
})
