/**
 * Runs js-redis-server: `node redis-stand-in.ts <port>`. Its own command listens on every network interface without a
 * password, and delays small replies by 40 ms. Nothing else runs in this process, so sockets are patched globally.
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
