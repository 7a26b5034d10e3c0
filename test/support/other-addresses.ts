import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'

/** This computer's addresses, except 127.0.0.1, at which something listens on this port. */
export async function otherAddressesOf(port: number): Promise<string[]> {
  const external = Object.values(networkInterfaces())
    .flat()
    .flatMap((each) => (each && !each.internal && each.family === 'IPv4' ? [each.address] : []))
  // Only on Linux does the loopback interface have all of 127.0.0.0/8.
  const inside = process.platform === 'linux' ? ['::1', '127.0.0.2'] : ['::1']
  const reached: string[] = []
  for (const host of [...external, ...inside]) {
    const isReached = await new Promise((resolve) => {
      const socket = connect(port, host)
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
      socket.once('connect', () => socket.destroy())
    })
    if (isReached) reached.push(host)
  }
  return reached
}
