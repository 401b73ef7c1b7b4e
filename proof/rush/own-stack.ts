/** The options of the system that a rush starts for itself. */
import type { StackOptions } from '../../local/stack.ts'
import { measuredStack } from '../bench/own-system.ts'

/** Fault proxies cost time, so they are there only where something is to fail. */
export function rushedStack(fails: boolean, databases: number): StackOptions {
  return { ...measuredStack, faults: fails, databases }
}
