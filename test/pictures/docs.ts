/**
 * `npm run look -- --docs` makes the pictures of the window in README.md and the documentation, `docs/images/*.png`. The
 * pictures of the tray and of a notebook there were taken by hand.
 */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { FIXTURES } from '../look/fixtures/index.ts'
import { openStage, STANDARD } from '../look/window.ts'
import { ROOT } from '../support/app.ts'
import prepare from '../support/ordinary-user.ts'

const VIEWS: ReadonlySet<string> = new Set(['sign-in', 'signed-in', 'unreachable'])

async function take(): Promise<void> {
  const window = await openStage()
  try {
    for (const fixture of FIXTURES.filter(({ name }) => VIEWS.has(name))) {
      await window.show(fixture)
      await window.resize(STANDARD)
      writeFileSync(path.join(ROOT, 'docs/images', `${fixture.name}.png`), await window.picture())
    }
  } finally {
    await window.stop()
  }
}

const undo = prepare()
try {
  await take()
} finally {
  await undo()
}
