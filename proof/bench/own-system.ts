/** A local system started for one measurement. */
import { type Stack, type StackOptions, startStack } from '../../local/stack.ts'
import { openSystem, type System } from './system.ts'

/** A local system without what only checks and experiments need. */
export const measuredStack: StackOptions = {
  port: 0,
  demo: false,
  checkScriptKeys: false,
  faults: false,
  lowerPriority: true,
}

/** The options of a rush's own system. Fault proxies cost time, so they are there only where something is to fail. */
export function rushedStack(fails: boolean, databases: number): StackOptions {
  return { ...measuredStack, faults: fails, databases }
}

/**
 * For costs of an order: `reconcile` runs once a minute, so it would count for some of the orders
 * and not for others.
 */
export const withoutSchedule: StackOptions = { scheduled: false }

/** Starts a system, runs `measure` on it, and always stops it. */
export async function withOwnSystem<T>(
  measure: (system: System, stack: Stack) => Promise<T>,
  options: StackOptions = {},
): Promise<T> {
  const stack = await startStack({ ...measuredStack, ...options })
  try {
    const system = await openSystem(`http://127.0.0.1:${stack.port}`)
    try {
      return await measure(system, stack)
    } finally {
      system.close()
    }
  } finally {
    await stack.stop()
  }
}
