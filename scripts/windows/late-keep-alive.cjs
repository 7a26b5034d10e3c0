/** `fetch` turns on keep-alive before its socket is connected: Windows allows that, Wine doesn't. So this delays it. */
const { Socket } = require('node:net')

const { setKeepAlive } = Socket.prototype
Socket.prototype.setKeepAlive = function (...args) {
  if (this.connecting) this.once('connect', () => setKeepAlive.apply(this, args))
  else setKeepAlive.apply(this, args)
  return this
}
