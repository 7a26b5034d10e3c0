/** A server other than the data service. It records credentials, and answers 401 to requests that have none. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export class OtherServer {
  /** Each request's Authorization header, or `none`. */
  readonly shown: string[] = []
  readonly #server = createServer(({ headers }, response) => {
    const { authorization = 'none' } = headers
    this.shown.push(authorization)
    response.writeHead(authorization === 'none' ? 401 : 200).end()
  })

  start(address = '127.0.0.1', port = 0): Promise<void> {
    return new Promise((resolve) => this.#server.listen(port, address, () => resolve()))
  }

  /** An address on this machine. Because of its port, its origin differs from the data service's. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  stop(): Promise<void> {
    this.#server.closeAllConnections()
    return new Promise((resolve) => this.#server.close(() => resolve()))
  }
}
