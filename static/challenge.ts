/**
 * Runs the person check of a sale page (R5, N4): gets a challenge from the shop, solves it with workers or a widget, and
 * shows its state. Pages load this module only for sales that require the check.
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
import { type CheckState, type CheckStep, personCheck, type SolvedCheck } from './check/person-check.ts'
import { runWidget } from './check/widget.ts'
import type { OpeningKey } from './sale/news.ts'

/**
 * `ask` fetches a challenge, or a ticket for a token. `kind` is the check in the page's markup. `worker` is the address of
 * the proof-of-work script. `place` has a status line and the place of the widget. `button` is the id of the button that
 * gets the focus. `now` is the shop's time, epoch ms.
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

/** Starts the check once its words are loaded; undefined if that fails. Sends nothing before a `draw` in which it is due. */
export async function startCheck({ ask, kind, worker, voice, now, onChange, ...parts }: CheckParts) {
  const { place = byId('check'), button = 'buy' } = parts
  let language: Language | undefined
  // Keeps its language while the words of another cannot be loaded.
  const speak = async (): Promise<void> => {
    const wanted = voice.language()
    if (await loadWords('sale-later', wanted)) language = wanted
  }
  const say = (key: keyof typeof checkMessages) => words(key, language ?? 'en')
  await speak()
  if (language === undefined) return undefined
  voice.onChange(() => void speak().then(onChange))
  // Workers need `crypto.subtle`, which browsers offer only to secure pages.
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
    /** Call it on each draw of the page. */
    draw(due: boolean, phase: Phase | undefined): void {
      check.poll(due)
      show(check.state(), phase)
    },
  }
}

/** Parses a ticket, which is the solution of a check that another service verified. */
function readTicket(body: unknown): SolvedCheck | undefined {
  const { ticket, expiresAt } = fieldsOf(body) ?? {}
  if (typeof ticket !== 'string' || typeof expiresAt !== 'number') return undefined
  return { payload: ticket, expiresAt }
}

export type SaleCheck = NonNullable<Awaited<ReturnType<typeof startCheck>>>

/** More workers only heat the phone: two solve an ordinary challenge in about a second. */
const maxWorkers = 4

/**
 * Solves a challenge (R5). Uses the solver of the ALTCHA package and not its widget: 1 kB instead of 30. Undefined for an
 * answer without a challenge, and when there is no solution within 90 s.
 */
export async function solve(
  body: unknown,
  createWorker: () => Worker,
  cores: number,
): Promise<SolvedCheck | undefined> {
  const read = readChallenge(body)
  if (read === undefined) return undefined
  const { challenge, expiresAt } = read
  try {
    const solution = await solveChallengeWorkers({ challenge, concurrency: Math.min(maxWorkers, cores), createWorker })
    if (solution === null) return undefined
    return { payload: btoa(JSON.stringify({ challenge, solution })), expiresAt }
  } catch {
    // A worker that fails to load reports no reason.
    return undefined
  }
}

/** Parses the signed challenge and its expiry, epoch ms. Keeps all fields, because the signature covers them. */
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
 * Returns a function that draws the state of the check and a button to retry. The first child of `place` is the line.
 * `button` is the id of the element that gets the focus when the retry button disappears.
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

  /** Returns the text of a state; undefined if there is nothing to say. The news line already links to the sign-in. */
  function wordsOf(state: CheckState, phase: Phase | undefined): string | undefined {
    if (state.kind === 'off') return undefined
    if (state.kind === 'later') return phase === 'open' ? undefined : voice.t('check.later')
    if (state.kind !== 'refused') return say(`check.${state.kind}`)
    return state.code === 'sign-in-required' ? undefined : voice.t(`problem.${state.code}`)
  }

  /** Moves the focus to the button before the retry button disappears. */
  function hideAgain(hidden: boolean): void {
    if (hidden && document.activeElement === again) byId(button).focus()
    again.hidden = hidden
  }
}
