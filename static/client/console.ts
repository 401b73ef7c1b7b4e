/** The marketer's console: the address after `#` chooses the view. */
import type { Me } from '../../core/api/control.ts'
import { type ControlCall, controlRoutes, mayCall } from '../../core/api/control-routes.ts'
import { partMessages } from '../messages/console/parts.ts'
import type { consoleMessages } from '../messages/console.ts'
import { words } from '../messages/text.ts'
import { type Refused, whoAmI } from './console/api.ts'
import { openList } from './console/list/list-view.ts'
import { failedPart, openPart, part } from './console/part.ts'
import { announceSession } from './console/session.ts'
import { drawAccess } from './console/staff-access.ts'
import {
  type Leave,
  needsSignIn,
  reasonText,
  roleList,
  signedInHash,
  type Unsaved,
  type ViewContext,
} from './console/view.ts'
import { askFirst } from './lib/confirm.ts'
import { byId, make, setText } from './lib/dom.ts'
import { readersLanguage, startVoice } from './lib/voice.ts'
import { loadedWords } from './lib/words.ts'
import { signInPath } from './people/sign-in-path.ts'

// Each of these is loaded when it is opened first. The list is what the console begins with, so it is no part of its own.
const form = part(() => import('./console/form/form-view.ts'))
const sale = part(() => import('./console/sale/sale-view.ts'))
const template = part(() => import('./console/form/template-view.ts'))
const orders = part(() => import('./console/orders/orders-view.ts'))
const audit = part(() => import('./console/audit-view.ts'))
const blocks = part(() => import('./console/gate/blocks-view.ts'))
const brand = part(() => import('./console/brand/brand-view.ts'))

/** Until who is signed in is asked again, where there was no answer. */
const retryMs = 3000

const place = byId('view')
const status = byId('status')
const files = loadedWords<keyof typeof consoleMessages>()
const language = readersLanguage()
if (!(await files.load(language))) {
  place.removeAttribute('aria-busy')
  place.replaceChildren(...failedPart((text) => words(text, language)))
  throw new Error(`the words of ${language} cannot be loaded`)
}
const voice = startVoice(files.messages, {
  ...files,
  failed: () => setText(status, voice.say(partMessages['part.language'])),
})
let leave: Leave = () => undefined
let unsaved: Unsaved | undefined
let shownHash = ''
let asking = false
let me: Me | undefined
let isStarting = false
let retry = 0
/** What the next view says first. */
let news = ''

const context: ViewContext = {
  voice,
  may: (call) => mayCall(call, me?.roles ?? []),
  show(...nodes) {
    place.removeAttribute('aria-busy')
    place.replaceChildren(...nodes)
  },
  wait(isWaiting) {
    place.inert = isWaiting
  },
  announce: (text) => setText(status, text),
  explain(reply: Refused) {
    if (!needsSignIn(reply)) {
      setText(status, reasonText(voice, reply))
      return false
    }
    const isStranger = reply.kind === 'refused' && reply.problem?.code === 'sign-in-required'
    const path = signInPath(location.pathname + location.hash)
    // Without the prompt the identity provider would lead straight back with the account that lacks the role.
    const href = isStranger ? path : `${path}&prompt=login`
    context.show(
      make('h1', {}, voice.t('console.title')),
      make(
        'div',
        { class: 'empty' },
        make('p', {}, isStranger ? voice.t('console.signInText') : reasonText(voice, reply)),
        isStranger ? undefined : make('p', {}, voice.t('console.secondFactor')),
        make('a', { class: 'button', href }, voice.t('console.signIn')),
      ),
    )
    return true
  },
  go(hash, text = '') {
    news = text
    if (location.hash === hash) route()
    else location.hash = hash
  },
  keep(entered) {
    unsaved = entered
  },
}

function open(hash: string): Leave {
  const [path = ''] = hash.split('?')
  const [, first, saleId, last] = path.split('/')
  if (location.hash === signedInHash) return openSignedIn()
  if (first === 'new') {
    const from = saleId ? { template: textIn(saleId) } : undefined
    return guarded('createSale', () => openPart(context, form, ({ openForm }) => openForm(context, from)))
  }
  if (first === 'orders') {
    const find = textIn(saleId)
    return guarded('findOrders', () =>
      openPart(context, orders, ({ openOrders }) => openOrders(context, find)),
    )
  }
  if (first === 'audit')
    return guarded('getAudit', () => openPart(context, audit, ({ openAudit }) => openAudit(context)))
  if (first === 'blocks')
    return guarded('listBlocks', () => openPart(context, blocks, ({ openBlocks }) => openBlocks(context)))
  if (first === 'brand')
    return guarded('changeBrand', () => openPart(context, brand, ({ openBrand }) => openBrand(context)))
  if (first === 'sale' && saleId !== undefined) return openOfSale(saleId, last)
  return openList(context, first === 'archived')
}

/** The page of a sale, or what is done with its definition. */
function openOfSale(saleId: string, what: string | undefined): Leave {
  const openFormOf = (from: { edit: string } | { copy: string }) =>
    openPart(context, form, ({ openForm }) => openForm(context, from))
  if (what === 'edit') return guarded('editSale', () => openFormOf({ edit: saleId }))
  if (what === 'copy') return guarded('createSale', () => openFormOf({ copy: saleId }))
  if (what === 'template')
    return guarded('keepTemplate', () =>
      openPart(context, template, ({ openTemplate }) => openTemplate(context, saleId)),
    )
  return openPart(context, sale, ({ openSale }) => openSale(context, saleId))
}

/** The text in a part of the address; empty for one that was changed by hand and is no text. */
function textIn(part = ''): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return ''
  }
}

/** The view, or why this role has none of it. */
function guarded(call: ControlCall, view: () => Leave): Leave {
  if (context.may(call)) return view()
  const needed = roleList(voice, controlRoutes[call].roles, 'disjunction')
  context.show(
    make('h1', {}, voice.t('console.title')),
    make('p', { class: 'empty' }, voice.t('problem.role-required', { roles: needed })),
  )
  return () => undefined
}

/** A tab that was opened to sign in has done its work. */
function openSignedIn(): Leave {
  announceSession()
  context.show(
    make('h1', {}, voice.t('console.title')),
    make('p', { class: 'empty' }, voice.t('console.signedIn')),
  )
  window.close()
  return () => undefined
}

const isDirty = () => unsaved?.isDirty() === true

/** Another view is wanted; what was entered in this one is not dropped without asking. */
async function move(): Promise<void> {
  if (!isDirty()) return route()
  const wanted = location.hash
  history.replaceState(null, '', shownHash)
  if (asking) return
  asking = true
  const discard = { value: 'discard', label: voice.t('do.discard'), kind: 'danger' } as const
  const choice = await askFirst(
    voice.t('ask.leave'),
    [voice.t('ask.leaveText')],
    [discard],
    voice.t('do.keepEditing'),
  )
  asking = false
  if (choice === undefined) return
  unsaved = undefined
  location.hash = wanted === '' ? '#/' : wanted
}

function route(): void {
  if (me === undefined) {
    void start()
    return
  }
  leave()
  unsaved = undefined
  shownHash = location.hash
  setText(status, news)
  news = ''
  const tab = /^#\/(audit|blocks|brand|orders)/.exec(location.hash)?.[1] ?? 'sales'
  for (const link of document.querySelectorAll<HTMLElement>('[data-tab]')) {
    if (link.dataset.tab === tab) link.setAttribute('aria-current', 'page')
    else link.removeAttribute('aria-current')
  }
  leave = open(location.hash)
}

window.addEventListener('hashchange', () => void move())
window.addEventListener('beforeunload', (event) => {
  if (isDirty()) event.preventDefault()
})
voice.onChange(() => {
  if (me !== undefined) drawAccess(voice, me)
  if (isDirty()) unsaved?.redraw()
  else route()
})

/**
 * Every view depends on who asks; without an answer the question is repeated. One question at a time: a second answer
 * would draw the view again, below what is being typed.
 */
async function start(): Promise<void> {
  if (isStarting) return
  isStarting = true
  clearTimeout(retry)
  const answer = await whoAmI()
  isStarting = false
  if (answer.ok) {
    me = answer.value
    drawAccess(voice, me)
    route()
  } else if (!context.explain(answer.reply)) retry = window.setTimeout(start, retryMs)
}

route()
