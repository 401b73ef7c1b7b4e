/** The marketer's console: the address after `#` chooses the view. */
import type { Me } from '../../core/api/control.ts'
import { type ControlCall, controlRoutes, mayCall } from '../../core/api/control-routes.ts'
import { consoleMessages } from '../messages/console.ts'
import { askFirst } from './confirm.ts'
import { drawAccess } from './console/access.ts'
import { type Refused, whoAmI } from './console/api.ts'
import { openAudit } from './console/audit.ts'
import { openBlocks } from './console/blocks.ts'
import { openBrand } from './console/brand.ts'
import { openOrders } from './console/find-orders.ts'
import { openForm } from './console/form.ts'
import { openList } from './console/list.ts'
import { openSale } from './console/sale.ts'
import { announceSession } from './console/session.ts'
import { openTemplate } from './console/template.ts'
import {
  type Leave,
  needsSignIn,
  reasonText,
  roleList,
  signedInHash,
  type Unsaved,
  type ViewContext,
} from './console/view.ts'
import { byId, make, setText } from './dom.ts'
import { signInPath } from './return-path.ts'
import { startVoice } from './voice.ts'

/** Until who is signed in is asked again, where there was no answer. */
const retryMs = 3000

const voice = startVoice(consoleMessages)
const place = byId('view')
const status = byId('status')
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
    return guarded('createSale', () => openForm(context, from))
  }
  if (first === 'orders') return guarded('findOrders', () => openOrders(context, textIn(saleId)))
  if (first === 'audit') return guarded('getAudit', () => openAudit(context))
  if (first === 'blocks') return guarded('listBlocks', () => openBlocks(context))
  if (first === 'brand') return guarded('changeBrand', () => openBrand(context))
  if (first === 'sale' && saleId !== undefined) {
    if (last === 'edit') return guarded('editSale', () => openForm(context, { edit: saleId }))
    if (last === 'template') return guarded('keepTemplate', () => openTemplate(context, saleId))
    if (last === 'copy') return guarded('createSale', () => openForm(context, { copy: saleId }))
    return openSale(context, saleId)
  }
  return openList(context, first === 'archived')
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
