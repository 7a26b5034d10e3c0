/** Deutsch: die Anmeldung an einem Proxy. */
import type { Texts } from '../index.ts'

export const deProxy: Texts['proxy'] = {
  heading: (proxy) => `Am Proxy ${proxy} anmelden`,
  user: 'Name am Proxy',
  password: 'Proxy-Passwort',
  hint: 'Der Proxy Ihrer Firma fragt danach. Beides wird in Ihrem Schlüsselbund aufbewahrt.',
  refused:
    'Der Proxy nimmt diesen Namen und dieses Passwort nicht an. Prüfen Sie beides und versuchen Sie es noch einmal.',
  signIn: 'Am Proxy anmelden',
}
