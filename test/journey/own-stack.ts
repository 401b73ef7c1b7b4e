/**
 * Creates a whole system, or a folder, for the tests of one file, and removes it after them. Call these outside of
 * tests.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import type { Stack, StackOptions } from '../../local/stack.ts'
import { openSystem, type System } from '../../proof/bench/system.ts'
import { startDescribedStack } from '../described-stack.ts'

type OwnStackOptions = Omit<StackOptions, 'demo'>

export async function ownStack(options: OwnStackOptions = {}): Promise<Stack> {
  const stack = await startDescribedStack({ ...options, demo: false })
  afterAll(() => stack.stop())
  return stack
}

/** Starts a system, and connects to its stores. */
export async function ownSystem(options: OwnStackOptions = {}): Promise<{ stack: Stack; system: System }> {
  const stack = await ownStack(options)
  const system = await openSystem(stack.url)
  afterAll(() => system.close())
  return { stack, system }
}

export async function ownFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-journey-'))
  afterAll(() => rm(folder, { recursive: true, force: true }))
  return folder
}
