import { buildClients } from './clients/build.mjs'
import { main } from './run/say.mjs'

/** `node scripts/clients.mjs`: packs the client libraries into `out/clients`. */
await main(async () => {
  const { code, output } = await buildClients()
  console.log(output)
  return code
})
