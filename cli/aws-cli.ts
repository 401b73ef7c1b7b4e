/** The AWS CLI, which finds credentials and regions by itself (docs/how-to/deploy.md). */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type * as z from 'zod/mini'
import { parse } from '../core/lib/parse.ts'

/**
 * Runs `aws <args>` and resolves with the JSON that it prints, undefined where it prints nothing.
 * @throws AwsRefused
 */
export type AwsCli = (...args: readonly string[]) => Promise<unknown>

/** The command is missing, has no credentials, or was denied; the message says which. */
export class AwsRefused extends Error {
  override name = 'AwsRefused'
}

const timeoutMs = 30_000

const runFile = promisify(execFile)

export const awsCli: AwsCli = async (...args) => {
  try {
    const options = { timeout: timeoutMs, maxBuffer: 16 * 1024 * 1024 }
    const { stdout } = await runFile('aws', [...args, '--output', 'json'], options)
    return stdout.trim() === '' ? undefined : JSON.parse(stdout)
  } catch (cause) {
    throw new AwsRefused(reasonOf(cause), { cause })
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'the AWS CLI failed'
  if ('code' in error && error.code === 'ENOENT') return 'the AWS CLI is not installed'
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
