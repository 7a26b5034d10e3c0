/**
 * Loaded before anything else under Wine, which refuses keep-alive to a socket that isn't connected yet; Windows doesn't.
 * `fetch` asks for it at that moment.
 */
const { Socket } = require('node:net')

const { setKeepAlive } = Socket.prototype
Socket.prototype.setKeepAlive = function (...args) {
  if (this.connecting) this.once('connect', () => setKeepAlive.apply(this, args))
  else setKeepAlive.apply(this, args)
  return this
}
