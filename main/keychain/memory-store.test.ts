import { MemoryStore } from './memory-store.ts'
import { describeSecretStore } from './store-contract.ts'

describeSecretStore('memory', async () => new MemoryStore())
