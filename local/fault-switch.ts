/** The state of a line that can be broken on purpose: which fault, for how long, and whom it hits. */

import type { FaultSettings } from './faults.ts'

/** A line that can be broken. */
export type Breakable = {
  port: number
  /** Replaces the fault; null heals. What a black hole has swallowed is reset on healing. */
  set(fault: FaultSettings | null): void
  stop(): Promise<void>
}

export const defaultLatencyMs = 300

export type FaultSwitch = {
  set(fault: FaultSettings | null): void
  /** The fault that hits the exchange now beginning, if any: asked once per exchange. */
  strike(): FaultSettings | null
  /** Ends the timer, for good. */
  close(): void
}

/**
 * @param onChange called after every change, also when a fault heals by itself
 * @param random 0 up to 1
 */
export function openFaultSwitch(
  onChange: (fault: FaultSettings | null) => void,
  random: () => number,
): FaultSwitch {
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
