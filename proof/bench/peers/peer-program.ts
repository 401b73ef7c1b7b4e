/** Starts a program of another project with the Node that runs this, its output in a file. */
import { join } from 'node:path'
import { type ChildExit, reasonOf, spawnChild } from '../../../local/child.ts'
import { type ListeningChild, startListeningChild } from '../../../local/listening-child.ts'
import type { PeerGround } from './serve-peer.ts'

/** `args` are those of Node; `cwd` is below the folder of the project. */
type PeerProgram = { name: string; cwd: string; args: readonly string[]; env: Record<string, string> }

// Standard error stays with the starter, which shows its last lines when the program ends.
const script = 'cd "$1" && log="$2" && export PORT="$3" && shift 3 && exec "$@" >"$log"'

const shellArgs = ({ dir }: PeerGround, { name, cwd, args }: PeerProgram, port: number) => [
  ...['-c', script, 'sh', cwd, join(dir, `${name}.log`), String(port)],
  ...[process.execPath, ...args],
]

const withOurs = ({ env }: PeerProgram) => ({ ...process.env, ...env })

/** Ends this process as its parent would, so that nothing is left of it: without the program there is no measurement. */
const failed = (name: string) => (exit: ChildExit) => {
  console.error(`${name} has ended: ${reasonOf(exit)}`)
  process.disconnect()
}

/** A program that listens on the port in `PORT`. */
export async function startPeerServer(ground: PeerGround, program: PeerProgram): Promise<ListeningChild> {
  const { name } = program
  return ground.keep(
    await startListeningChild({
      name,
      command: '/bin/sh',
      args: (port) => shellArgs(ground, program, port),
      env: withOurs(program),
      port: 0,
      onExit: failed(name),
    }),
  )
}

/** A program without a port. */
export function startPeerWorker(ground: PeerGround, program: PeerProgram): void {
  const { name } = program
  const args = shellArgs(ground, program, 0)
  ground.keep(spawnChild({ command: '/bin/sh', args, env: withOurs(program), onExit: failed(name) }))
}
