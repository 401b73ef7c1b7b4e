/**
 * `<sluice-sale>`: shows one sale of the shop on a page of another site, and sells a unit of it to the customer of that
 * page. It keeps nothing: the session is a token in memory, and no cookie of the shop is ever sent.
 */
import { startSeen } from '../../core/sale/page-phase.ts'
import type { Phase } from '../../core/sale/phase.ts'
import { type Connection, connect, NoAnswer, Refused, type Seen } from '../connection.ts'
import { type BuyOptions, purchases } from '../purchase.ts'
import type { Order, Problem, Product } from '../types.ts'
import { createCustomer, type GiveToken } from './customer.ts'
import { drawParts, type Parts, write } from './look.ts'
import { clockText, phaseAt } from './phase.ts'
import { shopOf } from './shop.ts'
import { type Watch, watchSale } from './watch.ts'
import { directionOf, isKey, type Key, type Language, languageOf, say, shownLanguage } from './words.ts'

type Refusal = Pick<Problem, 'code' | 'retryAfterSeconds'>

/** What became of the shopper's click. */
type Deal =
  | { kind: 'none' | 'sending' | 'gone' }
  | { kind: 'refused'; problem: Refusal }
  | { kind: 'unsure'; key: string; since: number }
  | { kind: 'won'; orderId: string; order: Order | undefined; note: Key }

/** The text of the button, or of the link in its place. */
type Offer = { label: string; isLit: boolean } | { label: string; href: string }

/** The pause between two drawings of phase and countdown, ms. */
const drawEveryMs = 500

/** From here to the start the network belongs to the pointer and the clicks, ms. */
const quietMs = 20_000
const passLifeMs = 6 * 3600_000

export class SaleElement extends HTMLElement {
  static readonly observedAttributes = ['sale', 'token-from']
  /** A bare element has no more than the button and what became of the click. */
  static readonly isBare: boolean = false

  #give: GiveToken | undefined
  #parts: Parts | undefined
  #run: (Run & Wanted) | undefined

  /** Gives the token of the page's customer, in place of `token-from`; undefined for a guest. */
  get token(): GiveToken | undefined {
    return this.#give
  }

  set token(give: GiveToken | undefined) {
    this.#give = give
    this.#renew()
  }

  connectedCallback(): void {
    // A page may have set it before the element was defined.
    const { token } = this
    Reflect.deleteProperty(this, 'token')
    this.token = token
  }

  disconnectedCallback(): void {
    this.#renew()
  }

  attributeChangedCallback(): void {
    this.#renew()
  }

  /** Once for all changes of a task: an element that is made or moved begins once, or goes on. */
  #renew(): void {
    queueMicrotask(() => {
      // The parser may not have come to the link inside.
      if (document.readyState === 'loading' && !this.hasChildNodes()) {
        document.addEventListener('DOMContentLoaded', () => this.#renew())
        return
      }
      const [sale, from] = [this.getAttribute('sale'), this.getAttribute('token-from')]
      const wanted = { sale, from, give: this.#give, origin: shopOf(this) }
      const { give, origin } = wanted
      const run: Partial<Wanted> = this.#run ?? {}
      const keys = Object.keys(wanted) as (keyof Wanted)[]
      if (this.isConnected && keys.every((key) => run[key] === wanted[key])) return
      this.#run?.stop()
      this.#run = undefined
      if (!this.isConnected) return
      const isBare = (this.constructor as typeof SaleElement).isBare
      this.#parts ??= drawParts(this, isBare)
      if (origin === undefined || sale === null || !/^[a-z0-9-]+$/.test(sale)) {
        console.error('sluice: no sale or shop:', sale, origin)
        return
      }
      const ask = give ?? (from === null ? undefined : () => tokenFrom(from))
      const parts = this.#parts
      this.#run = { ...wanted, ...sell({ element: this, parts, origin, saleId: sale, give: ask }) }
    })
  }
}

export class ButtonElement extends SaleElement {
  static override readonly isBare = true
}

type Run = { stop(): void }
type Wanted = {
  sale: string | null
  from: string | null
  give: GiveToken | undefined
  /** The shop's. */
  origin: string | undefined
}
type Selling = Pick<Wanted, 'give'> & { element: HTMLElement; parts: Parts; origin: string; saleId: string }

/** Watches and sells one sale in `parts` until it is stopped. */
function sell({ element, parts, origin, saleId, give }: Selling): Run {
  const stopping = new AbortController()
  const { signal } = stopping
  const customer = createCustomer(give ?? (() => undefined))
  const shop: Connection = connect({ url: origin, token: () => customer.token() })
  const { buy: order, changes } = purchases(shop)
  const share = Math.random()
  const pageUrl = `${origin}/sales/${saleId}/`
  const { button, link, status } = parts
  let deal: Deal = { kind: 'none' }
  let product: Product | undefined
  let failure: 'missing' | 'offline' | undefined
  let soldOutAt = 0
  let wasWaiting = false
  let isBroken = false
  let passAt: number | undefined
  let passing: Promise<void> | undefined

  const watch: Watch = watchSale({
    shop,
    saleId,
    signal,
    onRead(wrong) {
      failure = wrong
      draw()
    },
  })

  const orderUrl = (orderId: string) => `${origin}/orders/?id=${encodeURIComponent(orderId)}`

  function phaseOf(seen: Seen): Phase {
    const phase = phaseAt(seen, shop.now(), share)
    // The gate has refused since the pointer was published.
    return phase === 'open' && seen.pointer.at < soldOutAt ? 'sold-out' : phase
  }

  /**
   * Until the sale and its words are known, and where drawing fails, the content of the element stands there: a link that
   * works without a script.
   */
  function draw(): void {
    const language = shownLanguage(languageAt(element), origin)
    let isShown = false
    try {
      isShown = language !== undefined && drawCard(language)
    } catch (wrong) {
      if (!isBroken) console.error('sluice:', wrong)
      isBroken = true
    }
    parts.slot.hidden = isShown
    parts.card.hidden = !isShown && (element.hasChildNodes() || language === undefined)
  }

  /** True once it shows the sale. */
  function drawCard(language: Language): boolean {
    const { seen } = watch
    const t: Say = (key, args) => say(language, key, args)
    parts.card.lang = language
    parts.card.dir = directionOf(language)
    if (seen === undefined) {
      offer({ label: t('button.toPage'), href: pageUrl }, { label: '', href: '' })
      write(status, failure === 'offline' ? t('status.offline') : '')
      return false
    }
    const phase = phaseOf(seen)
    product = seen.countdown.product
    // Units have come back since.
    const isOver = deal.kind === 'refused' && deal.problem.code === 'sold-out' && phase === 'open'
    if (isOver) deal = { kind: 'none' }
    prepare(seen, phase)
    drawFacts(seen, phase, language)
    drawClock(seen, phase, t)
    offer(offerOf(phase, language, t), { label: t('button.owned'), href: ownOrders() })
    if (phase === 'open' && wasWaiting && deal.kind === 'none') write(status, t('button.ready'))
    else if (isOver || phase !== 'open' || deal.kind !== 'none' || status.textContent === '') {
      write(status, statusText(phase, t))
    }
    wasWaiting = phase === 'scheduled' || (wasWaiting && phase === 'open')
    return true
  }

  function drawFacts({ pointer }: Seen, phase: Phase, language: Language): void {
    write(parts.title, product?.titles?.[language] ?? product?.title ?? '')
    write(parts.price, product === undefined || product.price === 0 ? '' : moneyText(product.price, product, language))
    const isCounted = pointer.remaining > 0 && deal.kind !== 'won' && (phase === 'open' || phase === 'scheduled')
    write(parts.stock, isCounted ? say(language, 'stock.left', { remaining: pointer.remaining }) : '')
  }

  type Say = (key: Key, args?: Record<string, string | number>) => string

  function drawClock({ pointer }: Seen, phase: Phase, t: Say): void {
    const now = shop.now()
    const payBy = deal.kind === 'won' ? (deal.order?.payBy ?? undefined) : undefined
    const until = payBy ?? (phase === 'scheduled' ? startSeen(pointer, now) : undefined)
    parts.clock.hidden = until === undefined
    if (until === undefined) return
    const isLate = payBy === undefined && until <= now
    write(parts.label, t(payBy !== undefined ? 'order.payIn' : isLate ? 'clock.anyMoment' : 'clock.startsIn'))
    write(parts.countdown, isLate ? '' : clockText(until - now, t('time.d')))
  }

  function offerOf(phase: Phase, language: Language, t: Say): Offer {
    if (deal.kind === 'won') return ofOrder(deal, language, t)
    if (deal.kind === 'sending') return { label: t('button.sending'), isLit: false }
    if (deal.kind === 'unsure') return { label: t('button.again'), isLit: true }
    if (phase === 'ended' || phase === 'sold-out') return { label: t(`button.${phase}`), isLit: false }
    const isElsewhere = give === undefined || product === undefined || product.onPage === true
    if (isElsewhere || refusedForPage()) return { label: t('button.toPage'), href: pageUrl }
    if (customer.state === 'guest' && (phase === 'open' || phase === 'scheduled')) {
      const back = encodeURIComponent(new URL(pageUrl).pathname)
      return { label: t('button.sign-in'), href: `${origin}/api/sign-in?return=${back}` }
    }
    if (phase === 'open') return { label: t('button.ready'), isLit: true }
    return { label: t(phase === 'scheduled' ? 'button.early' : `button.${phase}`), isLit: false }
  }

  /** Refusals after which only the shop's own page can go on. */
  const refusedForPage = () =>
    deal.kind === 'refused' &&
    ['origin-not-allowed', 'challenge-required', 'challenge-failed', 'conflict', 'invalid-request'].includes(
      deal.problem.code,
    )

  function ofOrder({ order }: Extract<Deal, { kind: 'won' }>, language: Language, t: Say): Offer {
    if (order?.status !== 'awaiting-payment') return { label: t('button.won'), isLit: false }
    if (order.delivery === 'missing') return { label: t('button.owned'), href: orderUrl(order.orderId) }
    const digits = product?.digits ?? 2
    return { label: t('order.pay', { amount: moneyText(order.amount, { ...order, digits }, language) }), isLit: true }
  }

  /** Where the order of this click is, or of an earlier one. */
  function ownOrders(): string {
    if (deal.kind === 'won') return orderUrl(deal.orderId)
    return deal.kind === 'refused' && deal.problem.code === 'limit-reached' ? `${origin}/orders/` : ''
  }

  /** Shows the button with a second link, if that leads anywhere, or a link in its place. */
  function offer(first: Offer, second: { label: string; href: string }): void {
    const isLink = 'href' in first
    const { label, href } = isLink ? first : second
    button.hidden = isLink
    link.hidden = href === ''
    link.classList.toggle('second', !isLink)
    write(link, href === '' ? '' : label)
    if (href !== '') link.href = href
    if (isLink) return
    write(button, first.label)
    button.setAttribute('aria-disabled', String(!first.isLit))
  }

  function statusText(phase: Phase, t: Say): string {
    if (deal.kind === 'won') return [t(deal.note), ...(deal.order?.coupons ?? [])].join(' ')
    if (deal.kind === 'refused') return problemText(deal.problem, t)
    if (deal.kind !== 'none') return t(`status.${deal.kind}`)
    if (product?.onPage === true && phase !== 'ended' && phase !== 'sold-out') return t('status.onPage')
    return failure === 'offline' ? t('status.offline') : ''
  }

  /** Asks for token and pass ahead, so that the click need not: a crowd does so spread over its waiting time. */
  function prepare({ pointer }: Seen, phase: Phase): void {
    if (give === undefined || phase !== 'scheduled' || passing !== undefined) return
    const now = shop.now()
    const startsAt = startSeen(pointer, now)
    // A pass from earlier would end before the start.
    const from = Math.max(now, startsAt + 60_000 - passLifeMs)
    passAt ??= from + share * Math.max(0, startsAt - quietMs - from)
    if (now >= passAt && customer.state === 'known') void getPass()
  }

  /** Asks once: without a pass the click asks again. */
  async function getPass(): Promise<void> {
    if (watch.seen?.countdown.requirePass === 'off') return
    passing ??= shop.getPass(signal, 1).then(() => undefined, unlessRefused)
    await passing
  }

  async function buy(): Promise<void> {
    let how: BuyOptions = deal.kind === 'unsure' ? { key: deal.key, since: deal.since } : {}
    become({ kind: 'sending' })
    for (let isFirst = true; ; isFirst = false) {
      if ((await customer.token()) === undefined) {
        const code = customer.state === 'guest' ? 'sign-in-required' : 'unavailable'
        return become({ kind: 'refused', problem: { code } })
      }
      await getPass()
      const bought = await order(saleId, { ...how, signal })
      if (bought.kind === 'won') return follow(bought.orderId)
      if (bought.kind !== 'refused') {
        return become(bought.kind === 'unsure' ? bought : { kind: 'gone' })
      }
      const { problem, key } = bought
      if (isFirst && problem.code === 'sign-in-required') {
        // The token may have ended since it was given.
        customer.forget()
        how = { ...how, key }
        continue
      }
      if (problem.code === 'sold-out') soldOutAt = shop.now()
      become({ kind: 'refused', problem })
      watch.look()
      return
    }
  }

  /** Reports the win to the page, and shows the order until it is paid or has ended. */
  async function follow(orderId: string): Promise<void> {
    const won = { kind: 'won', orderId, order: undefined, note: 'status.got' } as const
    become(won)
    const detail = { saleId, orderId, orderUrl: orderUrl(orderId) }
    element.dispatchEvent(new CustomEvent('sluice-won', { bubbles: true, composed: true, detail }))
    watch.look()
    for await (const seen of changes(orderId, signal)) {
      const { status: step } = seen
      if (/cancelled|rejected|refund/.test(step)) return become({ kind: 'gone' })
      const isOpen = step === 'awaiting-payment' || step === 'reserved'
      if (!isOpen) return become({ ...won, order: seen, note: `order.status.${step === 'fulfilled' ? step : 'paid'}` })
      become({ ...won, order: seen })
    }
  }

  /** Opens a page of the shop as this customer. Only now does a token come into an address: a link that is copied has none. */
  async function go(href: string): Promise<void> {
    const token = await customer.token()
    const back = encodeURIComponent(href.slice(origin.length))
    window.open(token === undefined ? href : `${origin}/customer/#token=${token}&return=${back}`, '_top')
  }

  function become(next: Deal): void {
    deal = next
    draw()
  }

  /** A call of the shop that was refused or not answered is no fault of the page. */
  function unlessRefused(wrong: unknown): void {
    if (!(signal.aborted || wrong instanceof Refused || wrong instanceof NoAnswer)) throw wrong
  }

  button.addEventListener(
    'click',
    () => {
      if (button.getAttribute('aria-disabled') === 'true') return
      // The page of the order opens the payment: there the shopper has a session for the way back.
      const work = deal.kind === 'won' ? go(`${orderUrl(deal.orderId)}#pay`) : buy()
      work.catch(unlessRefused)
    },
    { signal },
  )
  link.addEventListener(
    'click',
    (event) => {
      const { href, pathname } = link
      const isSignIn = pathname === '/api/sign-in'
      const asked = new CustomEvent('sluice-sign-in', { bubbles: true, composed: true, cancelable: true })
      // The page may have a sign-in of its own that it opens in place of the link.
      if (isSignIn && !element.dispatchEvent(asked)) event.preventDefault()
      const isPlain = !(event.ctrlKey || event.metaKey || event.shiftKey)
      if (isSignIn || customer.state !== 'known' || !isPlain) return
      event.preventDefault()
      void go(href)
    },
    { signal },
  )
  const intend = () => {
    const isOpen = watch.seen !== undefined && phaseOf(watch.seen) === 'open'
    if (isOpen && customer.state === 'known') void getPass()
  }
  for (const kind of ['pointerenter', 'focus']) button.addEventListener(kind, intend, { signal })
  const greet = () => {
    if (give !== undefined && !document.hidden && customer.state !== 'known') void customer.token().then(draw)
  }
  document.addEventListener('visibilitychange', greet, { signal })
  greet()
  const timer = setInterval(() => document.hidden || draw(), drawEveryMs)
  draw()
  return {
    stop() {
      clearInterval(timer)
      stopping.abort()
    },
  }
}

function problemText({ code, retryAfterSeconds = 1 }: Refusal, t: (key: Key, args?: Record<string, number>) => string) {
  // The button shows the answer to a click that came too late.
  const key = [`problem.${code}`, `button.${code}`].find(isKey) ?? 'problem.unavailable'
  return t(key, { seconds: retryAfterSeconds })
}

/** In the reader's own form, with every digit of the minor unit. */
function moneyText(
  amount: number,
  { currency, digits }: Pick<Product, 'currency' | 'digits'>,
  language: Language,
): string {
  const format = { style: 'currency', currency, minimumFractionDigits: digits, maximumFractionDigits: digits } as const
  return new Intl.NumberFormat(language, format).format(amount / 10 ** digits)
}

/** The language of the nearest `lang` around `element`, also outside of its shadow tree, or else the browser's. */
function languageAt(element: Element): Language {
  let at: Element | undefined = element
  while (at !== undefined) {
    const named: string | null | undefined = at.closest('[lang]')?.getAttribute('lang')
    if (named) return languageOf(named)
    const root: Node = at.getRootNode()
    at = root instanceof ShadowRoot ? root.host : undefined
  }
  return languageOf(navigator.language)
}

/**
 * Asks `address` on the host's own site for a token, as text or as JSON `{token}`, with its cookies. 401, 403 and a
 * redirect to a page for signing in mean a guest.
 * @throws for an address of another site, and for any other answer
 */
async function tokenFrom(address: string): Promise<string | undefined> {
  const url = new URL(address, document.baseURI)
  if (url.origin !== location.origin) throw new Error(`token-from must be an address of ${location.origin}`)
  const answer = await fetch(url, { redirect: 'manual', cache: 'no-store' })
  if (answer.type === 'opaqueredirect' || answer.status === 401 || answer.status === 403) return undefined
  if (!answer.ok) throw new Error(`token-from answered ${answer.status}`)
  const text = await answer.text()
  return text.trimStart().startsWith('{') ? (JSON.parse(text) as { token?: string }).token : text
}
