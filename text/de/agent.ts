import type { Texts } from '../en/index.ts'
import type { Format } from '../format.ts'

export const deAgent = (format: Format): Texts['agent'] => ({
  used: (count, lastAt, now) =>
    format.plural(count, {
      one: format.ago(lastAt, now),
      other: `${format.ago(lastAt, now)} · ${format.number(count)}-mal`,
    }),
  more: (count) => `und ${format.number(count)} weitere`,
  fewer: 'Weniger anzeigen',
  unused: 'Noch hat kein Programm ein Zugriffstoken angefordert.',
  off: 'Sie haben das in den Einstellungen ausgeschaltet.',
  offByAdministrator: 'Ihre IT hat Token für Programme ausgeschaltet.',
  turnOn: 'Einschalten',
  errorTitle: 'Programme bekommen kein Token',
  error: (error) => {
    const { path } = error
    switch (error.kind) {
      case 'pathTooLong':
        return `${path} ist zu lang für einen Socket (${format.number(error.bytes)} Bytes). Setzen Sie LATCHKEY_SOCKET auf einen Pfad von höchstens ${format.number(error.most)} Bytes.`
      case 'pathNotAbsolute':
        return 'LATCHKEY_SOCKET ist kein absoluter Pfad. Setzen Sie die Variable auf einen absoluten Pfad, oder entfernen Sie sie.'
      case 'inUse':
        return `Eine andere Latchkey-Instanz verwendet bereits ${path}. Beenden Sie sie, oder setzen Sie LATCHKEY_SOCKET auf einen anderen Pfad.`
      case 'notASocket':
        return `${path} ist vorhanden, aber kein Socket. Verschieben Sie es, oder setzen Sie LATCHKEY_SOCKET auf einen anderen Pfad.`
      case 'folderMissing':
        return `Den Ordner ${path} gibt es nicht. Legen Sie ihn an, oder setzen Sie LATCHKEY_SOCKET auf einen anderen Pfad.`
      case 'folderUnsafe':
        return `${path} ist nicht privat: Der Ordner gehört einem anderen Benutzer, oder andere können darin schreiben. Wenden Sie sich an Ihre IT.`
      case 'refused':
        return `Latchkey kann ${path} nicht verwenden (${error.cause}). Wenden Sie sich an Ihre IT.`
    }
  },
})
