import type { System } from '../system.ts'

const LOST = { explanation: 'Sie wurde entfernt.', recovery: 'Melden Sie sich an, um eine neue Sitzung zu beginnen.' }
const KEYRING = {
  name: 'Schlüsselbund',
  Ihr: 'Ihr Schlüsselbund',
  inIhrem: 'in Ihrem Schlüsselbund',
  ihn: 'ihn',
  unwritable: 'Er ist vielleicht gesperrt oder fehlt, oder die Festplatte ist voll',
  unlock: 'Falls er gesperrt ist, entsperren Sie ihn. Versuchen Sie es dann erneut.',
}
const MANAGER = 'Anmeldeinformationsverwaltung'

const keychains = {
  linux: {
    ...KEYRING,
    none: 'Dieser Desktop hat keinen Schlüsselbund',
    explanation: 'Sie wurde entfernt, oder sie ist in einem Schlüsselbund, der nicht geöffnet ist.',
    recovery: `${LOST.recovery} Oder öffnen Sie den anderen Schlüsselbund und prüfen Sie erneut.`,
  },
  macos: { ...KEYRING, none: 'Der Schlüsselbund ist nicht verfügbar', ...LOST },
  windows: {
    name: MANAGER,
    Ihr: `Die ${MANAGER}`,
    inIhrem: `in der ${MANAGER}`,
    ihn: 'sie',
    unwritable: 'Vielleicht ist die Festplatte voll',
    unlock: 'Versuchen Sie es erneut. Passiert es wieder, zeigen Sie Ihrer IT die Einzelheiten.',
    none: `Die ${MANAGER} ist nicht verfügbar`,
    ...LOST,
  },
}

export const deKeychain = (system: System) => keychains[system]

export type DeKeychain = ReturnType<typeof deKeychain>
