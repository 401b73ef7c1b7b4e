/**
 * The check that a shopper is a person (R5, N4), as a part of the sale page of its own: loaded only
 * for a sale that asks for it. It joins the shop that is asked for a challenge, the workers or the
 * widget that work it out, and the words.
 */
import type { Language } from '../../core/language.ts'
import type { Phase } from '../../core/sale/phase.ts'
import type { checkMessages } from '../messages/catalogues.ts'
import { words } from '../messages/text.ts'
import { type CheckStep, personCheck, type Solved } from './check/person-check.ts'
import { solve } from './check/solve.ts'
import { checkView } from './check/view.ts'
import { runWidget } from './check/widget.ts'
import { localNow } from './lib/clock.ts'
import { byId } from './lib/dom.ts'
import type { Reply } from './lib/http.ts'
import type { Voice } from './lib/voice.ts'
import { fieldsOf } from './lib/wire.ts'
import { loadWords } from './lib/words.ts'
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

  const check = personCheck(able, {
    ask,
    solve: work,
    now,
    localNow,
    random: Math.random,
    onChange,
  })
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
