/** The times of a sale in its own zone, beside those in the reader's; the page of a sale with a zone loads it beside its own script. */
import { isTimeZone } from '../core/lib/text.ts'
import { localeFor } from '../templates/messages/language.ts'
import { momentText } from '../templates/messages/time-text.ts'
import { setText } from '../web/dom.ts'

const root = document.documentElement

/** Writes them in the reader's language, and hides them from a reader whose clock says the same. */
function show(): void {
  const locale = localeFor(root.lang, navigator.languages)
  for (const element of document.querySelectorAll<HTMLElement>('[data-zone]')) {
    const [ms, timeZone = ''] = [Number(element.dataset.at), element.dataset.zone]
    // The text of the page says it in a zone that this browser does not know.
    if (!isTimeZone(timeZone)) continue
    const there = momentText(ms, locale, { zone: true, timeZone })
    element.hidden = there === momentText(ms, locale, { zone: true })
    setText(element, `(${there})`)
  }
}

new MutationObserver(show).observe(root, { attributeFilter: ['lang'] })
show()
