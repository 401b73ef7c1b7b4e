/**
 * The check that a shopper is a person (R5), as a part of the sale page of its own: loaded only for
 * a sale that asks for it. It joins the shop that is asked for a challenge, the workers that work
 * it out, and the words.
 */
import type { Phase } from '../../core/phase.ts'
import { personCheck } from './check/person-check.ts'
import { solve } from './check/solve.ts'
import { checkView } from './check/view.ts'
import { localNow } from './clock.ts'
import type { Reply } from './http.ts'
import type { OpeningKey } from './sale/news.ts'
import type { Voice } from './voice.ts'

/**
 * `ask` fetches a challenge; `worker` is the address of what solves it; `now` is the shop's time,
 * epoch ms.
 */
export type CheckParts = {
  ask(): Promise<Reply>
  worker: string
  voice: Voice<OpeningKey>
  now(): number
  onChange(): void
}

/** Starts the check. Nothing is asked before a `draw` in which it is due. */
export function startCheck({ ask, worker, voice, now, onChange }: CheckParts) {
  // Browsers do the arithmetic in workers, and for secure pages only.
  const able = 'Worker' in window && window.isSecureContext
  const check = personCheck(able, {
    ask,
    solve: (body) => solve(body, () => new Worker(worker), navigator.hardwareConcurrency),
    now,
    localNow,
    random: Math.random,
    onChange,
  })
  const show = checkView(voice, check.again)

  return {
    payload: check.payload,
    hold: check.hold,
    answered: check.answered,
    /** To be called as often as the page is drawn. */
    draw(due: boolean, phase: Phase | undefined): void {
      check.turn(due)
      show(check.state(), phase)
    },
  }
}

export type SaleCheck = ReturnType<typeof startCheck>
