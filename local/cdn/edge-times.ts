/**
 * Measures the processor time of the functions at the edge with performance counters. A function that does not wait
 * runs within one turn of the event loop, so its time is processor time. Two kinds of calls are counted without a time:
 * those that waited for the store, and those longer than `maxTimedMs`, during which the machine ran something else.
 */
import { isResponse, type LoadedEdgeFunction } from './edge-exchange.ts'

/** `calls` of a function so far; `timed` uninterrupted ones took `us` microseconds together. */
export type FunctionTime = { calls: number; timed: number; us: number }

export type EdgeTimes = { preGate: FunctionTime; gate: FunctionTime }

export type EdgeClock = {
  preGate<Call, Answer>(run: (call: Call) => Answer | Promise<Answer>): (call: Call) => Promise<Answer>
  /** Wraps the gate; forwarded calls are not timed. */
  gate(run: LoadedEdgeFunction): LoadedEdgeFunction
  /** Returns the times so far. */
  read(): EdgeTimes
}

/** A refusal takes some microseconds. */
const maxTimedMs = 1

const noTime: FunctionTime = { calls: 0, timed: 0, us: 0 }

export function openEdgeClock(): EdgeClock {
  const times: EdgeTimes = { preGate: { ...noTime }, gate: { ...noTime } }
  let turn = 0
  let isTurning = false

  /** Counts turns only while calls arrive, or an idle process would never sleep. */
  function presentTurn(): number {
    if (!isTurning) {
      isTurning = true
      setImmediate(() => {
        isTurning = false
        turn += 1
      })
    }
    return turn
  }

  function addTime(time: FunctionTime, from: number): void {
    const ms = performance.now() - from
    if (ms > maxTimedMs) return
    time.timed += 1
    time.us += ms * 1000
  }

  return {
    preGate: (run) => async (call) => {
      const began = presentTurn()
      const from = performance.now()
      times.preGate.calls += 1
      const answer = await run(call)
      if (turn === began) addTime(times.preGate, from)
      return answer
    },
    gate: (run) => async (event) => {
      const began = presentTurn()
      const from = performance.now()
      times.gate.calls += 1
      const result = await run(event)
      if (isResponse(result) && turn === began) addTime(times.gate, from)
      return result
    },
    read: () => ({ preGate: { ...times.preGate }, gate: { ...times.gate } }),
  }
}
