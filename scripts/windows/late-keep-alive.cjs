/**
 * Loaded first under Wine, which, unlike Windows, refuses keep-alive for a socket that isn't connected yet. `fetch`
 * sets it at that moment.
 */
const { Socket } = require('node:net')

const { setKeepAlive } = Socket.prototype
Socket.prototype.setKeepAlive = function (...args) {
  if (this.connecting) this.once('connect', () => setKeepAlive.apply(this, args))
  else setKeepAlive.apply(this, args)
  return this
}
