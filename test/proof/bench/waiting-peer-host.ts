/** A project for peers.test.ts: one program that listens, no stores, and as many orders as were offered. */
import { servePeer, startPeerServer } from '../../../proof/bench/peers/serve-peer.ts'

const parts = { own: 'host', others: [['API', /^\S*node\b.*waiting-peer-program/]] } as const

servePeer({ parts, programs: ['API'] }, async (ground) => {
  const code = `require('node:http').createServer((_, answer) => answer.end('"RESERVED"')).listen(process.env.PORT)`
  const args = ['-e', code, 'waiting-peer-program', ground.dir]
  const { port } = await startPeerServer(ground, { name: 'api', cwd: ground.folder, args, env: {} })
  let stock = 0
  return {
    port,
    async empty() {
      stock = 0
    },
    async offer(units) {
      stock = units
    },
    orders: async () => ({ seen: stock, lastAt: 1_000_000 + stock }),
  }
})
