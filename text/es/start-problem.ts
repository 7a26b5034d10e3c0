import { assertNever } from '../../contract/assert-never.ts'
import type { StartProblem } from '../../contract/start-problem.ts'

export function esStartProblem(problem: StartProblem): string {
  switch (problem.code) {
    case 'notPrivate':
      return `La carpeta de datos debe ser privada, pero ${problem.path} pertenece a otro usuario, u otros pueden escribir en ella. Corrígelo o consulta a tu administrador.`
    case 'notCreatable':
      return `No se puede crear la carpeta de datos ${problem.path} (${problem.cause}). Comprueba las carpetas superiores.`
    case 'tilde':
      return `--user-data-dir=${problem.given} no es una ruta, porque la shell no ha sustituido el ~. Escribe la ruta completa.`
    case 'unusable':
      return `No se puede usar la carpeta de datos indicada en ${problem.source} (${problem.cause}). Corrige la ruta.`
    case 'notWritable':
      return `Latchkey no puede escribir en su carpeta de datos ${problem.path} (${problem.cause}). Comprueba el espacio libre y los permisos.`
    case 'settingsUnreadable':
      return `Latchkey no puede usar su archivo de ajustes ${problem.path} (${problem.cause}). Haz que se pueda leer y vuelve a iniciar Latchkey.`
    case 'otherListener':
      return `Otro programa ocupa el bloqueo de la carpeta de datos ${problem.path} y no responde. Cierra ese programa y vuelve a iniciar Latchkey.`
    case 'notResponding':
      return `Latchkey ya se está ejecutando (proceso ${problem.pid}), pero no responde. Espera un momento o finaliza ese proceso, y vuelve a iniciar Latchkey.`
    default:
      return assertNever(problem)
  }
}
