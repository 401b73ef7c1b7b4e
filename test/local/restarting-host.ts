/** A host for host.test.ts: `start` returns its process id; a second start works, fails or exits, by its settings. */
import * as z from 'zod/mini'
import { serveParent } from '../../local/process/rpc.ts'

const settings = z.object({
  secondStart: z.enum(['works', 'fails', 'ends']),
  before: z.optional(z.object({ pid: z.number() })),
})

serveParent(
  {
    async start(params) {
      const { secondStart, before } = settings.parse(params)
      if (before !== undefined && secondStart === 'fails') throw new Error('Port 12000 is in use.')
      if (before !== undefined && secondStart === 'ends') process.exit(3)
      return { pid: process.pid, before: before?.pid ?? null }
    },
    pid: async () => process.pid,
    async print() {
      console.log('printed')
      console.error('printed')
    },
  },
  async () => {},
)
