/**
 * The check that a shopper is a person (R5, N4), as a part of the sale page of its own: loaded only
 * for a sale that asks for it. It joins the shop that is asked for a challenge, the workers or the
 * widget that work it out, and the words.
 */
import { type Challenge, type ChallengeParameters, solveChallengeWorkers } from 'altcha/lib'
import type { Reply } from '../client/http.ts'
import type { Language } from '../core/language.ts'
import type { Phase } from '../core/sale/phase.ts'
import type { checkMessages } from '../templates/messages/catalogues.ts'
import { words } from '../templates/messages/text.ts'
import { localNow } from '../web/clock.ts'
import { byId, make, setText } from '../web/dom.ts'
import { loadWords } from '../web/load-module.ts'
import type { Voice } from '../web/voice.ts'
import { fieldsOf } from '../web/wire.ts'
import { type CheckState, type CheckStep, personCheck, type Solved } from './check/person-check.ts'
import { runWidget } from './check/widget.ts'
import type { OpeningKey } from './sale/news.ts'

/**
 * `ask` fetches a challenge, or a ticket for a token; `kind` is the check that the page was printed
 * for; `worker` is the address of what solves a proof of work; `place` has a line and the place of the widget, and `button` is the
 * id of what the shopper wants to press; `now` is the shop's time, epoch ms.
 */
export type CheckParts = {
  ask(request: { token?: string }): Promise<Reply>
  kind: string
  worker: string
  place?: HTMLElement
  button?: string
  voice: Pick<Voice<OpeningKey>, 't' | 'language' | 'onChange'>
  now(): number
  onChange(): void
}

/** Starts the check once its words are loaded. Nothing is asked before a `draw` in which it is due. Undefined without them. */
export async function startCheck({ ask, kind, worker, voice, now, onChange, ...parts }: CheckParts) {
  const { place = byId('check'), button = 'buy' } = parts
  let language: Language | undefined
  // In its former language while the words of another cannot be loaded.
  const speak = async (): Promise<void> => {
    const wanted = voice.language()
    if (await loadWords('sale-later', wanted)) language = wanted
  }
  const say = (key: keyof typeof checkMessages) => words(key, language ?? 'en')
  await speak()
  if (language === undefined) return undefined
  voice.onChange(() => void speak().then(onChange))
  // Browsers do the arithmetic in workers, and for secure pages only.
  const able = kind === 'turnstile' || ('Worker' in window && window.isSecureContext)

  async function work(body: unknown, onAsk: () => void): Promise<CheckStep | undefined> {
    const { turnstile } = fieldsOf(body) ?? {}
    if (turnstile === undefined) {
      return readTicket(body) ?? solve(body, () => new Worker(worker), navigator.hardwareConcurrency)
    }
    const terms = { ...fieldsOf(turnstile), language: document.documentElement.lang }
    const title = say('check.title')
    const token = await runWidget({ place: place.children[1] as HTMLElement, title, terms, onAsk })
    return token === undefined ? undefined : { token }
  }

  const check = personCheck(able, { ask, solve: work, now, localNow, random: Math.random, onChange })
  const show = checkView({ place, button, voice, say, onAgain: check.again })

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

/** The ticket in an answer of the shop: the solution of a check that another service has judged. */
function readTicket(body: unknown): Solved | undefined {
  const { ticket, expiresAt } = fieldsOf(body) ?? {}
  if (typeof ticket !== 'string' || typeof expiresAt !== 'number') return undefined
  return { payload: ticket, expiresAt }
}

export type SaleCheck = NonNullable<Awaited<ReturnType<typeof startCheck>>>

/** More would only make the phone hot: an ordinary challenge takes two workers about a second. */
const maxWorkers = 4

/**
 * Works a challenge out (R5). Of the ALTCHA package this takes the solver and its worker and not the widget: 1 kB
 * instead of 30, and the words and the button are the page's own. Undefined for an answer of the shop
 * without a challenge, or when there is no solution within 90 s.
 */
export async function solve(body: unknown, createWorker: () => Worker, cores: number): Promise<Solved | undefined> {
  const read = readChallenge(body)
  if (read === undefined) return undefined
  const { challenge, expiresAt } = read
  try {
    const solution = await solveChallengeWorkers({ challenge, concurrency: Math.min(maxWorkers, cores), createWorker })
    if (solution === null) return undefined
    return { payload: btoa(JSON.stringify({ challenge, solution })), expiresAt }
  } catch {
    // A worker that does not load reports an event without a reason, so the cases cannot be distinguished.
    return undefined
  }
}

/** The signed challenge, whole as it came because its signature covers every field, and its end in epoch ms. */
function readChallenge(body: unknown): { challenge: Challenge; expiresAt: number } | undefined {
  const { parameters, signature } = fieldsOf(body) ?? {}
  if (!isWork(parameters) || typeof signature !== 'string') return undefined
  return { challenge: { parameters, signature }, expiresAt: parameters.expiresAt * 1000 }
}

function isWork(parameters: unknown): parameters is ChallengeParameters & { expiresAt: number } {
  const { algorithm, nonce, salt, keyPrefix, cost, expiresAt } = fieldsOf(parameters) ?? {}
  const texts = [algorithm, nonce, salt, keyPrefix].every((text) => typeof text === 'string')
  return texts && Number.isSafeInteger(cost) && Number.isSafeInteger(expiresAt)
}

type ViewParts = {
  place: HTMLElement
  button: string
  voice: Pick<Voice<OpeningKey>, 't'>
  say(key: keyof typeof checkMessages): string
  onAgain(): void
}

/**
 * Draws the check beside the button: a line of words, and the way to try again where that may help. In its `place` the
 * first child is the line; `say` has the words of the check; `onAgain` is called when the shopper asks for
 * another try; `button` is the id of what the check leads to.
 */
export function checkView({ place, button, voice, say, onAgain }: ViewParts) {
  const line = place.children[0] as HTMLElement
  const again = make('button', { type: 'button', id: `${place.id}-again`, hidden: true, click: onAgain })
  place.append(again)

  return (state: CheckState, phase: Phase | undefined) => {
    const words = wordsOf(state, phase)
    const counts = phase === undefined || phase === 'scheduled' || phase === 'open'
    place.hidden = words === undefined || !counts
    place.dataset.state = state.kind
    if (words !== undefined) setText(line, words)
    setText(again, say('check.again'))
    hideAgain(state.kind !== 'failed')
  }

  /** The line of news already leads strangers to the sign-in. A sale that is open has no `later`: its buyer has won. */
  function wordsOf(state: CheckState, phase: Phase | undefined): string | undefined {
    if (state.kind === 'off') return undefined
    if (state.kind === 'later') return phase === 'open' ? undefined : voice.t('check.later')
    if (state.kind !== 'refused') return say(`check.${state.kind}`)
    return state.code === 'sign-in-required' ? undefined : voice.t(`problem.${state.code}`)
  }

  /** A control that goes away takes the reader's place in the page with it; the next one they want is the button. */
  function hideAgain(hidden: boolean): void {
    if (hidden && document.activeElement === again) byId(button).focus()
    again.hidden = hidden
  }
}
