/**
 * Under Wine, Node loads this first. `fetch` turns on keep-alive before its socket is connected, which Windows allows
 * and Wine doesn't: this delays it.
 */
const { Socket } = require('node:net')

const { setKeepAlive } = Socket.prototype
Socket.prototype.setKeepAlive = function (...args) {
  if (this.connecting) this.once('connect', () => setKeepAlive.apply(this, args))
  else setKeepAlive.apply(this, args)
  return this
}
