import type { Format } from '../format.ts'

export const enCheckComputer = (format: Format) => ({
  run: 'Check this computer',
  running: 'Checking…',
  progress: (done: number, total: number, failed: number): string =>
    `Checking… ${done} of ${total}${failed > 0 ? `, ${failed} failed` : ''}`,
  states: { ok: 'OK', warning: 'Warning', failed: 'Failed', skipped: 'Skipped' },
  line: (name: string, sentence: string): string => `${name}: ${sentence}`,
  summary: (failed: number, warnings: number): string => {
    const counted = [
      ...(failed > 0 ? [format.plural(failed, { one: 'one check failed', other: `${failed} checks failed` })] : []),
      ...(warnings > 0 ? [format.plural(warnings, { one: 'one warning', other: `${warnings} warnings` })] : []),
    ]
    return counted.length === 0 ? 'No problems found.' : `Result: ${counted.join(', ')}.`
  },
})
