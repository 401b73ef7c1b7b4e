/** Starts the baseline of a rate: a bare `node:http` server in a process of its own. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** The fixed bytes that it answers. */
export type BareAnswer = { status: number; headers: Record<string, string>; body: string }

export async function startBareServer(answer: BareAnswer): Promise<{ url: string; stop(): Promise<void> }> {
  const server = fork(fileURLToPath(new URL('./bare-server.ts', import.meta.url)))
  server.send(answer)
  const [port] = await once(server, 'message')
  return {
    url: `http://127.0.0.1:${port}/`,
    async stop() {
      server.disconnect()
      await once(server, 'exit')
    },
  }
}
