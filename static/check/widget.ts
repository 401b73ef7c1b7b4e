/**
 * Runs Turnstile's widget (N4) in a frame of the same site. The frame's page alone may load scripts
 * of Cloudflare; this one keeps its policy.
 */
import { widgetPage } from '../../core/gate/challenge.ts'
import { make } from '../../web/dom.ts'
import { fieldsOf, type Members } from '../../web/wire.ts'

/** To the frame: what the widget is rendered with. All of them but the reader's language are the shop's answer. */
export type WidgetTerms = { siteKey: string; action: string; cData: string; language: string }

/**
 * From the frame. `shown`: the widget runs. `asks`: it wants the shopper to do something. `failed`:
 * another widget may do better. `token`: it passed.
 */
export type WidgetNews = 'shown' | 'asks' | 'failed' | { token: string }

/** A frame that shows no widget within this time never will, ms. */
const showMs = 20_000

/** Nor does a widget end by itself that has not ended, and has asked for nothing, after this time, ms. */
const runMs = 60_000

/**
 * `place` is where the frame stands; `title` is its accessible name; `terms` are in the address of
 * the frame, which reads them. `onAsk` is called when the shopper has something to do.
 */
type WidgetParts = { place: HTMLElement; title: string; terms: Members; onAsk(): void }

/** The token of a widget that passes; undefined for one that does not. It replaces a former one. */
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
      // It stays as a picture of how the check ended, so nothing below it moves.
      frame.inert = true
      resolve(token)
    }
    const hear = ({ data, origin, source }: MessageEvent<unknown>) => {
      if (source !== frame.contentWindow || origin !== location.origin) return
      if (data === 'shown') endAfter(runMs)
      if (data === 'asks') {
        // People take their time, and the widget has a limit of its own.
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
