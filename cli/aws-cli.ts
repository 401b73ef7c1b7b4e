/** The AWS CLI, which finds credentials and regions by itself (docs/how-to/deploy.md). */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type * as z from 'zod/mini'
import { parse } from '../core/lib/parse.ts'

/**
 * Runs `aws <args>` and resolves with the JSON that it prints, undefined where it prints nothing.
 * @throws AwsCliError
 */
type Run = (...args: readonly string[]) => Promise<unknown>

/** `withInput` passes a secret by `file:///dev/stdin`: other users of the machine can read arguments. */
export type AwsCli = Run & { withInput: (input: string, ...args: readonly string[]) => Promise<unknown> }

/** The command is missing, has no credentials, or was denied; the message says which. */
export class AwsCliError extends Error {
  override name = 'AwsCliError'
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
    throw new AwsCliError(reasonOf(cause), { cause })
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

/** Remedies for errors of the account, by the message of the AWS CLI. The first match counts. */
const remedies: readonly (readonly [sign: RegExp, remedy: string])[] = [
  [
    /not installed/,
    'Install the AWS CLI, version 2: https://docs.aws.amazon.com/cli/latest/userguide/getting-started-install.html',
  ],
  [/specify a region/i, 'Name a Region: aws configure set region eu-west-1, or AWS_REGION.'],
  [/profile \(.*\) could not be found/i, 'Set AWS_PROFILE to one that this lists: aws configure list-profiles'],
  [/Signature (?:expired|not yet current)|RequestTimeTooSkewed/, 'Set the clock of this machine.'],
  [
    /expired|Token for .* does not exist|Error loading SSO/i,
    'Sign in again (aws sso login, or aws login), or set new keys.',
  ],
  [
    /InvalidClientTokenId|UnrecognizedClient|SignatureDoesNotMatch/,
    'The keys are wrong or were deleted: aws configure',
  ],
  [/locate credentials/, 'Sign in: aws login, or aws configure for keys (docs/how-to/deploy.md, "1. Prerequisites").'],
  [/connect to the endpoint|no answer within/i, 'Check the network of this machine, and HTTPS_PROXY.'],
]

/** Returns undefined where the message is not about the credentials or the command. */
export const remedyOf = ({ message }: AwsCliError): string | undefined =>
  remedies.find(([sign]) => sign.test(message))?.[1]

/** Returns the message, with the remedy below it where there is one. */
export function withRemedy(error: Error): string {
  const remedy = error instanceof AwsCliError ? remedyOf(error) : undefined
  return remedy === undefined ? error.message : `${error.message}\n  → ${remedy}`
}

/** Validates an answer of the AWS CLI. @throws AwsCliError for an answer of another form */
export function readAws<T>(schema: z.ZodMiniType<T>, answer: unknown): T {
  const found = parse(schema, answer)
  if (!found.ok) throw new AwsCliError(`an answer that was not expected: ${found.detail}`)
  return found.value
}

/**
 * Returns the answer to `args`, or undefined when the error contains `sign`, by which AWS says that the resource does not
 * exist.
 * @throws AwsCliError for every other error, and for an answer of another form
 */
export async function findInAws<T>(aws: AwsCli, sign: string, schema: z.ZodMiniType<T>, ...args: readonly string[]) {
  try {
    return readAws(schema, await aws(...args))
  } catch (error) {
    if (error instanceof AwsCliError && error.message.includes(sign)) return undefined
    throw error
  }
}
