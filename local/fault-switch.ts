/** The state of a line that can be broken on purpose: which fault, for how long, and whom it hits. */

export type Fault = {
  /**
   * `down` resets connections, old and new · `slow` delays what clients send by `latencyMs` · `lost-reply` lets a
   * request reach the target, then resets the connection in place of the reply · `blackhole` accepts and never
   * answers
   */
  mode: 'down' | 'slow' | 'lost-reply' | 'blackhole'
  /** Heals by itself after this many milliseconds; without it only by set(null). */
  forMs?: number | undefined
  /** The share of exchanges it hits, 0 to 1. Default 1. */
  rate?: number | undefined
  /** The delay of `slow`. Default 300. */
  latencyMs?: number | undefined
}

/** A line that can be broken. */
export type Breakable = {
  port: number
  /** Replaces the fault; null heals. What a black hole has swallowed is reset on healing. */
  set(fault: Fault | null): void
  /** Resets every open connection once. */
  killAll(): void
  stop(): Promise<void>
}

export const defaultLatencyMs = 300

export type FaultSwitch = {
  set(fault: Fault | null): void
  /** The fault that hits the exchange now beginning, if any: asked once per exchange. */
  strike(): Fault | null
  /** Ends the timer, for good. */
  close(): void
}

/**
 * @param onChange called after every change, also when a fault heals by itself
 * @param random 0 up to 1
 */
export function openFaultSwitch(onChange: (fault: Fault | null) => void, random: () => number): FaultSwitch {
  let current: Fault | null = null
  let healing: NodeJS.Timeout | undefined
  const set = (fault: Fault | null) => {
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
