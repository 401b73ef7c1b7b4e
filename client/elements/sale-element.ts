/**
 * Implements `<sluice-sale>`, which shows one sale on a page of another site and sells a unit to the customer of that page.
 * It stores nothing: the session is a token in memory, and the browser sends no cookie of the shop.
 */
import type { Language } from '../../core/language.ts'
import { pageStart } from '../../core/sale/page-phase.ts'
import type { Phase } from '../../core/sale/phase.ts'
import { type Connection, connect, NoAnswer, Refused, type SaleSnapshot } from '../connection.ts'
import { type BuyOptions, purchases } from '../purchase.ts'
import type { Order, Problem, Product } from '../types.ts'
import { createCustomer, type TokenProvider } from './customer.ts'
import { drawParts, type Parts, write } from './look.ts'
import { countdownText, shownPhase } from './phase.ts'
import { shopOriginOf } from './shop.ts'
import { type Watch, watchSale } from './watch.ts'
import { type ElementKey, isKey, languageOf, say, shownLanguage, textDirection } from './words.ts'

type Refusal = Pick<Problem, 'code' | 'retryAfterSeconds'>

/** The state of the shopper's click. */
type ClickState =
  | { kind: 'none' | 'sending' | 'gone' }
  | { kind: 'refused'; problem: Refusal }
  | { kind: 'unsure'; key: string; since: number }
  | { kind: 'won'; orderId: string; order: Order | undefined; note: ElementKey }

/** The button, or the link that replaces it. */
type Offer = { label: string; isLit: boolean } | { label: string; href: string }

/** The interval at which phase and countdown are drawn, ms. */
const drawEveryMs = 500

/** Sends no request for a pass in this time before the start, ms: the pointer and the clicks need the network. */
const quietMs = 20_000
const passLifeMs = 6 * 3600_000

export class SaleElement extends HTMLElement {
  static readonly observedAttributes = ['sale', 'token-from']
  /** A bare element has only the button, its link and the status. */
  static readonly isBare: boolean = false

  #provideToken: TokenProvider | undefined
  #parts: Parts | undefined
  #run: (Run & Settings) | undefined

  /** The function that returns the token of the page's customer. It replaces `token-from`. */
  get token(): TokenProvider | undefined {
    return this.#provideToken
  }

  set token(give: TokenProvider | undefined) {
    this.#provideToken = give
    this.#renew()
  }

  connectedCallback(): void {
    // A page may have set `token` before the element was defined.
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

  /** Restarts the element if its settings changed, once for all changes of a task. A moved element keeps running. */
  #renew(): void {
    queueMicrotask(() => {
      // The parser may not have reached the link inside the element yet.
      if (document.readyState === 'loading' && !this.hasChildNodes()) {
        document.addEventListener('DOMContentLoaded', () => this.#renew())
        return
      }
      const [sale, from] = [this.getAttribute('sale'), this.getAttribute('token-from')]
      const settings = { sale, from, give: this.#provideToken, origin: shopOriginOf(this) }
      const { give, origin } = settings
      const run: Partial<Settings> = this.#run ?? {}
      const keys = Object.keys(settings) as (keyof Settings)[]
      if (this.isConnected && keys.every((key) => run[key] === settings[key])) return
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
      this.#run = { ...settings, ...sell({ element: this, parts, origin, saleId: sale, give: ask }) }
    })
  }
}

export class ButtonElement extends SaleElement {
  static override readonly isBare = true
}

type Run = { stop(): void }
type Settings = {
  sale: string | null
  from: string | null
  give: TokenProvider | undefined
  /** The origin of the shop. */
  origin: string | undefined
}
type Selling = Pick<Settings, 'give'> & { element: HTMLElement; parts: Parts; origin: string; saleId: string }

/** Shows and sells one sale in `parts` until it is stopped. */
function sell({ element, parts, origin, saleId, give }: Selling): Run {
  const stopping = new AbortController()
  const { signal } = stopping
  const customer = createCustomer(give ?? (() => undefined))
  const shop: Connection = connect({ url: origin, token: () => customer.token() })
  const { buy: order, changes } = purchases(shop)
  const share = Math.random()
  const pageUrl = `${origin}/sales/${saleId}/`
  const { button, link, status } = parts
  let clickState: ClickState = { kind: 'none' }
  let product: Product | undefined
  let failure: 'missing' | 'offline' | undefined
  let soldOutAt = 0
  let wasWaiting = false
  let isBroken = false
  let passDueAt: number | undefined
  let passRequest: Promise<void> | undefined

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

  function phaseOf(seen: SaleSnapshot): Phase {
    const phase = shownPhase(seen, shop.now(), share)
    // The gate refused a click after the pointer was published.
    return phase === 'open' && seen.pointer.at < soldOutAt ? 'sold-out' : phase
  }

  /** Draws the element. Until the sale and its words are loaded, and if drawing fails, its own content stays visible. */
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

  /** Returns true if it shows the sale. */
  function drawCard(language: Language): boolean {
    const { seen } = watch
    const t: Say = (key, args) => say(language, key, args)
    parts.card.lang = language
    parts.card.dir = textDirection(language)
    if (seen === undefined) {
      offer({ label: t('button.toPage'), href: pageUrl }, { label: '', href: '' })
      write(status, failure === 'offline' ? t('status.offline') : '')
      return false
    }
    const phase = phaseOf(seen)
    product = seen.countdown.product
    // Units were released after this click was refused.
    const isOver = clickState.kind === 'refused' && clickState.problem.code === 'sold-out' && phase === 'open'
    if (isOver) clickState = { kind: 'none' }
    prefetch(seen, phase)
    drawFacts(seen, phase, language)
    drawClock(seen, phase, t)
    offer(offerOf(phase, language, t), { label: t('button.owned'), href: ownOrders() })
    if (phase === 'open' && wasWaiting && clickState.kind === 'none') write(status, t('button.ready'))
    else if (isOver || phase !== 'open' || clickState.kind !== 'none' || status.textContent === '') {
      write(status, statusText(phase, t))
    }
    wasWaiting = phase === 'scheduled' || (wasWaiting && phase === 'open')
    return true
  }

  function drawFacts({ pointer }: SaleSnapshot, phase: Phase, language: Language): void {
    write(parts.title, product?.titles?.[language] ?? product?.title ?? '')
    write(parts.price, product === undefined || product.price === 0 ? '' : moneyText(product.price, product, language))
    const isCounted = pointer.remaining > 0 && clickState.kind !== 'won' && (phase === 'open' || phase === 'scheduled')
    write(parts.stock, isCounted ? say(language, 'stock.left', { remaining: pointer.remaining }) : '')
  }

  type Say = (key: ElementKey, args?: Record<string, string | number>) => string

  function drawClock({ pointer }: SaleSnapshot, phase: Phase, t: Say): void {
    const now = shop.now()
    const payBy = clickState.kind === 'won' ? (clickState.order?.payBy ?? undefined) : undefined
    const until = payBy ?? (phase === 'scheduled' ? pageStart(pointer, now) : undefined)
    parts.clock.hidden = until === undefined
    if (until === undefined) return
    const isLate = payBy === undefined && until <= now
    write(parts.label, t(payBy !== undefined ? 'order.payIn' : isLate ? 'clock.anyMoment' : 'clock.startsIn'))
    write(parts.countdown, isLate ? '' : countdownText(until - now, t('time.d')))
  }

  function offerOf(phase: Phase, language: Language, t: Say): Offer {
    if (clickState.kind === 'won') return ofOrder(clickState, language, t)
    if (clickState.kind === 'sending') return { label: t('button.sending'), isLit: false }
    if (clickState.kind === 'unsure') return { label: t('button.again'), isLit: true }
    if (phase === 'ended' || phase === 'sold-out') return { label: t(`button.${phase}`), isLit: false }
    const isElsewhere = give === undefined || product === undefined || product.onPage === true
    if (isElsewhere || needsShopPage()) return { label: t('button.toPage'), href: pageUrl }
    if (customer.state === 'guest' && (phase === 'open' || phase === 'scheduled')) {
      const back = encodeURIComponent(new URL(pageUrl).pathname)
      return { label: t('button.sign-in'), href: `${origin}/api/sign-in?return=${back}` }
    }
    if (phase === 'open') return { label: t('button.ready'), isLit: true }
    return { label: t(phase === 'scheduled' ? 'button.early' : `button.${phase}`), isLit: false }
  }

  /** True after a refusal that only the shop's own page can resolve. */
  const needsShopPage = () =>
    clickState.kind === 'refused' &&
    ['origin-not-allowed', 'challenge-required', 'challenge-failed', 'conflict', 'invalid-request'].includes(
      clickState.problem.code,
    )

  function ofOrder({ order }: Extract<ClickState, { kind: 'won' }>, language: Language, t: Say): Offer {
    if (order?.status !== 'awaiting-payment') return { label: t('button.won'), isLit: false }
    if (order.delivery === 'missing') return { label: t('button.owned'), href: orderUrl(order.orderId) }
    const digits = product?.digits ?? 2
    return { label: t('order.pay', { amount: moneyText(order.amount, { ...order, digits }, language) }), isLit: true }
  }

  /** Returns the address of this click's order, or of earlier orders; empty if there are none. */
  function ownOrders(): string {
    if (clickState.kind === 'won') return orderUrl(clickState.orderId)
    return clickState.kind === 'refused' && clickState.problem.code === 'limit-reached' ? `${origin}/orders/` : ''
  }

  /** Shows the button and the second link, if it has an address, or only a link. */
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
    if (clickState.kind === 'won') return [t(clickState.note), ...(clickState.order?.coupons ?? [])].join(' ')
    if (clickState.kind === 'refused') return problemText(clickState.problem, t)
    if (clickState.kind !== 'none') return t(`status.${clickState.kind}`)
    if (product?.onPage === true && phase !== 'ended' && phase !== 'sold-out') return t('status.onPage')
    return failure === 'offline' ? t('status.offline') : ''
  }

  /** Gets token and pass before the start. Each page of a crowd picks its own time for it. */
  function prefetch({ pointer }: SaleSnapshot, phase: Phase): void {
    if (give === undefined || phase !== 'scheduled' || passRequest !== undefined) return
    const now = shop.now()
    const startsAt = pageStart(pointer, now)
    // An earlier pass would expire before the start.
    const from = Math.max(now, startsAt + 60_000 - passLifeMs)
    passDueAt ??= from + share * Math.max(0, startsAt - quietMs - from)
    if (now >= passDueAt && customer.state === 'known') void getPass()
  }

  /** Sends one request. If it fails, the click gets the pass. */
  async function getPass(): Promise<void> {
    if (watch.seen?.countdown.requirePass === 'off') return
    passRequest ??= shop.getPass(signal, 1).then(() => undefined, ignoreRefusal)
    await passRequest
  }

  async function buy(): Promise<void> {
    let how: BuyOptions = clickState.kind === 'unsure' ? { key: clickState.key, since: clickState.since } : {}
    setState({ kind: 'sending' })
    for (let isFirst = true; ; isFirst = false) {
      if ((await customer.token()) === undefined) {
        const code = customer.state === 'guest' ? 'sign-in-required' : 'unavailable'
        return setState({ kind: 'refused', problem: { code } })
      }
      await getPass()
      const bought = await order(saleId, { ...how, signal })
      if (bought.kind === 'won') return follow(bought.orderId)
      if (bought.kind !== 'refused') {
        return setState(bought.kind === 'unsure' ? bought : { kind: 'gone' })
      }
      const { problem, key } = bought
      if (isFirst && problem.code === 'sign-in-required') {
        // The token may have expired.
        customer.forget()
        how = { ...how, key }
        continue
      }
      if (problem.code === 'sold-out') soldOutAt = shop.now()
      setState({ kind: 'refused', problem })
      watch.readSoon()
      return
    }
  }

  /** Dispatches `sluice-won`, and shows the order until it is paid or cancelled. */
  async function follow(orderId: string): Promise<void> {
    const won = { kind: 'won', orderId, order: undefined, note: 'status.got' } as const
    setState(won)
    const detail = { saleId, orderId, orderUrl: orderUrl(orderId) }
    element.dispatchEvent(new CustomEvent('sluice-won', { bubbles: true, composed: true, detail }))
    watch.readSoon()
    for await (const seen of changes(orderId, signal)) {
      const { status: step } = seen
      if (/cancelled|rejected|refund/.test(step)) return setState({ kind: 'gone' })
      const isOpen = step === 'awaiting-payment' || step === 'reserved'
      if (!isOpen)
        return setState({ ...won, order: seen, note: `order.status.${step === 'fulfilled' ? step : 'paid'}` })
      setState({ ...won, order: seen })
    }
  }

  /** Opens a page of the shop as this customer. The token is added here, so that a copied link has none. */
  async function go(href: string): Promise<void> {
    const token = await customer.token()
    const back = encodeURIComponent(href.slice(origin.length))
    window.open(token === undefined ? href : `${origin}/customer/#token=${token}&return=${back}`, '_top')
  }

  function setState(next: ClickState): void {
    clickState = next
    draw()
  }

  /** Ignores a refused or unanswered call, which is not an error of the page. */
  function ignoreRefusal(wrong: unknown): void {
    if (!(signal.aborted || wrong instanceof Refused || wrong instanceof NoAnswer)) throw wrong
  }

  button.addEventListener(
    'click',
    () => {
      if (button.getAttribute('aria-disabled') === 'true') return
      // The order page starts the payment, because there the shopper has a session when the provider redirects back.
      const work = clickState.kind === 'won' ? go(`${orderUrl(clickState.orderId)}#pay`) : buy()
      work.catch(ignoreRefusal)
    },
    { signal },
  )
  link.addEventListener(
    'click',
    (event) => {
      const { href, pathname } = link
      const isSignIn = pathname === '/api/sign-in'
      const asked = new CustomEvent('sluice-sign-in', { bubbles: true, composed: true, cancelable: true })
      // The host page may cancel the event and open its own sign-in.
      if (isSignIn && !element.dispatchEvent(asked)) event.preventDefault()
      const isPlain = !(event.ctrlKey || event.metaKey || event.shiftKey)
      if (isSignIn || customer.state !== 'known' || !isPlain) return
      event.preventDefault()
      void go(href)
    },
    { signal },
  )
  const prefetchPass = () => {
    const isOpen = watch.seen !== undefined && phaseOf(watch.seen) === 'open'
    if (isOpen && customer.state === 'known') void getPass()
  }
  for (const kind of ['pointerenter', 'focus']) button.addEventListener(kind, prefetchPass, { signal })
  const prefetchToken = () => {
    if (give !== undefined && !document.hidden && customer.state !== 'known') void customer.token().then(draw)
  }
  document.addEventListener('visibilitychange', prefetchToken, { signal })
  prefetchToken()
  const timer = setInterval(() => document.hidden || draw(), drawEveryMs)
  draw()
  return {
    stop() {
      clearInterval(timer)
      stopping.abort()
    },
  }
}

function problemText(
  { code, retryAfterSeconds = 1 }: Refusal,
  t: (key: ElementKey, args?: Record<string, number>) => string,
) {
  // A click that came too late has the text of the button.
  const key = [`problem.${code}`, `button.${code}`].find(isKey) ?? 'problem.unavailable'
  return t(key, { seconds: retryAfterSeconds })
}

/** Formats an amount in minor units for the reader, with all decimals. */
function moneyText(
  amount: number,
  { currency, digits }: Pick<Product, 'currency' | 'digits'>,
  language: Language,
): string {
  const format = { style: 'currency', currency, minimumFractionDigits: digits, maximumFractionDigits: digits } as const
  return new Intl.NumberFormat(language, format).format(amount / 10 ** digits)
}

/** Returns the language of the nearest `lang` around `element`, across shadow roots; falls back to the browser's. */
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
 * Fetches a token, as text or as JSON `{token}`, from `address` on the host's own site. Returns undefined for a guest: 401,
 * 403 or a redirect to a sign-in page.
 * @throws for an address of another site and for any other answer
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
