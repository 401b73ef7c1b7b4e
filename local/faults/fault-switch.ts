/**
 * The state of a connection with injectable faults: which fault, for how long, and which exchanges
 * it affects.
 */

import type { FaultSettings } from './faults.ts'

/** A connection with injectable faults. */
export type Breakable = {
  port: number
  /**
   * Replaces the fault; null ends it. Exchanges swallowed by a black hole are reset when it ends.
   */
  set(fault: FaultSettings | null): void
  stop(): Promise<void>
}

export const defaultLatencyMs = 300

export type FaultSwitch = {
  set(fault: FaultSettings | null): void
  /** The fault for the exchange that begins now, if any; call once per exchange. */
  strike(): FaultSettings | null
  /** Stops the timer for good. */
  close(): void
}

/**
 * @param onChange called after every change, also when a fault ends by itself
 * @param random at least 0 and less than 1
 */
export function openFaultSwitch(onChange: (fault: FaultSettings | null) => void, random: () => number): FaultSwitch {
  let current: FaultSettings | null = null
  let healing: NodeJS.Timeout | undefined
  const set = (fault: FaultSettings | null) => {
    clearTimeout(healing)
    current = fault
    if (fault?.forMs !== undefined) healing = setTimeout(() => set(null), fault.forMs).unref()
    onChange(fault)
  }
  return {
    set,
    strike() {
      if (current === null) return null
      const { rate = 1 } = current
      return rate >= 1 || random() < rate ? current : null
    },
    close: () => clearTimeout(healing),
  }
}
