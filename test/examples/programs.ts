/** Helpers for examples: a folder of their own, programs that run once, and programs that keep running. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'
import { type ChildOptions, spawnChild } from '../../local/child.ts'

export const examplesFolder = join(import.meta.dirname, '../../examples')

/**
 * Runs a program to its end; resolves with what it printed.
 * @throws with both outputs when it fails
 */
export async function runProgram(
  command: string,
  args: readonly string[],
  { cwd, env }: { cwd: string; env?: NodeJS.ProcessEnv },
): Promise<string> {
  const options = { cwd, env: { ...process.env, ...env }, maxBuffer: 2 ** 26 }
  const { stdout } = await promisify(execFile)(command, args, options).catch((failure) => {
    throw new Error(`${failure.message}\n${failure.stdout}`)
  })
  return stdout
}

/**
 * Starts a program that runs until the end of the test; resolves once it prints `line`.
 * @throws when it ends before
 */
export async function startProgram(
  options: Pick<ChildOptions, 'command' | 'args' | 'cwd' | 'env'>,
  line: RegExp,
): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const child = spawnChild({
      ...options,
      env: { ...process.env, ...options.env },
      log: (text) => line.test(text) && resolve(),
      onExit: ({ lastLines }) => reject(new Error(`${options.command} ended:\n${lastLines.join('\n')}`)),
    })
    onTestFinished(() => child.stop())
  })
}
