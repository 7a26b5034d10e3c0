import { assertNever } from '../../contract/assert-never.ts'
import type { StartProblem } from '../../contract/start-problem.ts'

export function frStartProblem(problem: StartProblem): string {
  switch (problem.code) {
    case 'notPrivate':
      return `Le dossier de données doit être privé, mais ${problem.path} appartient à un autre utilisateur, ou d’autres peuvent y écrire. Corrigez cela, ou contactez votre administrateur.`
    case 'notCreatable':
      return `Impossible de créer le dossier de données ${problem.path} (${problem.cause}). Vérifiez les dossiers parents.`
    case 'tilde':
      return `--user-data-dir=${problem.given} n’est pas un chemin, car le shell n’a pas remplacé le ~. Indiquez le chemin complet.`
    case 'unusable':
      return `Le dossier de données indiqué par ${problem.source} est inutilisable (${problem.cause}). Corrigez le chemin.`
    case 'notWritable':
      return `Latchkey ne peut pas écrire dans son dossier de données ${problem.path} (${problem.cause}). Vérifiez l’espace libre et les droits d’accès.`
    case 'settingsUnreadable':
      return `Latchkey ne peut pas utiliser son fichier de réglages ${problem.path} (${problem.cause}). Rendez ce fichier lisible, puis relancez Latchkey.`
    case 'otherListener':
      return `Un autre programme occupe le verrou du dossier de données ${problem.path} et ne répond pas. Arrêtez ce programme, puis relancez Latchkey.`
    case 'notResponding':
      return `Latchkey est déjà lancé (processus ${problem.pid}), mais il ne répond pas. Patientez un instant, ou arrêtez ce processus, puis relancez Latchkey.`
    default:
      return assertNever(problem)
  }
}
