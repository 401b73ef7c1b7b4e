/** Starts the marketer's console. The address after `#` selects the view. */
import { type ComponentChild, type ComponentType, render } from 'preact'
import type { FailedReply } from '../client/http.ts'
import type { Me } from '../core/api/control-answers.ts'
import { type ControlCall, controlRoutes, mayCall } from '../core/api/control-routes.ts'
import { signInPath } from '../core/people/sign-in-paths.ts'
import { partPatterns } from '../templates/messages/page-patterns.ts'
import { askFirst } from '../web/confirm.ts'
import { byId, setText } from '../web/dom.ts'
import { readersLanguage, startVoice } from '../web/voice.ts'
import { control } from './api.ts'
import { FailedPart, loadConsoleWords, openPart, type Part, part } from './lazy-view.tsx'
import { openList } from './list/list-view.tsx'
import type { Key } from './parts/kind-words.ts'
import { workEnded } from './parts/one-at-a-time.ts'
import { announceSession, drawAccess, settingsPages } from './session.ts'
import { isStranger, needsSignIn, reasonText, roleList, signedInHash, type ViewContext, ViewPlace } from './view.ts'

// Each part is loaded when it is first opened. The list is in the main bundle, because the console starts with it.
const form = part(() => import('./form/sale-form.tsx'))
const sale = part(() => import('./sale/sale-view.tsx'))
const orders = part(() => import('./orders/orders-view.tsx'))
const audit = part(() => import('./report/audit-view.tsx'))
const brand = part(() => import('./brand/brand-view.tsx'))
const health = part(() => import('./report/health-view.tsx'))
const report = part(() => import('./report/report-view.tsx'))

const settings = settingsPages.map(({ name, needs, load }) => ({ name, needs, view: part<ComponentType>(load) }))

/** How long “Done.” is shown, ms. */
const doneMs = 6000
let passing = 0

/** The wait before a failed request for the session is repeated, ms. */
const retryMs = 3000

const place = byId('view')
const status = byId('status')
const language = readersLanguage()
if (!(await loadConsoleWords(language))) {
  place.removeAttribute('aria-busy')
  place.replaceChildren()
  render(<FailedPart say={(key) => partPatterns[language]?.[key] ?? key} />, place)
  throw new Error(`the words of ${language} cannot be loaded`)
}
const voice = startVoice<Key>({
  load: loadConsoleWords,
  failed: () => setText(status, voice.t('part.language')),
})
/** True while the view has unsaved input. */
let isDirty = (): boolean => false
let shownHash = ''
let asking = false
let me: Me | undefined
let isStarting = false
let retry = 0
/** Redraws the current view in another language. */
let redraw: () => void = () => undefined
/** The announcement for the next view. */
let news = ''

/** The number of opened views. */
let visit = 0

/** Creates the context of a view. After the view was left, its late answers have no effect. */
function newContext(): ViewContext {
  visit += 1
  const mine = visit
  const opened = location.hash
  const isLeft = () => mine !== visit
  const draw = (view: ComponentChild) => {
    if (isLeft()) return
    if (place.hasAttribute('aria-busy')) {
      // The markup of the page is busy until the first view.
      place.removeAttribute('aria-busy')
      place.replaceChildren()
    }
    // A new context object redraws every component.
    redraw = () =>
      render(
        <ViewPlace.Provider key={mine} value={{ ...context }}>
          {view}
        </ViewPlace.Provider>,
        place,
      )
    redraw()
  }
  const announce = (text: string, isPassing?: 'passes') => {
    setText(status, text)
    clearTimeout(passing)
    if (isPassing) passing = window.setTimeout(() => setText(status, ''), doneMs)
  }
  const context: ViewContext = {
    voice,
    may: (call) => mayCall(call, me?.roles ?? []),
    draw,
    isLeft,
    wait(isWaiting) {
      place.inert = isWaiting
    },
    announce,
    explain(reply: FailedReply) {
      if (isLeft()) return false
      if (!needsSignIn(reply)) {
        announce(reasonText(voice, reply))
        return false
      }
      const stranger = isStranger(reply)
      const path = signInPath(location.pathname + location.hash)
      // Without the prompt the identity provider would return the account that lacks the role.
      const href = stranger ? path : `${path}&prompt=login`
      draw(
        <>
          <h1>{voice.t('console.title')}</h1>
          <div class="empty">
            <p>{stranger ? voice.t('console.signInText') : reasonText(voice, reply)}</p>
            {!stranger && <p>{voice.t('console.secondFactor')}</p>}
            <a class="button" href={href}>
              {voice.t('console.signIn')}
            </a>
          </div>
        </>,
      )
      // A late answer must not replace the notice.
      visit += 1
      return true
    },
    go(hash, text = '') {
      // A view in another language has the same address.
      if (isLeft() && location.hash !== opened) return
      news = text
      if (location.hash === hash) route()
      else location.hash = hash
    },
    keep(isEntered) {
      if (!isLeft()) isDirty = isEntered
    },
  }
  return context
}

function open(context: ViewContext, hash: string): void {
  const [path = '', query = ''] = hash.split('?')
  const [, first, saleId, last] = path.split('/')
  if (hash === signedInHash) return openSignedIn(context)
  if (first === 'new') return openGuarded(context, 'createSale', form, ({ openForm }) => void openForm(context))
  if (first === 'orders') {
    const find = textIn(saleId)
    return openGuarded(context, find === '' ? 'listAllOrders' : 'findOrders', orders, ({ Orders }) =>
      context.draw(<Orders wanted={find} query={query} />),
    )
  }
  if (first === 'audit') return openGuarded(context, 'getAudit', audit, ({ Audit }) => context.draw(<Audit />))
  if (first === 'brand') return openGuarded(context, 'changeBrand', brand, ({ openBrand }) => void openBrand(context))
  if (first === 'health') return openGuarded(context, 'getHealth', health, ({ Health }) => context.draw(<Health />))
  const setting = settings.find(({ name }) => name === first)
  if (setting !== undefined) return openGuarded(context, setting.needs, setting.view, (View) => context.draw(<View />))
  if (first === 'settings') return context.draw(<Settings />)
  if (first === 'sale' && saleId !== undefined) return openOfSale(context, saleId, last)
  openList(context, first === 'archived')
}

/** Opens the page of a sale, or its form. */
function openOfSale(context: ViewContext, saleId: string, what: string | undefined): void {
  if (what === 'edit' || what === 'copy' || what === 'again') {
    const call = what === 'edit' ? 'editSale' : 'createSale'
    return openGuarded(context, call, form, ({ openForm }) => void openForm(context, { saleId, to: what }))
  }
  if (what === 'report')
    return openGuarded(context, 'getOrders', report, ({ ReportView }) => context.draw(<ReportView saleId={saleId} />))
  openPart(context, sale, ({ openSale }) => openSale(context, saleId))
}

/** Decodes a part of the address; empty if it is malformed. */
function textIn(part = ''): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return ''
  }
}

/** Opens the view, or says why this role may not. */
function openGuarded<P>(context: ViewContext, call: ControlCall, view: Part<P>, openIt: (loaded: P) => void): void {
  if (context.may(call)) return openPart(context, view, openIt)
  const needed = roleList(voice, controlRoutes[call].roles, 'disjunction')
  context.draw(<TextView text={voice.t('problem.role-required', { roles: needed })} />)
}

/** Ends a tab that was opened to sign in. */
function openSignedIn(context: ViewContext): void {
  announceSession()
  context.draw(<TextView text={voice.t('console.signedIn')} />)
  window.close()
}

/** Links to the pages of settings. */
function Settings() {
  return (
    <>
      <h1>{voice.t('console.settings')}</h1>
      <ul class="rows">
        {settingsPages
          .filter(({ needs }) => mayCall(needs, me?.roles ?? []))
          .map(({ name }) => (
            <li key={name}>
              <a class="rows__words" href={`#/${name}`}>
                <strong>{voice.t(`console.${name}`)}</strong> <small>{voice.t(`settings.${name}`)}</small>
              </a>
            </li>
          ))}
      </ul>
    </>
  )
}

/** A view with only a text. */
function TextView({ text }: { text: string }) {
  return (
    <>
      <h1>{voice.t('console.title')}</h1>
      <p class="empty">{text}</p>
    </>
  )
}

/** Opens another view. Asks before it discards unsaved input. */
async function move(): Promise<void> {
  if (!isDirty()) return route()
  const wanted = location.hash
  history.replaceState(null, '', shownHash)
  if (asking) return
  asking = true
  // Input that is being saved is only lost if the save is refused.
  await workEnded()
  const discard = { value: 'discard', label: voice.t('do.discard'), kind: 'danger' } as const
  const ask = () => askFirst(voice.t('ask.leave'), [voice.t('ask.leaveText')], [discard], voice.t('do.keepEditing'))
  const isMeant = !isDirty() || (await ask()) !== undefined
  asking = false
  if (!isMeant) return
  isDirty = () => false
  const next = wanted === '' ? '#/' : wanted
  // The save may have opened another view, which the chosen view replaces.
  if (location.hash === shownHash) location.hash = next
  else history.replaceState(null, '', next)
}

function route(): void {
  if (me === undefined) {
    void start()
    return
  }
  isDirty = () => false
  shownHash = location.hash
  setText(status, news)
  news = ''
  const view = /^#\/(\w+)/.exec(location.hash)?.[1] ?? ''
  const isSetting = settingsPages.some(({ name }) => name === view)
  const tab = isSetting ? 'settings' : /^(?:audit|brand|health|orders|settings)$/.test(view) ? view : 'sales'
  for (const link of document.querySelectorAll<HTMLElement>('[data-tab]')) {
    if (link.dataset.tab === tab) link.setAttribute('aria-current', 'page')
    else link.removeAttribute('aria-current')
  }
  place.inert = false
  open(newContext(), location.hash)
}

// The skip link must not change the address after #, which selects the view.
document.querySelector('.skip')?.addEventListener('click', (event) => {
  event.preventDefault()
  place.focus()
})
window.addEventListener('hashchange', () => void move())
window.addEventListener('beforeunload', (event) => {
  if (isDirty()) event.preventDefault()
})
void import('./parts/keyboard.ts').then(({ keepFocus }) => keepFocus(place))
voice.onChange(() => {
  if (me !== undefined) drawShell(me)
  if (isDirty()) redraw()
  else route()
})

/** Draws the frame of the views: the signed-in person and the health of the system. */
function drawShell(seen: Me): void {
  drawAccess(voice, seen)
  if (!mayCall('getHealth', seen.roles)) return
  health.load().then(
    ({ SystemLine }) => render(<SystemLine voice={{ ...voice }} />, byId('system')),
    () => undefined,
  )
}

/**
 * Reads the session, which every view needs, and repeats it after a failure. One request at a time: a second answer would
 * redraw the view while someone types.
 */
async function start(): Promise<void> {
  if (isStarting) return
  isStarting = true
  clearTimeout(retry)
  const answer = await control.whoAmI()
  isStarting = false
  if (answer.ok) {
    me = answer.value
    drawShell(me)
    route()
  } else if (!newContext().explain(answer.reply)) retry = window.setTimeout(start, retryMs)
}

route()
