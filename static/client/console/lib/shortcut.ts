/**
 * The one shortcut of the console, loaded after the first screen. Letters alone are forbidden without a switch (WCAG
 * 2.1.4), and browsers and screen readers have most others.
 */
import { tinykeys } from 'tinykeys'

/** Calls `open` for Ctrl+K, on a Mac for ⌘K, in place of what the browser does with it. */
export function listenForPalette(open: () => void): void {
  tinykeys(window, {
    '$mod+k': (event) => {
      event.preventDefault()
      // A question that is open comes first.
      if (document.querySelector('dialog[open]') === null) open()
    },
  })
}
