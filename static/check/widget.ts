/** Runs Turnstile's widget (N4) in a same-site frame, whose CSP alone allows scripts of Cloudflare. */
import { widgetPage } from '../../core/gate/challenge.ts'
import { make } from '../../web/dom.ts'
import { fieldsOf, type JsonMembers } from '../../web/wire.ts'

/** The parameters of the widget: the answer of the shop and the reader's language. */
export type WidgetTerms = { siteKey: string; action: string; cData: string; language: string }

/** Messages of the frame. `shown`: the widget runs. `asks`: it needs the shopper. `failed`: a retry may succeed. `token`: passed. */
export type WidgetNews = 'shown' | 'asks' | 'failed' | { token: string }

/** Gives up on a frame that shows no widget within this time, ms. */
const showMs = 20_000

/** Gives up on a widget that neither ends nor needs the shopper within this time, ms. */
const runMs = 60_000

/** `title` names the frame for screen readers. The frame reads `terms` from its address. `onAsk`: the widget needs the shopper. */
type WidgetParts = { place: HTMLElement; title: string; terms: JsonMembers; onAsk(): void }

/** Runs a widget in `place` and resolves with its token; undefined if it does not pass. */
export function runWidget({ place, title, terms, onAsk }: WidgetParts): Promise<string | undefined> {
  const src = `${widgetPage}#${encodeURIComponent(JSON.stringify(terms))}`
  const frame = make('iframe', { src, title })
  place.replaceChildren(frame)
  return new Promise((resolve) => {
    let timer = 0
    const endAfter = (ms: number) => {
      clearTimeout(timer)
      timer = window.setTimeout(end, ms)
    }
    const end = (token?: string) => {
      clearTimeout(timer)
      removeEventListener('message', hear)
      // The frame stays visible, so that the layout does not shift.
      frame.inert = true
      resolve(token)
    }
    const hear = ({ data, origin, source }: MessageEvent<unknown>) => {
      if (source !== frame.contentWindow || origin !== location.origin) return
      if (data === 'shown') endAfter(runMs)
      if (data === 'asks') {
        // The widget has its own time limit for people.
        clearTimeout(timer)
        onAsk()
      }
      if (data === 'failed') end()
      const { token } = fieldsOf(data) ?? {}
      if (typeof token === 'string') end(token)
    }
    endAfter(showMs)
    addEventListener('message', hear)
  })
}
