/** Helpers for the document, shared by all pages. */

/**
 * Returns the element with that id, of that class.
 * @throws when the page has no such element
 */
export function byId(id: string): HTMLElement
export function byId<E extends HTMLElement>(id: string, kind: new () => E): E
export function byId(id: string, kind = HTMLElement): HTMLElement {
  const element = document.getElementById(id)
  if (!(element instanceof kind)) throw new Error(`the page has no ${kind.name} #${id}`)
  return element
}

/** Sets the text only if it differs, so that screen readers announce a change once. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text
}

export type Props = Readonly<Record<string, string | number | boolean | ((event: Event) => void)>>
export type Child = Node | string | undefined

/** Creates an element. Functions become listeners (`click`), booleans toggle attributes, other values set attributes. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Props = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(props)) {
    if (typeof value === 'function') element.addEventListener(name, value)
    else if (typeof value === 'boolean') element.toggleAttribute(name, value)
    else element.setAttribute(name, String(value))
  }
  element.append(...children.filter((child) => child !== undefined))
  return element
}

/** Returns the storage; falls back to memory where the browser refuses it. */
export function openStore(
  name: 'localStorage' | 'sessionStorage',
): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> {
  try {
    const storage = window[name]
    storage.getItem('')
    return storage
  } catch {
    const memory = new Map<string, string>()
    return {
      getItem: (key) => memory.get(key) ?? null,
      setItem: (key, value) => void memory.set(key, value),
      removeItem: (key) => void memory.delete(key),
    }
  }
}
