import { describeSecretStore } from '../../test/support/store-contract.ts'
import { MemoryStore } from './memory-store.ts'

describeSecretStore('memory', async () => new MemoryStore())
