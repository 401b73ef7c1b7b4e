/**
 * The message line: one sentence and an optional link, announced by screen readers when it changes.
 */
import { byId, make } from '../lib/dom.ts'
import type { Voice } from '../lib/voice.ts'
import type { News } from './news.ts'

/** Shows a message once, however often it is set. */
export function newsLine<K extends string>(voice: Pick<Voice<K>, 't'>) {
  const status = byId('status')
  let shown = ''

  return (news: News<K> | undefined): void => {
    const text = news === undefined ? '' : voice.t(news.key, news.args)
    const link = news?.link === undefined ? undefined : make('a', { href: news.link.href }, voice.t(news.link.key))
    const whole = `${text} ${link?.outerHTML ?? ''}`
    if (whole === shown) return
    shown = whole
    status.replaceChildren(text, ...(link === undefined ? [] : [' ', link]))
  }
}
