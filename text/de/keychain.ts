/** German: what each operating system calls its store for secrets. */
import type { System } from '../system.ts'

const LOST = { explanation: 'Sie wurde entfernt.', recovery: 'Melden Sie sich an, um eine neue Sitzung zu beginnen.' }
const KEYRING = {
  name: 'Schlüsselbund',
  Ihr: 'Ihr Schlüsselbund',
  Ihren: 'Ihren Schlüsselbund',
  inIhrem: 'in Ihrem Schlüsselbund',
  er: 'er',
  ihn: 'ihn',
}
const MANAGER = 'Anmeldeinformationsverwaltung'

const keychains = {
  linux: {
    ...KEYRING,
    none: 'Dieser Desktop hat keinen Schlüsselbund',
    /** Possible reasons why a session isn't in the keychain. */
    explanation: 'Sie wurde entfernt, oder sie ist in einem Schlüsselbund, der nicht geöffnet ist.',
    recovery: `${LOST.recovery} Oder öffnen Sie den anderen Schlüsselbund und prüfen Sie erneut.`,
  },
  macos: { ...KEYRING, none: 'Der Schlüsselbund ist nicht verfügbar', ...LOST },
  windows: {
    name: MANAGER,
    Ihr: `Die ${MANAGER}`,
    Ihren: `die ${MANAGER}`,
    inIhrem: `in der ${MANAGER}`,
    er: 'sie',
    ihn: 'sie',
    none: `Die ${MANAGER} ist nicht verfügbar`,
    ...LOST,
  },
}

export const deKeychain = (system: System) => keychains[system]

export type DeKeychain = ReturnType<typeof deKeychain>
