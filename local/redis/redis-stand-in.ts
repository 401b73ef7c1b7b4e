/**
 * js-redis-server as a program of its own: `node redis-stand-in.ts <port>`. Its own command listens
 * on every network interface without a password, and waits 40 ms for more bytes before it sends a
 * small reply. Nothing else runs in this process, so its sockets are corrected globally.
 */
import { Server } from 'node:net'
import { createRedisServer } from 'js-redis-server'
import { loopback } from '../ports.ts'

const { listen } = Server.prototype
Object.assign(Server.prototype, {
  listen(this: Server, port: number) {
    this.on('connection', (socket) => socket.setNoDelay(true))
    return Reflect.apply(listen, this, [{ port, host: loopback }])
  },
})

await createRedisServer({ port: Number(process.argv[2]) })
