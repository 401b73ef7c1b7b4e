/**
 * Opens the session of a customer from a shop's link, `/customer/#token=<JWT>&return=/sales/mug/`, and continues there.
 * Anyone can make such a link, so the page asks before it replaces a signed-in person.
 *
 * The token is in the fragment, which browsers do not send. The page removes it from the address first, and keeps it in
 * memory only.
 */
import { safeReturnPath } from '../core/people/return-path.ts'
import { customerName } from '../core/people/shown-name.ts'
import { customerRoute, signInPath, signInRoute } from '../core/people/sign-in-paths.ts'
import type { customerMessages } from '../templates/messages/catalogues.ts'
import { customerPatterns } from '../templates/messages/page-patterns.ts'
import { byId, make, setText } from '../web/dom.ts'
import { call } from '../web/http.ts'
import { pageVoice } from '../web/page-voice.ts'
import { button } from '../web/parts.ts'
import { whoIsHere } from '../web/signed-in.ts'
import { payloadIn } from '../web/wire.ts'

type Stop = 'refused' | 'blocked' | 'cookies' | 'busy' | 'unavailable'
type Shown = { kind: 'working' } | { kind: 'ask'; from: string | null; to: string } | { kind: Stop }

let { token, back } = takeLink()
let shown: Shown = { kind: 'working' }

const title = byId('title')
const lead = byId('lead')
const actions = byId('actions')
const voice = await pageVoice<keyof typeof customerMessages>('customer', customerPatterns)
const { t } = voice
voice.onChange(draw)

// Another link of the shop changes only the fragment when this page is open.
addEventListener('hashchange', () => {
  const next = takeLink()
  if (next.token === '') return
  ;({ token, back } = next)
  void open()
})
void open()

/** Reads the link and removes the token from the address. The return path stays, for a reload. */
function takeLink(): { token: string; back: string } {
  const link = new URLSearchParams(location.hash.slice(1))
  const given = link.get('return') ?? ''
  const isOurs = given.startsWith(`${location.origin}/`)
  const path = safeReturnPath(isOurs ? given.slice(location.origin.length) : given)
  history.replaceState(null, '', `${location.pathname}#${new URLSearchParams({ return: path })}`)
  return { token: link.get('token') ?? '', back: path }
}

async function open(): Promise<void> {
  show({ kind: 'working' })
  show(token === '' ? { kind: 'refused' } : await openSession())
}

/** Opens the session and leaves the page. Returns the state to show otherwise. */
async function openSession(): Promise<Shown> {
  const reply = await call(fetch, customerRoute, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
  })
  if (reply.kind === 'lost') return { kind: 'unavailable' }
  if (reply.kind === 'ok') {
    if (whoIsHere() === null) return { kind: 'cookies' }
    location.replace(back)
    return { kind: 'working' }
  }
  const code = reply.problem?.code ?? 'unavailable'
  // The gate verified the token before it answered `conflict`.
  if (code === 'conflict') return { kind: 'ask', from: whoIsHere(), to: customerName(payloadIn(token) ?? {}) }
  return { kind: stops[code] ?? 'refused' }
}

/** The state to show for a problem code. */
const stops: Readonly<Record<string, Stop>> = {
  blocked: 'blocked',
  'too-many-requests': 'busy',
  unavailable: 'unavailable',
}

/** Ends the other person's session and opens the customer's. */
async function replaceSession(): Promise<void> {
  show({ kind: 'working' })
  const ended = await call(fetch, `${signInRoute}/end`, { method: 'POST' })
  show(ended.kind === 'ok' ? await openSession() : { kind: 'unavailable' })
}

function show(next: Shown): void {
  shown = next
  draw()
  if (next.kind !== 'working') title.focus()
}

function draw(): void {
  // The sign-in in the header returns to the same path.
  if (whoIsHere() === null) byId('who', HTMLAnchorElement).href = signInPath(back)
  const { heading, text, controls } = partsOf(shown)
  setText(title, heading)
  setText(lead, text)
  actions.replaceChildren(...controls)
}

type Parts = { heading: string; text: string; controls: readonly HTMLElement[] }

function partsOf(state: Shown): Parts {
  switch (state.kind) {
    case 'working':
      return { heading: t('customer.working'), text: '', controls: [] }
    case 'ask':
      return question(state)
    default:
      return stopped(state.kind)
  }
}

function question({ from: known, to }: { from: string | null; to: string }): Parts {
  const from = known ?? t('customer.someone')
  const isSame = known === to
  const stayText = isSame || known === null ? t('customer.staySame') : t('customer.stay', { from })
  return {
    heading: t('customer.ask', { to }),
    text: t(isSame ? 'customer.askSame' : 'customer.askLead', { from, to }),
    controls: [
      button(t('customer.continue', { to }), replaceSession, { id: 'continue', look: 'main' }),
      button(stayText, () => location.replace(back), { id: 'stay', look: 'plain' }),
    ],
  }
}

function stopped(kind: Stop): Parts {
  const mayRetry = kind === 'busy' || kind === 'unavailable'
  const first = mayRetry
    ? button(t('customer.retry'), open, { id: 'retry', look: 'main' })
    : link('again', t('customer.again'), signInPath(back), 'main')
  const toShop = (rank: Rank) => link('shop', t('customer.toShop'), '/', rank)
  return {
    heading: t(`customer.${kind}`),
    text: t(`customer.${kind}Lead`),
    controls: kind === 'blocked' ? [toShop('main')] : [first, toShop('plain')],
  }
}

type Rank = 'main' | 'plain'

function link(id: string, text: string, href: string, rank: Rank): HTMLElement {
  return make('a', { id, class: `button button--${rank}`, href }, text)
}
