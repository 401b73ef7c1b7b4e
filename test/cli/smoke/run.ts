/** Runs the smoke test as its command does, with short pauses. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { CliEnvironment } from '../../../cli/exported-token.ts'
import { runSmoke } from '../../../cli/smoke.ts'

export type Run = { code: number; lines: string[]; complaints: string[]; pauses: number[] }

/** Within the limit of requests for orders, which only a session sends; else until the clock has moved on. */
const longestPauseMs = (args: readonly string[]) => (args.includes('--token') ? 200 : 5)

export const smoke = (url: string, token?: string): Promise<Run> =>
  run(['--url', url, ...(token === undefined ? [] : ['--token', token])])

export async function run(args: string[], exported: Partial<CliEnvironment> = {}): Promise<Run> {
  const [lines, complaints, pauses]: [string[], string[], number[]] = [[], [], []]
  const code = await runSmoke(args, {
    print: (line) => void lines.push(line),
    printError: (line) => void complaints.push(line),
    environment: { url: undefined, token: undefined, ...exported },
    pause: async (ms) => {
      pauses.push(ms)
      await sleep(Math.min(ms, longestPauseMs(args)))
    },
  })
  return { code, lines, complaints, pauses }
}

export const startingWith = (sign: string, { lines }: Run) => lines.filter((line) => line.startsWith(sign))
