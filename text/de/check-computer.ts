import type { Texts } from '../en/index.ts'
import type { Format } from '../format.ts'

export const deCheckComputer = (format: Format): Texts['check'] => ({
  run: 'Diesen Computer prüfen',
  running: 'Wird geprüft …',
  progress: (done, total, failed) =>
    `Wird geprüft … ${done} von ${total}${failed > 0 ? `, ${failed} fehlgeschlagen` : ''}`,
  states: { ok: 'In Ordnung', warning: 'Warnung', failed: 'Fehlgeschlagen', skipped: 'Übersprungen' },
  line: (name, sentence) => `${name}: ${sentence}`,
  summary: (failed, warnings) => {
    const counted = [
      ...(failed > 0 ? [format.plural(failed, { one: 'ein Fehler', other: `${failed} Fehler` })] : []),
      ...(warnings > 0 ? [format.plural(warnings, { one: 'eine Warnung', other: `${warnings} Warnungen` })] : []),
    ]
    return counted.length === 0 ? 'Keine Probleme gefunden.' : `Ergebnis: ${counted.join(', ')}.`
  },
})
