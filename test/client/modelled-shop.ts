/**
 * A shop in a few lines, with one sale and one shopper, whose network and functions fail as a play says: what became of each
 * request is known, also where its answer was lost.
 */
import fc from 'fast-check'
import { type ProblemCode, type ProblemFacts, problem } from '../../core/outcome.ts'

export const saleId = 'phone'

/** The faults of one click. The words before a dash say where it ends, those after it what took effect. */
export const clickFaults = [
  'request-lost',
  'answer-lost',
  'answer-cut',
  'late',
  'gateway-before',
  'gateway-after',
  'function-fails-before',
  'function-fails-after',
  'throttled',
  'at-capacity',
  'too-many-requests',
  'pass-missing',
  'opened-again',
  'others-buy-all',
  'gate-remembers-sold-out',
  'order-ends',
] as const
type ClickFault = (typeof clickFaults)[number] | 'none'

export const readFaults = ['request-lost', 'function-fails-before', 'signed-out'] as const
type ReadFault = (typeof readFaults)[number] | 'none'

/** More than half of the requests fail while faults are left; afterwards all is well. */
export const faultsOf = <T extends string>(faults: readonly T[], most: number) =>
  fc.array(fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...faults) }, fc.constant<'none'>('none')), {
    maxLength: most,
  })

type Order = { orderId: string; key: string; status: string; quantity: number; reservedAt: number }

/** `skewMs`: the shop's clock is so much ahead. `hasOlder`: the shopper bought a unit an hour ago. */
type Options = {
  clicks: readonly ClickFault[]
  reads: readonly ReadFault[]
  stock: number
  skewMs: number
  hasOlder: boolean
}

const lost = () => {
  throw new TypeError('no answer')
}

export function modelledShop({ clicks, reads, stock, skewMs, hasOlder }: Options) {
  const nextClick = [...clicks]
  const nextRead = [...reads]
  const now = () => Date.now() + skewMs
  const bought = { orderId: `${saleId}-older`, key: 'older', status: 'paid', quantity: 1 }
  const older: Order = { ...bought, reservedAt: now() - 3_600_000 }
  const orders: Order[] = hasOlder ? [older] : []
  const isHeld = ({ status }: Order) => status !== 'cancelled'
  let packet: { packetId: string; amount: number; currency: string } | undefined
  let left = stock
  let epoch = 1
  let pass = 1
  let isGateShut = false
  /** Requests that are on their way, and arrive while their client waits. */
  const onTheWay: (() => void)[] = []

  const json = (body: unknown, status = 200, headers: Record<string, string> = {}) =>
    Response.json(body, { status, headers: { 'x-sluice-now': String(now()), ...headers } })
  const refuse = (code: ProblemCode, facts: ProblemFacts = {}, atGate = false) => {
    const said = problem(code, 'No.', facts)
    return Response.json(said, { status: said.status, headers: atGate ? { 'x-sluice-gate': 'refused' } : {} })
  }
  const lookup = `/api/orders?sale=${saleId}`

  /** The function: the same key gets the same order again. */
  function buy(key: string, startToken: string): Response {
    const known = orders.find((one) => one.key === key)
    if (known !== undefined) {
      const { orderId } = known
      return isHeld(known)
        ? json({ orderId, status: 'reserved', quantity: 1, remaining: left })
        : json({ orderId, status: 'cancelled', quantity: 0, remaining: left })
    }
    if (startToken !== `token-${epoch}`) return refuse('stale-page', { lookup })
    if (left === 0) return refuse('sold-out', { remaining: 0, lookup })
    left -= 1
    const orderId = `${saleId}-${orders.length}`
    orders.push({ orderId, key, status: 'reserved', quantity: 1, reservedAt: now() })
    return json({ orderId, status: 'reserved', quantity: 1, remaining: left }, 202)
  }

  function claim(startToken: string): Response {
    if (packet !== undefined) return json({ ...packet, repeat: true })
    if (startToken !== `token-${epoch}`) return refuse('stale-page', { lookup: '/api/wallet' })
    if (left === 0) return refuse('sold-out', { remaining: 0, lookup: '/api/wallet' })
    left -= 1
    packet = { packetId: `${saleId}-7`, amount: 88, currency: 'CNY' }
    return json({ ...packet, remaining: left })
  }

  /** One click, as far as `fault` lets it come. */
  function answerClick(fault: ClickFault, hasPass: boolean, take: () => Response): Response {
    switch (fault) {
      case 'request-lost':
        return lost()
      case 'late':
        onTheWay.push(take)
        return lost()
      case 'gateway-before':
        return new Response('<html>Bad gateway</html>', { status: 502 })
      case 'function-fails-before':
        return refuse('unavailable', { retryAfterSeconds: 1 })
      case 'throttled':
        return Response.json({ Message: 'Rate Exceeded.' }, { status: 429 })
      case 'at-capacity':
        return refuse('at-capacity', { retryAfterSeconds: 2 }, true)
      case 'too-many-requests':
        return refuse('too-many-requests', { retryAfterSeconds: 3 }, true)
      case 'pass-missing':
        pass += 1
        return refuse('sign-in-required', { field: 'pass' }, true)
      case 'opened-again':
        epoch += 1
        break
      case 'others-buy-all':
        left = 0
        break
      case 'gate-remembers-sold-out':
        left = 0
        isGateShut = true
        break
      case 'order-ends':
        for (const one of orders) if (one !== older) one.status = 'cancelled'
    }
    if (!hasPass) return refuse('sign-in-required', { field: 'pass' }, true)
    // The gate knows no orders: it refuses the repeat of a purchase that has won as well.
    if (isGateShut) return refuse('sold-out', { remaining: 0, lookup }, true)
    const answer = take()
    if (fault === 'answer-lost') return lost()
    if (fault === 'answer-cut') return new Response('{"orderId":"pho', { status: 202 })
    if (fault === 'gateway-after') return new Response('<html>Bad gateway</html>', { status: 502 })
    return fault === 'function-fails-after' ? refuse('unavailable', { retryAfterSeconds: 1 }) : answer
  }

  function answerRead(path: string): Response {
    const fault = nextRead.shift() ?? 'none'
    if (fault === 'request-lost') return lost()
    if (fault === 'function-fails-before') return refuse('unavailable', { retryAfterSeconds: 1 })
    if (fault === 'signed-out') return refuse('sign-in-required')
    if (path === '/api/pass') return json({ pass: `pass-${pass}` }, 200, { 'x-sluice-pass': `pass-${pass}` })
    if (path.startsWith('/api/packets')) return json({ packet: packet ?? null })
    const shown = orders.map((one) => ({ ...one, saleId, amount: 1, currency: 'CNY', payBy: null, history: [] }))
    return json({ orders: shown.toReversed(), next: null })
  }

  /** `hasCookies`: the pass is a cookie of the browser, which always has the newest. */
  const fetchWith =
    (hasCookies: boolean) =>
    async (input: string, init?: RequestInit): Promise<Response> => {
      init?.signal?.throwIfAborted()
      const { pathname, search } = new URL(input, 'https://shop.example')
      if (pathname.endsWith('/current.json')) return json({ saleId, version: epoch })
      if (pathname.includes('/countdown.')) return json({ saleId, startsAt: 0, startToken: `token-${epoch}` })
      if (init?.method !== 'POST') return answerRead(pathname + search)
      const headers = new Headers(init.headers)
      const { startToken } = JSON.parse(String(init.body)) as { startToken: string }
      const key = headers.get('idempotency-key') ?? ''
      const hasPass = hasCookies || headers.get('x-sluice-pass') === `pass-${pass}`
      const take = () => (pathname.endsWith('/packets') ? claim(startToken) : buy(key, startToken))
      return answerClick(nextClick.shift() ?? 'none', hasPass, take)
    }

  return {
    fetchWith,
    now,
    startToken: () => `token-${epoch}`,
    /** Requests in flight arrive. */
    arrive() {
      for (const request of onTheWay.splice(0)) request()
    },
    /** All is well from here on. */
    heal() {
      nextClick.length = 0
      nextRead.length = 0
    },
    /** The orders that hold a unit of the shopper, without the one from an hour ago. */
    held: () => orders.filter((one) => one !== older && isHeld(one)).map(({ orderId }) => orderId),
    /** All orders but that one. */
    made: () => orders.filter((one) => one !== older).map(({ orderId }) => orderId),
    packet: () => packet,
  }
}
