/** The AWS CLI, which finds credentials and regions by itself (docs/how-to/deploy.md). */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type * as z from 'zod/mini'
import { parse } from '../core/lib/parse.ts'

/**
 * Runs `aws <args>` and resolves with the JSON that it prints, undefined where it prints nothing.
 * @throws AwsRefused
 */
type Run = (...args: readonly string[]) => Promise<unknown>

/** `withInput` gives a secret to `file:///dev/stdin`: other users of the machine can read arguments. */
export type AwsCli = Run & { withInput: (input: string, ...args: readonly string[]) => Promise<unknown> }

/** The command is missing, has no credentials, or was denied; the message says which. */
export class AwsRefused extends Error {
  override name = 'AwsRefused'
}

const timeoutMs = 30_000

const runFile = promisify(execFile)

// Node gives a child a socket, which cannot be opened as /dev/stdin; the shell makes a pipe of it.
const piped = ['-c', 'cat | aws "$@"', 'aws']

const withInput = async (input: string, ...args: readonly string[]): Promise<unknown> => {
  try {
    const options = { timeout: timeoutMs, maxBuffer: 16 * 1024 * 1024 }
    const running = runFile('sh', [...piped, ...args, '--output', 'json'], options)
    // A command that fails before it reads closes its input.
    running.child.stdin?.on('error', () => undefined).end(input)
    const { stdout } = await running
    return stdout.trim() === '' ? undefined : JSON.parse(stdout)
  } catch (cause) {
    throw new AwsRefused(reasonOf(cause), { cause })
  }
}

export const awsCli: AwsCli = Object.assign((...args: readonly string[]) => withInput('', ...args), { withInput })

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'the AWS CLI failed'
  if ('code' in error && (error.code === 'ENOENT' || error.code === 127)) return 'the AWS CLI is not installed'
  if ('killed' in error && error.killed === true) return `no answer within ${timeoutMs / 1000} s`
  if (error instanceof SyntaxError) return 'the AWS CLI did not print JSON'
  const printed = 'stderr' in error && typeof error.stderr === 'string' ? error.stderr : ''
  const lines = printed.split('\n').filter((line) => line.trim() !== '')
  return lines.at(-1)?.trim() ?? 'the AWS CLI failed'
}

/** @throws AwsRefused for an answer of another form */
export function readAws<T>(schema: z.ZodMiniType<T>, answer: unknown): T {
  const found = parse(schema, answer)
  if (!found.ok) throw new AwsRefused(`an answer that was not expected: ${found.detail}`)
  return found.value
}

/**
 * The answer to `args`; undefined for a refusal with `sign` in it, which says that something does not exist.
 * @throws AwsRefused for every other refusal, and an answer of another form
 */
export async function askAws<T>(aws: AwsCli, sign: string, schema: z.ZodMiniType<T>, ...args: readonly string[]) {
  try {
    return readAws(schema, await aws(...args))
  } catch (error) {
    if (error instanceof AwsRefused && error.message.includes(sign)) return undefined
    throw error
  }
}
