/** Early access on the page of a sale: who has it, and below the clock how long all others still wait, or that they cannot buy. */

import { signInPath } from '../../core/people/sign-in-paths.ts'
import { type EarlyAccess, isInvitedOnly } from '../../core/sale/early-access.ts'
import { pagePath } from '../../core/sale/pointer.ts'
import type { Sale } from '../../core/sale/sale.ts'
import { earlyAccessMessages } from '../messages/catalogues.ts'
import { type Arguments, words } from '../messages/text.ts'
import { type Html, html } from './html.ts'
import { ownLanguage, textsAttribute } from './say.ts'

type Invited = Pick<Sale, 'earlyAccess'> & { draw?: object | undefined }

type Key = keyof typeof earlyAccessMessages

const say = (key: Key, args: Arguments = {}): Html =>
  html`<span${textsAttribute((language) => words(earlyAccessMessages[key], language, args))}>${words(earlyAccessMessages[key], ownLanguage(), args)}</span>`

/** Who has early access, and for how long, or who alone may buy: in a sale that draws, its winners. */
export function earlyAccessText(earlyAccess: EarlyAccess, draw?: object): { key: Key; args: Arguments } {
  if (draw !== undefined) return { key: 'member.onlyDrawn', args: {} }
  const { minutes = 0, minLevel, list } = earlyAccess
  if (isInvitedOnly(earlyAccess))
    return minLevel === undefined
      ? { key: 'member.onlyList', args: {} }
      : { key: 'member.onlyBoth', args: { level: minLevel } }
  if (minLevel === undefined) return { key: 'member.list', args: { minutes } }
  return { key: list === 'on' ? 'member.both' : 'member.level', args: { minutes, level: minLevel } }
}

/** The row of the facts. */
export function earlyAccessFact({ earlyAccess, draw }: Invited): Html {
  // The section of the draw says who may buy.
  if (earlyAccess === undefined || draw !== undefined) return html``
  const { key, args } = earlyAccessText(earlyAccess)
  return html`<div><dt>${say(isInvitedOnly(earlyAccess) ? 'member.onlyTitle' : 'member.title')}</dt><dd>${say(key, args)}</dd></div>
`
}

/**
 * The line that the script shows while only members may buy. Its time is no news: it changes each second. That of an
 * invited-only sale is there before and after the start.
 */
export function earlyAccessLine({ saleId, earlyAccess, draw }: Invited & Pick<Sale, 'saleId'>): Html {
  if (earlyAccess === undefined) return html``
  if (isInvitedOnly(earlyAccess)) {
    const { key, args } = earlyAccessText(earlyAccess, draw)
    return html`<p class="clock__next" id="invited-only">${say(key, args)}</p>
`
  }
  return html`<p class="clock__next" id="early" hidden>${say('member.now')} <b id="early-left" role="timer"></b><br>
<a id="early-sign-in" href="${signInPath(`/${pagePath(saleId)}`.replace('index.html', ''))}">${say('member.signIn')}</a></p>
`
}
