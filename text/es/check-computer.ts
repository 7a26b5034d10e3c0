import type { Texts } from '../en/index.ts'
import type { Format } from '../format.ts'

export const esCheckComputer = (format: Format): Texts['check'] => ({
  run: 'Comprobar este equipo',
  running: 'Comprobando…',
  progress: (done, total, failed) => `Comprobando… ${done} de ${total}${failed > 0 ? `, ${failed} con error` : ''}`,
  states: { ok: 'Correcto', warning: 'Aviso', failed: 'Error', skipped: 'Omitido' },
  line: (name, sentence) => `${name}: ${sentence}`,
  summary: (failed, warnings) => {
    const counted = [
      ...(failed > 0 ? [format.plural(failed, { one: 'un error', other: `${failed} errores` })] : []),
      ...(warnings > 0 ? [format.plural(warnings, { one: 'un aviso', other: `${warnings} avisos` })] : []),
    ]
    return counted.length === 0 ? 'No se han encontrado problemas.' : `Resultado: ${counted.join(', ')}.`
  },
})
