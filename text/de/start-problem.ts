import { assertNever } from '../../contract/assert-never.ts'
import type { StartProblem } from '../../contract/start-problem.ts'

export function deStartProblem(problem: StartProblem): string {
  switch (problem.code) {
    case 'notPrivate':
      return `Der Datenordner muss privat sein, aber ${problem.path} gehört einem anderen Benutzer, oder andere können dort schreiben. Ändern Sie das, oder wenden Sie sich an Ihre IT.`
    case 'notCreatable':
      return `Der Datenordner ${problem.path} kann nicht angelegt werden (${problem.cause}). Prüfen Sie die übergeordneten Ordner.`
    case 'tilde':
      return `--user-data-dir=${problem.given} ist kein Pfad, weil die Shell das ~ nicht ersetzt hat. Geben Sie den vollständigen Pfad an.`
    case 'unusable':
      return `Der Datenordner aus ${problem.source} kann nicht verwendet werden (${problem.cause}). Korrigieren Sie den Pfad.`
    case 'notWritable':
      return `Latchkey kann nicht in seinen Datenordner ${problem.path} schreiben (${problem.cause}). Prüfen Sie den freien Speicherplatz und die Berechtigungen.`
    case 'settingsUnreadable':
      return `Latchkey kann seine Einstellungsdatei ${problem.path} nicht verwenden (${problem.cause}). Machen Sie die Datei lesbar, und starten Sie Latchkey neu.`
    case 'otherListener':
      return `Ein anderes Programm belegt die Sperre im Datenordner ${problem.path} und antwortet nicht. Beenden Sie dieses Programm, und starten Sie Latchkey neu.`
    case 'notResponding':
      return `Latchkey läuft bereits (Prozess ${problem.pid}), antwortet aber nicht. Warten Sie einen Moment, oder beenden Sie diesen Prozess, und starten Sie Latchkey neu.`
    default:
      return assertNever(problem)
  }
}
