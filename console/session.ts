/** Notifies other tabs of the console of a sign-in, so that a waiting form can be sent. */
import type { Me } from '../core/api/control-answers.ts'
import { type ControlCall, mayCall } from '../core/api/control-routes.ts'
import { recordNames } from '../core/lib/record-names.ts'
import { optionSettingsPages } from '../core/options.ts'
import { byId, setText } from '../web/dom.ts'
import { type ConsoleVoice, roleList, type SettingsPage } from './view.ts'

const name = 'sluice.session'

/** Notifies the other tabs. */
export function announceSession(): void {
  const channel = new BroadcastChannel(name)
  channel.postMessage('opened')
  channel.close()
}

/** Calls `listener` when another tab has signed in; the answer stops that. */
export function onSession(listener: () => void): () => void {
  const channel = new BroadcastChannel(name)
  channel.addEventListener('message', listener)
  return () => channel.close()
}

/** Draws the tabs that the signed-in person may open, and the person's roles. The gate and the function decide. */
export function drawAccess(voice: ConsoleVoice, me: Me): void {
  for (const link of document.querySelectorAll<HTMLElement>('[data-tab]')) {
    link.hidden = !tabs[link.dataset.tab ?? '']?.some((call) => mayCall(call, me.roles))
  }
  setText(
    byId('access'),
    voice.t('console.signedInAs', { who: me.who, roles: roleList(voice, me.roles, 'conjunction') }),
  )
}

/** The pages behind "Settings". */
export const settingsPages = [
  {
    ...({ name: 'customers', needs: 'listCustomerIssuers' } as const),
    load: async () => (await import('./settings/customers-view.tsx')).CustomerIssuers,
  },
  ...recordNames(optionSettingsPages).map((page) => ({
    ...{ name: page, needs: optionSettingsPages[page] },
    load: async () => (await import('./option-parts.ts')).loadSettingsPage(page),
  })),
  {
    ...({ name: 'blocks', needs: 'listBlocks' } as const),
    load: async () => (await import('./gate/blocks-view.tsx')).Blocks,
  },
] as const satisfies readonly SettingsPage[]

/** Each tab with the calls of which one is enough. */
const tabs: Readonly<Record<string, readonly ControlCall[]>> = {
  sales: ['listSales'],
  orders: ['listAllOrders'],
  brand: ['changeBrand'],
  audit: ['getAudit'],
  settings: settingsPages.map(({ needs }) => needs),
}
