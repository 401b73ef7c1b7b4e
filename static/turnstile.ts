/** Renders Turnstile's widget (N4) in a frame of a sale page, with parameters from its address, and reports to the page. */

import { byId, make } from '../web/dom.ts'
import { fieldsInText, type JsonMembers } from '../web/wire.ts'
import type { WidgetNews, WidgetTerms } from './check/widget.ts'

/**
 * The part of Turnstile in use
 * (https://developers.cloudflare.com/turnstile/get-started/client-side-rendering/).
 */
type Turnstile = { render(place: HTMLElement, options: Readonly<Record<string, unknown>>): unknown }

declare global {
  interface Window {
    turnstile?: Turnstile
  }
}

/** The smallest width of the flexible widget; below it the compact one fits. */
const widePx = 300

const place = byId('widget')
const terms = readTerms(fieldsInText(decodeURIComponent(location.hash.slice(1))))
document.documentElement.lang = terms.language

const script = make('script', { src: place.dataset.script ?? '' })
script.addEventListener('load', () => show(window.turnstile))
script.addEventListener('error', () => report('failed'))
document.head.append(script)

function readTerms(given: JsonMembers = {}): WidgetTerms {
  const text = (value: unknown) => (typeof value === 'string' ? value : '')
  const { siteKey, action, cData, language } = given
  return { siteKey: text(siteKey), action: text(action), cData: text(cData), language: text(language) }
}

function report(news: WidgetNews): void {
  window.parent.postMessage(news, location.origin)
}

/** Renders the widget without automatic retries, because the sale page offers a retry. */
function show(turnstile: Turnstile | undefined): void {
  const fail = () => {
    report('failed')
    return true
  }
  if (turnstile === undefined) return void fail()
  const { siteKey, action, cData, language } = terms
  // First, because `render` may report at once.
  report('shown')
  turnstile.render(place, {
    sitekey: siteKey,
    action,
    cData,
    language: language.toLowerCase(),
    theme: 'auto',
    size: window.innerWidth < widePx ? 'compact' : 'flexible',
    retry: 'never',
    'refresh-expired': 'never',
    'refresh-timeout': 'never',
    'response-field': false,
    callback: (token: string) => report({ token }),
    'before-interactive-callback': () => report('asks'),
    'error-callback': fail,
    'timeout-callback': fail,
    'unsupported-callback': fail,
  })
}
