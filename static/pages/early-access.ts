/** Early access on the page of a sale: who has it, and below the clock how long all others still wait. */

import { signInPath } from '../../core/people/sign-in-paths.ts'
import { pagePath } from '../../core/sale/pointer.ts'
import type { Sale } from '../../core/sale/sale.ts'
import { earlyAccessMessages } from '../messages/catalogues.ts'
import { type Html, html } from './html.ts'
import { sayer } from './say.ts'

const say = sayer(earlyAccessMessages)

export function earlyAccessFact({ earlyAccess }: Pick<Sale, 'earlyAccess'>): Html {
  if (earlyAccess === undefined) return html``
  const { minutes, minLevel: level } = earlyAccess
  return html`<div><dt>${say('member.title')}</dt><dd>${say('member.level', { minutes, level })}</dd></div>
`
}

/**
 * The line that the script shows while only members may buy. Its time is no news: it changes each second.
 */
export function earlyAccessLine(sale: Pick<Sale, 'saleId' | 'earlyAccess'>): Html {
  const { saleId, earlyAccess } = sale
  if (earlyAccess === undefined) return html``
  return html`<p class="clock__next" id="early" hidden>${say('member.now')} <b id="early-left" role="timer"></b><br>
<a id="early-sign-in" href="${signInPath(`/${pagePath(saleId)}`.replace('index.html', ''))}">${say('member.signIn')}</a></p>
`
}
