/** Runs one case: every click goes to the pre-gate and, unless refused there, to one of the gates. */
import { setImmediate as pause, setTimeout as sleep } from 'node:timers/promises'
import { startStep } from '../../../cli/progress.ts'
import type { FunctionTime } from '../../../local/cdn/edge-times.ts'
import type { AnsweredReservation } from '../../rush/verdict.ts'
import type { Fleet, FleetRequest } from '../fleet/fleet.ts'
import { type Agenda, aheadMs, type Clicker, clickAgain, openAgenda } from './clickers.ts'
import type { MillionFront } from './front.ts'
import { increment, setVirtualClock, virtualNow } from './shared-by-gates.ts'

/** The answers to the clicks of one case. Clicks `atEdge` were forwarded by the pre-gate, so they started a gate. */
export type PlayedCase = {
  winners: AnsweredReservation[]
  answers: Map<string, number>
  losing: number
  losingAtEdge: number
  /** Maximum of clicks that reached the gates in one virtual second. */
  peakAtEdge: number
  virtualSeconds: number
  preGate: FunctionTime
}

export type CaseSetup = {
  front: MillionFront
  fleet: Fleet
  saleId: string
  beginsAt: number
  requestOf: (clicker: Clicker) => FleetRequest
  /** Adds the first clicks to the agenda. */
  addFirstClicks: (agenda: Agenda<Clicker>) => void
  random: () => number
  /** Real seconds for each virtual second while units are left. */
  slowDown: number
}

/** Clicks in flight at once, over all instances. */
const concurrency = 64
const tickMs = 1000
const aMillion = 1_000_000

export async function playCase(name: string, stage: CaseSetup): Promise<PlayedCase> {
  const { front, fleet, beginsAt, random, requestOf, slowDown } = stage
  const agenda = openAgenda<Clicker>()
  stage.addFirstClicks(agenda)
  const winners: AnsweredReservation[] = []
  const answers = new Map<string, number>()
  const won = new Set<number>()
  const played = { winners, answers, losing: 0, losingAtEdge: 0 }
  const perSecond = new Map<number, number>()
  const step = startStep(name, aMillion)
  let from: number | undefined
  let tickAt = 0
  let inFlight = 0
  let isSoldOut = false

  function startedAt(): number {
    from ??= performance.now()
    return from
  }

  async function moveTo(at: number): Promise<void> {
    if (at < aheadMs) return setVirtualClock(Math.max(virtualNow(), beginsAt + at))
    // Functions take units in real time, so the virtual clock must not run ahead while units are left.
    const aheadOfMachineMs = (at - aheadMs) * slowDown - (performance.now() - startedAt())
    if (!isSoldOut && aheadOfMachineMs > 1) await sleep(aheadOfMachineMs)
    setVirtualClock(Math.max(virtualNow(), beginsAt + at))
    if (at < tickAt) return
    tickAt = at + tickMs
    await front.publish()
  }

  async function send(clicker: Clicker, at: number): Promise<void> {
    const request = requestOf(clicker)
    const early = await front.refusal(request)
    const answer = early ?? (await fleet.send(request))
    increment(answers, answer.code)
    isSoldOut ||= answer.code === 'sold-out'
    if (early === undefined) increment(perSecond, Math.floor((at - aheadMs) / 1000))
    if (answer.code === 'reserved' || answer.code === 'repeat') {
      // A second click of the same shopper returns the same order.
      if (!won.has(clicker.number)) winners.push(reservationOf(clicker, answer.body))
      won.add(clicker.number)
      return
    }
    played.losing += 1
    if (early === undefined) played.losingAtEdge += 1
    clickAgain(agenda, clicker, { at, answer, random })
  }

  async function sendClicks(): Promise<void> {
    for (;;) {
      const next = agenda.next()
      if (next === undefined && inFlight === 0) return
      if (next !== undefined) {
        inFlight += 1
        await moveTo(next.at)
        await send(next.event, next.at)
        inFlight -= 1
        if (played.losing % 1000 === 0)
          step.to(played.losing, `${winners.length} won, ${played.losingAtEdge} lost at the gates`)
      }
      // Answers from memory return at once; this lets timers and sockets run.
      await pause()
    }
  }

  await Promise.all(Array.from({ length: concurrency }, sendClicks))
  step.end()
  const virtualSeconds = (virtualNow() - beginsAt) / 1000
  return { ...played, peakAtEdge: Math.max(0, ...perSecond.values()), virtualSeconds, preGate: front.time() }
}

export const shopperName = ({ number }: Pick<Clicker, 'number'>) => `shopper-${number}`

function reservationOf(clicker: Clicker, body: string): AnsweredReservation {
  return { shopperId: shopperName(clicker), quantity: 1, orderId: orderIdIn(body) }
}

function orderIdIn(body: string): string {
  const found = /"orderId":"([a-z0-9-]+)"/.exec(body)?.[1]
  if (found === undefined) throw new Error('a reservation without an order id')
  return found
}
