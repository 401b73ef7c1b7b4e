/**
 * Runs another program so that it can never outlive us. A process killed with `kill -9` cannot tidy up, so the
 * tidying belongs to someone else: a small shell stands between us and the program and reads a pipe whose other
 * end only we hold. However we end, the kernel closes the pipe, and the shell stops the program. The same close
 * is how stop() asks, so the way out that matters most is the one in daily use.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { sessionNicenessFile, sessionTries } from './background.ts'

// $1 is the time to leave in tenths of a second, $2 the niceness, the rest is the command. `command -p` finds
// sleep and nice under an empty PATH. The program gets neither the pipe nor our standard input.
const guard = `
exec 3<&0
patience=$1; niceness=$2; shift 2
if [ $niceness -gt 0 ] && [ -w ${sessionNicenessFile} ]; then
  {
    tries=${sessionTries.count}
    while [ $tries -gt 0 ] && ! echo $niceness >${sessionNicenessFile}; do
      command -p sleep ${sessionTries.pauseMs / 1000}
      tries=$((tries - 1))
    done
  } </dev/null 3<&- >/dev/null 2>&1 &
fi
command -p nice -n $niceness "$@" </dev/null 3<&- &
child=$!
{
  read -r _
  kill -TERM $child 2>/dev/null
  while [ $patience -gt 0 ] && kill -0 $child 2>/dev/null; do
    command -p sleep 0.1
    patience=$((patience - 1))
  done
  kill -KILL $child 2>/dev/null
} <&3 >/dev/null 2>&1 &
watcher=$!
wait $child
code=$?
kill $watcher 2>/dev/null
exit $code
`

export type ChildExit = {
  /** The program's exit code; 128 + the signal's number when a signal ended it. */
  code: number
  /** The last lines it printed to either output, oldest first. */
  lastLines: string[]
}

export type Child = {
  /** Asks the program to end (SIGTERM), forces it after `patienceMs` (SIGKILL), and waits until it is gone. */
  stop(): Promise<void>
  /** Resolves once the program is gone, for whatever reason. */
  exited: Promise<ChildExit>
}

export type ChildOptions = {
  command: string
  args: string[]
  /** The whole environment of the program; ours when absent. */
  env?: NodeJS.ProcessEnv
  cwd?: string
  /** 0, the default, to 19: how readily the program leaves the processor to others. */
  niceness?: number
  /** Milliseconds between the request to end and the force. Default 3000. */
  patienceMs?: number
  /** Each line the program prints. */
  log?: (line: string) => void
  /** Called once if the program ends without stop() having been called. */
  onExit?: (exit: ChildExit) => void
}

const linesKept = 20

/** Starts `command`; a program that cannot be started ends with code 127 and the reason in `lastLines`. */
export function spawnChild(options: ChildOptions): Child {
  const patienceTenths = Math.ceil((options.patienceMs ?? 3000) / 100)
  const shell = spawn(
    '/bin/sh',
    [
      '-c',
      guard,
      'sh',
      String(patienceTenths),
      String(options.niceness ?? 0),
      options.command,
      ...options.args,
    ],
    // Its own process group: Ctrl-C in the terminal reaches us alone, and we stop the parts in order.
    { detached: true, env: options.env ?? process.env, cwd: options.cwd, stdio: ['pipe', 'pipe', 'pipe'] },
  )
  const lastLines: string[] = []
  const keep = (line: string) => {
    lastLines.push(line)
    if (lastLines.length > linesKept) lastLines.shift()
    options.log?.(line)
  }
  const outputs = [read(shell.stdout, keep), read(shell.stderr, keep)]

  let stopping = false
  const exited = new Promise<number>((resolve) => {
    shell.once('error', (error) => {
      keep(error.message)
      resolve(127)
    })
    shell.once('exit', (code) => resolve(code ?? 1))
  }).then(async (code): Promise<ChildExit> => {
    // Should someone kill the shell alone, this still makes its watcher stop the program.
    shell.stdin.destroy()
    await Promise.race([Promise.all(outputs), new Promise((resolve) => setTimeout(resolve, 100))])
    return { code, lastLines }
  })
  shell.stdin.on('error', () => {}) // The program ended first: `exited` already says so.
  void exited.then((exit) => {
    if (!stopping) options.onExit?.(exit)
  })

  return {
    exited,
    async stop() {
      stopping = true
      shell.stdin.destroy()
      await exited
    },
  }
}

/** Passes each line on, and resolves when the stream has ended, so that an exit is reported with its last words. */
async function read(stream: Readable, onLine: (line: string) => void): Promise<void> {
  const lines = createInterface({ input: stream })
  lines.on('line', onLine)
  await once(lines, 'close')
}
