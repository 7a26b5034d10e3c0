/**
 * Loaded first under Wine. Wine refuses keep-alive for a socket that isn't connected yet; Windows doesn't. `fetch` sets
 * it before the socket is connected.
 */
const { Socket } = require('node:net')

const { setKeepAlive } = Socket.prototype
Socket.prototype.setKeepAlive = function (...args) {
  if (this.connecting) this.once('connect', () => setKeepAlive.apply(this, args))
  else setKeepAlive.apply(this, args)
  return this
}
