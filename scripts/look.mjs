import { buildIfNeeded } from './build.mjs'
import { main } from './run/command.mjs'
import { startDisplay } from './run/display.mjs'
import { inProject } from './run/project.mjs'
import { resolveElectron } from './setup/electron.mjs'
import { ensurePackages } from './setup/packages.mjs'
import { ensureSystem } from './setup/system.mjs'

/** `npm run look [-- VIEW...]` saves pictures of the views to `out/look`; `-- --docs` takes those for the docs. */

await main(async () => {
  // On Linux, a private display makes the pictures look the same everywhere, and no window disturbs the user.
  const ownDisplay = process.platform === 'linux'
  await ensureSystem({ display: ownDisplay, tests: true })
  await ensurePackages()
  const electron = await resolveElectron({ allowFallback: true, sandboxed: true })
  await buildIfNeeded()
  const display = ownDisplay ? await startDisplay({ openToLocalUsers: process.getuid?.() === 0 }) : undefined
  try {
    if (display) delete process.env['WAYLAND_DISPLAY']
    Object.assign(process.env, display?.env, { LATCHKEY_TEST_ELECTRON: electron.path })
    const script = inProject('test', 'pictures', 'views.ts')
    // Node 20 can't run TypeScript.
    await (await import('vite')).runnerImport(script, { configFile: false, root: inProject() })
    return 0
  } finally {
    await display?.stop()
  }
})
