/** Manages the focus in the console. Loaded after the first screen. */

const isThere = (element: HTMLElement) => element.isConnected && element.checkVisibility() && element.offsetHeight > 0

/**
 * Moves the focus to the nearest remaining ancestor when the focused element is removed. Otherwise the keyboard would start
 * again at the top of the page.
 */
export function keepFocus(place: HTMLElement): void {
  /** The last focused element and its ancestors; empty if it was outside. */
  let last: HTMLElement[] = []

  function restore(): void {
    const { activeElement } = document
    const [lost] = last
    if (lost === undefined || (activeElement !== document.body && activeElement !== lost)) return
    if (isThere(lost) && !lost.matches(':disabled')) return
    giveTo(last.slice(1).find(isThere) ?? place)
  }

  function giveTo(left: HTMLElement, options?: FocusOptions): void {
    // The heading tells the reader which view this is.
    const next = left === place ? (place.querySelector('h1') ?? place) : left
    if (!next.hasAttribute('tabindex')) next.tabIndex = -1
    next.focus(options)
  }

  document.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLElement)) return
    if (place.contains(target)) last = pathTo(target, place)
    // A dialog restores the focus itself.
    else if (target.closest('dialog') === null) last = []
  })
  // A click outside of controls removes the focus on purpose.
  document.addEventListener('pointerdown', () => {
    last = []
  })
  document.addEventListener(
    'close',
    () => {
      if (last.length > 0) restore()
      else if (document.activeElement === document.body) giveTo(place, { preventScroll: true })
    },
    true,
  )
  new MutationObserver(restore).observe(place, {
    ...{ childList: true, subtree: true },
    attributeFilter: ['hidden', 'disabled', 'open'],
  })
}

/** Returns the element and its ancestors up to `place`. */
function pathTo(element: HTMLElement, place: HTMLElement): HTMLElement[] {
  const path = [element]
  for (let at = element.parentElement; at !== null && path.at(-1) !== place; at = at.parentElement) path.push(at)
  return path
}
