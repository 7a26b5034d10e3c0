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

const PROBLEMS: { readonly [Code in StartProblem['code']]: Extract<StartProblem, { code: Code }> } = {
  notPrivate: { code: 'notPrivate', path: '/a/folder' },
  notCreatable: { code: 'notCreatable', path: '/a/folder', cause: 'ENOSPC' },
  tilde: { code: 'tilde', given: '~/folder' },
  unusable: { code: 'unusable', source: 'XDG_CONFIG_HOME', cause: 'ENAMETOOLONG' },
  notWritable: { code: 'notWritable', path: '/a/folder', cause: 'EROFS' },
  settingsUnreadable: { code: 'settingsUnreadable', path: '/a/file', cause: 'EISDIR' },
  otherListener: { code: 'otherListener', path: '/a/folder' },
  notResponding: { code: 'notResponding', pid: 4711 },
}

it.each(LANGUAGES)('a dialog says in the system’s language why Latchkey can’t start: %s', async (language) => {
  locale.now = language
  const { desktop } = await loadTexts(language)
  for (const problem of Object.values(PROBLEMS)) {
    await showStartProblem(problem)
    const { message, detail } = shown.at(-1) ?? {}
    expect(message).toBe(desktop.notStarted)
    const { code, ...values } = problem
    for (const value of Object.values(values)) expect(detail, code).toContain(String(value))
    expect(detail === enStartProblem(problem), code).toBe(language === 'en')
  }
})
