/**
 * `npm run inject -- <target> [<database>] <mode>`: injects a fault into the running local system, to rehearse a
 * runbook. It calls a route that exists on this machine only.
 */
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { type CliEnvironment, isLoopback } from '../cli/exported-token.ts'
import { isMain } from '../cli/is-main.ts'
import { readRunning } from '../cli/running.ts'
import { resolveTarget } from '../cli/sale/context.ts'
import { faultModes, faultTargets } from './faults/faults.ts'

export const injectUsage = `npm run inject -- <target> [<database>] <mode> [--for S] [--rate R] [--latency MS]
                  [--url ADDRESS]
npm run inject -- end

A fault in the running local system. A later one of the same target replaces it; "end" ends all.

  target   redis (a database of the stock: main, db-2 and so on; default main), gate (the gate's store),
           sqs (sending to the queues), dynamodb (the table), s3 (pages and pictures), edge-store (the
           key-value store of the CloudFront Functions), mail (SES), payments (the API of the payment
           provider), origin (between the edge and the functions)
  mode     down        refuses connections and resets open ones
           blackhole   takes requests and never answers
           slow        answers late (--latency, default 300 ms)
           lost-reply  does what is asked and resets the connection in place of the answer
           lose        ends the server, and starts it again without its data (redis)
           none        ends the fault of this target
  --for    ends the fault after this many seconds; with lose, the server is gone for that time. Default:
           until "end"; a lost server comes back at once
  --url    a system on this machine. Default: SLUICE_URL, or the one that started last
  --rate   the share of affected calls, 0 to 1. Default 1

A part that you kill yourself (kill -9) is started again with its data.`

export type InjectContext = {
  print(line: string): void
  printError(line: string): void
  environment: CliEnvironment
  /** Returns the address of the running local system; undefined when none runs. */
  running(): Promise<string | undefined>
}

const options = {
  for: { type: 'string' },
  rate: { type: 'string' },
  latency: { type: 'string' },
  url: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const satisfies ParseArgsConfig['options']

class UsageError extends Error {}

/** Runs the command, and returns the exit code: 0; 1 when the system refuses; 2 when an argument is wrong. */
export async function runInject(args: string[], context: InjectContext): Promise<number> {
  try {
    const { values, positionals } = read(args)
    if (values.help === true) {
      context.print(injectUsage)
      return 0
    }
    const fault = positionals.join(' ') === 'end' ? null : faultOf(positionals, values)
    const given = { url: values.url, token: undefined, environment: context.environment }
    const { url, from } = await resolveTarget(given, context.running)
    if (!isLoopback(url)) throw new UsageError(`${url} (${from}) is not this machine.`)
    const refusal = await post(url, fault)
    if (refusal !== undefined) {
      context.printError(refusal)
      return 1
    }
    context.print(fault === null ? 'All faults have ended.' : `${describe(fault)}\nEnd it: npm run inject -- end`)
    return 0
  } catch (failure) {
    if (!(failure instanceof UsageError || failure instanceof RangeError)) throw failure
    context.printError(`${failure.message}\n\n${injectUsage}`)
    return 2
  }
}

function read(args: string[]) {
  try {
    return parseArgs({ args, options, allowPositionals: true })
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? cause.message : String(cause), { cause })
  }
}

type Asked = { target: string; mode: string; database?: string; forMs?: number }

function faultOf(positionals: string[], values: { for?: string; rate?: string; latency?: string }): Asked {
  const [target = '', ...rest] = positionals
  const mode = rest.at(-1) ?? ''
  if (rest.length > 2 || !isOneOf(faultTargets, target)) {
    throw new UsageError(`Name a target (${faultTargets.join(', ')}) and a mode.`)
  }
  if (!isOneOf(faultModes, mode)) throw new UsageError(`Name a mode: ${faultModes.join(', ')}.`)
  const number = (name: keyof typeof values) => {
    if (values[name] === undefined) return undefined
    const value = Number(values[name])
    if (values[name].trim() === '' || !Number.isFinite(value)) throw new UsageError(`--${name} must be a number.`)
    return value
  }
  const seconds = number('for')
  const named = {
    database: rest.length === 2 ? rest[0] : undefined,
    forMs: seconds === undefined ? undefined : Math.round(seconds * 1000),
    rate: number('rate'),
    latencyMs: number('latency'),
  }
  return { target, mode, ...named }
}

const isOneOf = (names: readonly string[], name: string) => names.includes(name)

function describe({ target, database, mode, forMs }: Asked): string {
  const what = [target, database, mode].filter((word) => word !== undefined).join(' ')
  return forMs === undefined ? `${what}.` : `${what} for ${forMs / 1000} s.`
}

/** Sends the fault; returns the refusal of the system, or undefined. */
async function post(url: string, fault: Asked | null): Promise<string | undefined> {
  const answer = await fetch(new URL('/local/faults', url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(fault),
  }).catch((failure: unknown) => {
    throw new UsageError(`Nothing answers at ${url}: start the system with npm start.`, { cause: failure })
  })
  return answer.ok ? undefined : `The system answered ${answer.status}: ${await answer.text()}`
}

const isEntryPoint = isMain(import.meta.url)
if (isEntryPoint) {
  process.exitCode = await runInject(process.argv.slice(2), {
    print: console.log,
    printError: console.error,
    environment: { url: process.env.SLUICE_URL || undefined, token: undefined },
    running: readRunning,
  })
}
