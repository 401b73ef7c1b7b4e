/** A document without a browser: as much of it as the page of an order needs to draw itself with `make`. */
import { vi } from 'vitest'

/** An element that was drawn; its parts are elements and texts. */
export class Drawn {
  readonly tag: string
  readonly attributes: Record<string, string> = {}
  readonly parts: (Drawn | string)[] = []

  constructor(tag: string) {
    this.tag = tag
  }

  setAttribute(name: string, value: string): void {
    this.attributes[name] = value
  }

  toggleAttribute(name: string, isOn: boolean): void {
    if (isOn) this.attributes[name] = ''
  }

  addEventListener(): void {}

  append(...parts: (Drawn | string)[]): void {
    this.parts.push(...parts)
  }

  /** The elements below it, and itself, in the order of the page. */
  all(): Drawn[] {
    return [this, ...this.parts.flatMap((part) => (part instanceof Drawn ? part.all() : []))]
  }

  /** The element below it with that id. */
  of(id: string): Drawn | undefined {
    return this.all().find(({ attributes }) => attributes.id === id)
  }

  /** Its text, with usual spaces in place of those at which no line breaks. */
  get text(): string {
    const texts = this.parts.map((part) => (part instanceof Drawn ? part.text : part))
    return texts.join('').replaceAll(/[\u00a0\u202f]/g, ' ')
  }
}

/** Returns what `draw` renders into a new document; undefined if it renders nothing. */
export function drawnBy(draw: () => HTMLElement | undefined): Drawn | undefined {
  vi.stubGlobal('document', { createElement: (tag: string) => new Drawn(tag) })
  const drawn: unknown = draw()
  vi.unstubAllGlobals()
  return drawn instanceof Drawn ? drawn : undefined
}
