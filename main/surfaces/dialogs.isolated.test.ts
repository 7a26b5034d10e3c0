import { expect, it, vi } from 'vitest'
import type { StartProblem } from '../../contract/start-problem.ts'
import { enStartProblem } from '../../text/en/start-problem.ts'
import { LANGUAGES, loadTexts } from '../../text/index.ts'

const { shown, locale } = vi.hoisted(() => ({
  shown: [] as { readonly message: string; readonly detail: string }[],
  locale: { now: 'en' },
}))
vi.mock('electron', () => ({
  app: { getLocale: () => locale.now },
  dialog: { showMessageBox: async (options: (typeof shown)[number]) => ({ response: shown.push(options) }) },
}))
const { showStartProblem } = await import('./dialogs.ts')

const PROBLEMS: readonly StartProblem[] = [
  { code: 'notCreatable', path: '/a/folder', cause: 'ENOSPC' },
  { code: 'tilde', given: '~/folder' },
  { code: 'notResponding', pid: 4711 },
]

it.each(LANGUAGES)('a dialog says in the system’s language why Latchkey can’t start: %s', async (language) => {
  locale.now = language
  const { desktop } = await loadTexts(language)
  for (const problem of PROBLEMS) {
    await showStartProblem(problem)
    const { message, detail } = shown.at(-1) ?? {}
    expect(message).toBe(desktop.notStarted)
    const { code, ...values } = problem
    for (const value of Object.values(values)) expect(detail, code).toContain(String(value))
    expect(detail === enStartProblem(problem), code).toBe(language === 'en')
  }
})
