/** The marketer's console: the address after `#` chooses the view. */
import { consoleMessages } from '../messages/console.ts'
import type { Refused } from './console/api.ts'
import { openAudit } from './console/audit.ts'
import { openBlocks } from './console/blocks.ts'
import { openForm } from './console/form.ts'
import { openList } from './console/list.ts'
import { openSale } from './console/sale.ts'
import { type Desk, type Leave, reasonText } from './console/view.ts'
import { byId, make, setText } from './dom.ts'
import { signInPath } from './return-path.ts'
import { startVoice } from './voice.ts'

const voice = startVoice(consoleMessages)
const place = byId('view', HTMLElement)
const status = byId('status', HTMLElement)
let leave: Leave = () => undefined

const desk: Desk = {
  voice,
  show(...nodes) {
    place.removeAttribute('aria-busy')
    place.replaceChildren(...nodes)
  },
  tell: (text) => setText(status, text),
  explain(reply: Refused) {
    const code = reply.kind === 'refused' ? reply.problem?.code : undefined
    if (code !== 'sign-in-required' && code !== 'role-required') {
      setText(status, reasonText(voice, reply))
      return false
    }
    const href = signInPath(location.pathname + location.hash)
    desk.show(
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
}

function open(hash: string): Leave {
  const [, first, saleId, last] = hash.split('/')
  if (first === 'new') return openForm(desk)
  if (first === 'audit') return openAudit(desk)
  if (first === 'blocks') return openBlocks(desk)
  if (first === 'sale' && saleId !== undefined) {
    return last === 'edit' ? openForm(desk, saleId) : openSale(desk, saleId)
  }
  return openList(desk)
}

function route(): void {
  leave()
  setText(status, '')
  const tab = /^#\/(audit|blocks)/.exec(location.hash)?.[1] ?? 'sales'
  for (const link of document.querySelectorAll<HTMLElement>('[data-tab]')) {
    if (link.dataset.tab === tab) link.setAttribute('aria-current', 'page')
    else link.removeAttribute('aria-current')
  }
  leave = open(location.hash)
}

window.addEventListener('hashchange', route)
voice.onChange(route)
route()
