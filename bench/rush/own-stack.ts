/** The options of the system that a rush starts for itself. */
import type { Fault } from '../../local/faults.ts'
import type { StackOptions } from '../../local/stack.ts'
import { measuredStack } from '../own-system.ts'

/** Fault proxies cost time, so they are there only for a fault. */
export function rushedStack(fault: Fault | undefined, databases: number): StackOptions {
  return { ...measuredStack, faults: fault !== undefined, databases }
}
