/** Shows the times of a sale in its own zone, beside those in the reader's. Pages of sales with a zone load it. */
import { isTimeZone } from '../core/lib/text.ts'
import { localeFor } from '../templates/messages/language.ts'
import { momentText } from '../templates/messages/time-text.ts'
import { setText } from '../web/dom.ts'

const root = document.documentElement

/** Writes the times in the reader's language. Hides them if the reader's clock shows the same. */
function show(): void {
  const locale = localeFor(root.lang, navigator.languages)
  for (const element of document.querySelectorAll<HTMLElement>('[data-zone]')) {
    const [ms, timeZone = ''] = [Number(element.dataset.at), element.dataset.zone]
    // For a zone that this browser does not know, the text of the page stays.
    if (!isTimeZone(timeZone)) continue
    const there = momentText(ms, locale, { zone: true, timeZone })
    element.hidden = there === momentText(ms, locale, { zone: true })
    setText(element, `(${there})`)
  }
}

new MutationObserver(show).observe(root, { attributeFilter: ['lang'] })
show()
