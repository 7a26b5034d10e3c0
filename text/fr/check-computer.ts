import type { Texts } from '../en/index.ts'
import type { Format } from '../format.ts'

export const frCheckComputer = (format: Format): Texts['check'] => ({
  run: 'Vérifier cet ordinateur',
  running: 'Vérification…',
  progress: (done, total, failed) => `Vérification… ${done} sur ${total}${failed > 0 ? `, ${failed} en échec` : ''}`,
  states: { ok: 'Correct', warning: 'Avertissement', failed: 'Échec', skipped: 'Non effectué' },
  line: (name, sentence) => `${name} : ${sentence}`,
  summary: (failed, warnings) => {
    const counted = [
      ...(failed > 0 ? [format.plural(failed, { one: 'un échec', other: `${failed} échecs` })] : []),
      ...(warnings > 0
        ? [format.plural(warnings, { one: 'un avertissement', other: `${warnings} avertissements` })]
        : []),
    ]
    return counted.length === 0 ? 'Aucun problème détecté.' : `Résultat : ${counted.join(', ')}.`
  },
})
