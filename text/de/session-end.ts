import type { Texts } from '../en/index.ts'
import type { Format } from '../format.ts'
import type { DeKeychain } from './keychain.ts'

export const deSessionEnd = (format: Format, keychain: DeKeychain): Texts['sessionEnd'] => ({
  until: (at, now, by) =>
    `Sie bleiben bis etwa ${format.moment(at, now)} angemeldet: ${
      {
        service: 'Das gibt Ihr Dienst vor',
        identityProvider: 'Das gibt Ihr Identitätsanbieter vor',
        earlierSessions: 'So lange dauerten Ihre letzten Sitzungen',
      }[by]
    }.`,
  atLeast: (at, now) => `Sie bleiben mindestens bis ${format.moment(at, now)} angemeldet.`,
  noLimit: 'Sie bleiben angemeldet: Ihr Identitätsanbieter setzt keine Grenze.',
  notKnown: (by) => `Ihr ${by === 'service' ? 'Dienst' : 'Identitätsanbieter'} sagt nicht, wann Ihre Sitzung endet.`,
  soon: (at, now) => `Ihre Sitzung endet etwa um ${format.moment(at, now)}`.replace(/ um (?=\D)/, ' '),
  soonBody: (by) =>
    `${
      {
        service: 'Das gibt Ihr Dienst vor',
        identityProvider: 'Das gibt Ihr Identitätsanbieter vor',
        earlierSessions: 'So lange dauerten Ihre letzten Sitzungen',
      }[by]
    }. Melden Sie sich vorher erneut an, dann arbeiten Ihre Programme weiter.`,
  notification: (host, at, now) => ({
    title: 'Ihre Sitzung läuft ab',
    body: `Ihre Sitzung bei ${host ?? 'Ihrem Dienst'} dauert noch bis etwa ${format.moment(at, now)}. Melden Sie sich vorher erneut an, dann arbeiten Ihre Programme weiter.`,
  }),
  whatEnds: {
    heading: 'Was Ihre Sitzung beendet',
    ends: [
      'Sie melden sich ab, hier oder mit latchkey sign-out.',
      'Sie melden sich als jemand anderes an oder entfernen die Verbindung.',
      `Sie beenden Latchkey, und die Sitzung ist nicht ${keychain.inIhrem} gespeichert.`,
      'Die Sitzung erreicht die Grenze, die Ihr Dienst oder Identitätsanbieter setzt.',
      'Ihr Passwort wird anderswo geändert, und der Anbieter beendet daraufhin alle Sitzungen.',
      'Ihre IT entfernt die Verbindung.',
      `Ihr Eintrag ${keychain.inIhrem} wird gelöscht, während Latchkey nicht läuft.`,
    ],
    keepsHeading: 'Was sie nicht beendet',
    keeps: [
      `Das Fenster schließen, oder Latchkey beenden, wenn die Sitzung ${keychain.inIhrem} gespeichert ist.`,
      `Sich am Computer abmelden oder ihn neu starten, wenn die Sitzung ${keychain.inIhrem} gespeichert ist.`,
      'Ruhezustand. Viele Anbieter beenden aber eine Sitzung, die lange nicht erneuert wird.',
      'Netzwerk, VPN oder Dienst sind stundenlang nicht da.',
      'Das Passwort in Latchkey ändern.',
    ],
  },
})
