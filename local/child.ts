/**
 * Runs another program that must never outlive this process. A process killed by `kill -9` cannot clean up, so a small
 * shell next to the program reads a pipe whose other end only this process holds. When this process ends in any way,
 * the kernel closes the pipe and the shell stops the program. stop() closes the same pipe, so this path is tested every
 * day.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { sessionNicenessFile, sessionTries } from './background.ts'

// $1 is the patience in tenths of a second, $2 the niceness, the remaining arguments are the command. `command -p`
// finds sleep and nice under an empty PATH. The program gets neither the pipe nor our standard input.
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
  read -r order
  if [ "$order" = kill ]; then patience=0; else kill -TERM $child 2>/dev/null; fi
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
  /** The last lines of both outputs, oldest first. */
  lastLines: string[]
}

export type GuardedChild = {
  /**
   * Asks the program to end (SIGTERM), kills it after `patienceMs` (SIGKILL), and waits until it is
   * gone.
   */
  stop(): Promise<void>
  /** Kills the program at once (SIGKILL), as a crash would, and waits until it is gone. */
  kill(): Promise<void>
  /** Resolves once the program is gone, for any reason. */
  exited: Promise<ChildExit>
}

/** Returns why the program ended. */
export function reasonOf({ code, lastLines }: ChildExit): string {
  const how = code > 128 ? `a signal ended it (${code - 128})` : `exit code ${code}`
  return [how, ...lastLines.slice(-1)].join(' · ')
}

export type ChildOptions = {
  command: string
  args: string[]
  /** The whole environment of the program; ours when absent. */
  env?: NodeJS.ProcessEnv
  cwd?: string
  /** 0, the default, to 19: the niceness of the program. */
  niceness?: number
  /** Milliseconds between SIGTERM and SIGKILL. Default 3000. */
  patienceMs?: number
  /** Called with each line the program prints. */
  log?: (line: string) => void
  /** Called once if the program ends before stop(). */
  onExit?: (exit: ChildExit) => void
}

const linesKept = 20

/**
 * Starts `command`; a program that cannot be started ends with code 127 and the reason in
 * `lastLines`.
 */
export function spawnChild(options: ChildOptions): GuardedChild {
  const patienceTenths = Math.ceil((options.patienceMs ?? 3000) / 100)
  const shell = spawn(
    '/bin/sh',
    ['-c', guard, 'sh', String(patienceTenths), String(options.niceness ?? 0), options.command, ...options.args],
    // Its own process group: Ctrl-C in the terminal reaches this process alone, which stops the
    // parts in order.
    { detached: true, env: options.env ?? process.env, cwd: options.cwd, stdio: ['pipe', 'pipe', 'pipe'] },
  )
  const lastLines: string[] = []
  const keep = (line: string) => {
    lastLines.push(line)
    if (lastLines.length > linesKept) lastLines.shift()
    options.log?.(line)
  }
  const outputs = [read(shell.stdout, keep), read(shell.stderr, keep)]

  let isStopping = false
  const exited = new Promise<number>((resolve) => {
    shell.once('error', (error) => {
      keep(error.message)
      resolve(127)
    })
    shell.once('exit', (code) => resolve(code ?? 1))
  }).then(async (code): Promise<ChildExit> => {
    // If the shell alone is killed, this still makes its watcher stop the program.
    shell.stdin.destroy()
    await Promise.race([Promise.all(outputs), new Promise((resolve) => setTimeout(resolve, 100))])
    return { code, lastLines }
  })
  shell.stdin.on('error', () => {}) // The program ended first: `exited` already reports it.
  void exited.then((exit) => {
    if (!isStopping) options.onExit?.(exit)
  })

  const end = async (order: string) => {
    isStopping = true
    if (!shell.stdin.writableEnded) shell.stdin.end(order, () => shell.stdin.destroy())
    await exited
  }
  return { exited, stop: () => end(''), kill: () => end('kill\n') }
}

/** Calls `onLine` for each line, and resolves at the end of the stream, so that an exit is reported with the last lines. */
async function read(stream: Readable, onLine: (line: string) => void): Promise<void> {
  const lines = createInterface({ input: stream })
  lines.on('line', onLine)
  await once(lines, 'close')
}
