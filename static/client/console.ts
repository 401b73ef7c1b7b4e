/** The marketer's console: the address after `#` chooses the view. */
import { consoleMessages } from '../messages/console.ts'
import { askFirst } from './confirm.ts'
import type { Refused } from './console/api.ts'
import { openAudit } from './console/audit.ts'
import { openBlocks } from './console/blocks.ts'
import { openForm } from './console/form.ts'
import { openList } from './console/list.ts'
import { openSale } from './console/sale.ts'
import { announceSession } from './console/session.ts'
import {
  type Leave,
  needsSignIn,
  reasonText,
  signedInHash,
  type Unsaved,
  type ViewContext,
} from './console/view.ts'
import { byId, make, setText } from './dom.ts'
import { signInPath } from './return-path.ts'
import { startVoice } from './voice.ts'

const voice = startVoice(consoleMessages)
const place = byId('view')
const status = byId('status')
let leave: Leave = () => undefined
let unsaved: Unsaved | undefined
let shownHash = ''
let asking = false

const context: ViewContext = {
  voice,
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
    const href = signInPath(location.pathname + location.hash)
    context.show(
      make('h1', {}, voice.t('console.title')),
      make(
        'div',
        { class: 'empty' },
        make('p', {}, voice.t('problem.role-required')),
        make('a', { class: 'button', href }, voice.t('console.signIn')),
      ),
    )
    return true
  },
  go(hash) {
    if (location.hash === hash) route()
    else location.hash = hash
  },
  keep(entered) {
    unsaved = entered
  },
}

function open(hash: string): Leave {
  const [, first, saleId, last] = hash.split('/')
  if (location.hash === signedInHash) return openSignedIn()
  if (first === 'new') return openForm(context)
  if (first === 'audit') return openAudit(context)
  if (first === 'blocks') return openBlocks(context)
  if (first === 'sale' && saleId !== undefined) {
    return last === 'edit' ? openForm(context, saleId) : openSale(context, saleId)
  }
  return openList(context, first === 'archived')
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
  leave()
  unsaved = undefined
  shownHash = location.hash
  setText(status, '')
  const tab = /^#\/(audit|blocks)/.exec(location.hash)?.[1] ?? 'sales'
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
  if (isDirty()) unsaved?.redraw()
  else route()
})
route()
